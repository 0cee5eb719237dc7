import { AppError } from "../../errors.js";

const currencies = new Set(Intl.supportedValuesOf("currency"));

/** An ISO 4217 code as it is written, in capitals; anything else is refused. */
export function cleanCurrency(code: string): string {
  if (currencies.has(code)) return code;
  throw new AppError("validation_failed", "unknown_currency", { field: "currency", code });
}
