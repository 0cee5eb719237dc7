import { AppError } from "../../errors.js";

const currencies = new Set(Intl.supportedValuesOf("currency"));

export function cleanCurrency(code: string): string {
  if (currencies.has(code)) return code;
  throw new AppError("validation_failed", "unknown_currency", { field: "currency", code });
}
