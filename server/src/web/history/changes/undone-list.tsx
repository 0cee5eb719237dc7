import type { ComponentChildren, VNode } from "preact";
import type { Caller } from "../../../domain/access/caller.js";
import { nowOf } from "../../../domain/access/clock.js";
import type { Change } from "../../../domain/history/record-events.js";
import type { StoredError, Fields, Refusals } from "../../../domain/shared/refusals.js";
import type { Conflict, Undone } from "../../../domain/history/outcomes.js";
import { t } from "../../../language/translate.js";
import { currencyOf, toChangedValue, toShownChanges } from "../history-values.js";
import { withColon } from "../../text/format.js";
import { toFieldLabel } from "../../text/field-labels.js";
import { describeRefusalForPeople } from "../../text/refusals-for-people.js";
import { quote } from "../../../domain/shared/quote.js";
import { toValueLabel } from "../../text/value-labels.js";

/** A record in a list of differences: its name, its outcome, and each change below. */
export function DifferenceRow({
  href,
  name,
  mark,
  children,
}: {
  href?: string | undefined;
  name: string;
  /** "Retired", "Conflict". */
  mark?: string | undefined;
  children?: ComponentChildren;
}): VNode {
  return (
    <li class="difference">
      <p class="difference-name" dir="auto">
        {href === undefined ? <strong>{name}</strong> : <a href={href}>{name}</a>}
        {mark !== undefined && <span class="tag">{mark}</span>}
      </p>
      {children}
    </li>
  );
}

/** "Location: Roof → Basement", one per line. */
export function Changes({
  changes,
  caller,
}: {
  changes: readonly Change[];
  caller: Caller;
}): VNode {
  const style = { now: nowOf(caller), currency: currencyOf(changes) };
  const shown = toShownChanges({ type: "asset_updated", changes: [...changes] });
  const value = (field: string, one: unknown) =>
    one === undefined ? <span class="soft">{t("empty")}</span> : toChangedValue(field, one, style);
  return (
    <>
      {shown.map(({ field, from, to }) => (
        <p class="change" key={field}>
          <span class="soft">{withColon(toFieldLabel(field))} </span>
          <del dir="auto">{value(field, from)}</del> <span aria-hidden="true">→</span>{" "}
          <span class="visually-hidden">{t("becomes")} </span>
          <ins dir="auto">{value(field, to)}</ins>
        </p>
      ))}
    </>
  );
}

/** The reasons that a row or record was refused. Earlier versions stored texts. */
export function Problems({
  problems = [],
}: {
  problems?: readonly (StoredError | string)[] | undefined;
}): VNode {
  return (
    <>
      {problems.map((problem, index) => (
        <p class="conflict" key={index}>
          {describeProblem(problem)}
        </p>
      ))}
    </>
  );
}

export function Conflicts({ conflicts }: { conflicts: readonly Conflict[] }): VNode {
  return (
    <>
      {conflicts.map((conflict, index) => (
        <p class="conflict" key={index}>
          <strong>{t("Conflict:")}</strong> {describeConflict(conflict)}
        </p>
      ))}
    </>
  );
}

function describeConflict({ field, by, refusal }: Conflict): string {
  const label = field === undefined ? undefined : toFieldLabel(field);
  if (refusal !== undefined) {
    const why = describeRefusalForPeople(refusal);
    return label === undefined
      ? t("unchanged. {why}", { why })
      : t("{label} unchanged. {why}", { label, why });
  }
  if (label !== undefined) {
    return by === undefined
      ? t("{label} was changed since, so that change is kept.", { label })
      : t("{label} was changed by {by} since, so that change is kept.", { label, by });
  }
  return by === undefined
    ? t("someone has worked on it since, so it isn't changed.")
    : t("someone has worked on it since ({by}), so it isn't changed.", { by });
}

export function UndoneList({
  records,
  caller,
}: {
  records: readonly Undone[];
  caller: Caller;
}): VNode {
  return (
    <ul class="differences">
      {records
        .filter(
          ({ changes, conflicts, isRemoved }) => isRemoved || changes.length + conflicts.length > 0,
        )
        .map(({ subject, name, changes, conflicts, isRemoved }) => (
          <DifferenceRow
            key={subject.id}
            href={name === "" ? undefined : addressOf(subject)}
            name={name === "" ? t("Something you can't see") : name}
            mark={
              isRemoved
                ? subject.kind === "asset"
                  ? t("Will be retired")
                  : t("Will be cancelled")
                : undefined
            }
          >
            <Changes changes={changes} caller={caller} />
            <Conflicts conflicts={conflicts} />
          </DifferenceRow>
        ))}
    </ul>
  );
}

export function addressOf({ kind, id }: Undone["subject"]): string {
  const addresses = {
    asset: `/assets/${id}`,
    task: `/tasks/${id}`,
    workspace: "/workspaces",
    invite: "/settings/members/invitations",
  };
  return addresses[kind];
}

export function describeProblem(refusal: StoredError | string): string {
  if (typeof refusal === "string") return refusal;
  const text = wordReference(refusal) ?? describeRefusalForPeople(withLabels(refusal));
  const { field }: Fields = refusal.params;
  const label = field === undefined ? undefined : toFieldLabel(field);
  return label === undefined || text.includes(label) ? text : `${withColon(label)} ${text}`;
}

/** Replaces a field's stored values with their labels. */
function withLabels(refusal: StoredError): StoredError {
  if (refusal.key !== "choice_not_understood") return refusal;
  const params = refusal.params as Refusals["choice_not_understood"];
  const choices = params.choices.map((value) => toValueLabel(params.field, value));
  return { ...refusal, params: { ...params, choices } };
}

/**
 * For references in a file, which has no list to choose from: the cell's text and close matches.
 */
function wordReference({ key, params }: StoredError): string | undefined {
  if (key !== "workspace_not_found" && key !== "person_not_found") return undefined;
  if ("isInvited" in params && params.isInvited === true) return undefined;
  const { reference, nearest } = params as Refusals["workspace_not_found" | "person_not_found"];
  const names = nearest.map(({ name }) => quote(name)).join(", ");
  return names === ""
    ? t("{name} not found.", { name: quote(reference) })
    : t("{name} not found. Close matches: {names}.", { name: quote(reference), names });
}
