import { AppError } from "../../../errors.js";
import { toFormErrors } from "../../forms/form-errors.js";
import type { FormError } from "../../layout/error-summary.js";

/** What the domain refuses on the forms of an asset. */
export function toAssetErrors(error: unknown): FormError[] {
  // The asset itself is gone: that is no matter of the form.
  if (error instanceof AppError && error.field === "asset_id") throw error;
  return toFormErrors(error).map(({ field, message }) =>
    field === "state" ? { message } : { field, message },
  );
}
