import type { Caller } from "../../../domain/access/caller.js";
import { AppError } from "../../../errors.js";
import { toFormErrors } from "../../forms/forms.js";
import type { FormError } from "../../layout/parts.js";
import { describeMoment } from "../../text/format.js";

/** What the domain refuses, in the words of the forms of assets. */
export function toAssetErrors(caller: Caller, error: unknown): FormError[] {
  // The asset itself is gone: that is no matter of the form.
  if (error instanceof AppError && error.field === "asset_id") throw error;
  const own = error instanceof AppError ? inOwnWords(error) : undefined;
  if (own !== undefined) return [own];
  return toFormErrors(error).map(({ field, message }) => ({
    field: field === "state" ? undefined : field,
    message: adapt(caller, message),
  }));
}

/** Refusals that tell programs what to call next, by their code and field. */
const ownWords: Partial<Record<string, string>> = {
  "not_found parent_asset_id": "No asset that you see has this number.",
  "not_found assigned_to_user_id": "This person cannot be chosen any more. Choose another one.",
  "not_found workspace_id": "This workspace is not there any more. Choose another one.",
  "confirmation_mismatch confirm_inventory_number":
    "This is not the inventory number of the asset, so nothing was deleted. Type it exactly as it stands above.",
};

function inOwnWords({ code, field, details }: AppError): FormError | undefined {
  if (code === "invalid_transition") {
    return { message: "This asset is retired. Restore it before you change it." };
  }
  if (field === "workspace_id" && details?.["workspaces"] !== undefined) {
    return { field, message: "Choose a workspace." };
  }
  const message = ownWords[`${code} ${String(field)}`];
  if (message === undefined) return undefined;
  const near = field === "parent_asset_id" ? details?.["nearest"] : undefined;
  const nearest = Array.isArray(near) ? ` The nearest: ${near.join(", ")}.` : "";
  return { field, message: message + nearest };
}

/** Without ids and calls, and with times as the clocks of the organization show them. */
function adapt({ timeZone }: Caller, message: string): string {
  return message
    .replace(/: create invite with their email.*$/, ".")
    .replace(/, ast_[0-9a-z]{12}\)/, ")")
    .replace(/ Leave “Inventory number” out to get/, " Leave it empty to get")
    .replace(/, or leave “Inventory number” out to keep the present one\.$/, ".")
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/, (time) => {
      const at = new Date(time);
      const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone }).format(at);
      const words = describeMoment(at, timeZone);
      return words.endsWith(clock) ? words.toLowerCase() : `${words}, ${clock}`;
    });
}
