import { AppError } from "../../../errors.js";
import { toFormErrors } from "../../forms/form-errors.js";
import type { FormError } from "../../layout/error-summary.js";

export function toAssetErrors(error: unknown): FormError[] {
  // The asset itself is gone, so the form can't show the error.
  if (error instanceof AppError && error.field === "asset_id") throw error;
  return toFormErrors(error).map(({ field, message }) =>
    field === "state" ? { message } : { field, message },
  );
}
