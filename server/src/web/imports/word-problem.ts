import { quote } from "../../domain/shared/quote.js";
import type { Fields, KeptRefusal, Refusals } from "../../domain/shared/refusals.js";
import { t } from "../../language/translate.js";
import { toFieldLabel } from "../text/field-labels.js";
import { toValueLabel } from "../text/value-labels.js";
import { describeRefusalForPeople } from "../text/refusals-for-people.js";

/** Why a row is wrong, with the field that it is about. */
export function wordProblem(refusal: KeptRefusal): string {
  const text = wordReference(refusal) ?? describeRefusalForPeople(withLabels(refusal));
  const { field }: Fields = refusal.params;
  const label = field === undefined ? undefined : toFieldLabel(field);
  return label === undefined || text.includes(label) ? text : `${label}: ${text}`;
}

/** The values of a field as its reader calls them. */
function withLabels(refusal: KeptRefusal): KeptRefusal {
  if (refusal.key !== "choice_not_understood") return refusal;
  const params = refusal.params as Refusals["choice_not_understood"];
  const choices = params.choices.map((value) => toValueLabel(params.field, value));
  return { ...refusal, params: { ...params, choices } };
}

/** In a file nobody chooses, as in a form: what the cell names, and what comes near to it. */
function wordReference({ key, params }: KeptRefusal): string | undefined {
  if (key !== "workspace_not_found" && key !== "person_not_found") return undefined;
  if ("isInvited" in params && params.isInvited === true) return undefined;
  const { reference, nearest } = params as Refusals["workspace_not_found" | "person_not_found"];
  const names = nearest.map(({ name }) => quote(name)).join(", ");
  return names === ""
    ? t("{name} is not found.", { name: quote(reference) })
    : t("{name} is not found. The nearest: {names}.", { name: quote(reference), names });
}
