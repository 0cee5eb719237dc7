import { AppError } from "../../errors.js";
import { quote } from "./quote.js";

const currencies = new Set(Intl.supportedValuesOf("currency"));

/** An ISO 4217 code as it is written, in capitals; anything else is refused. */
export function cleanCurrency(code: string): string {
  if (currencies.has(code)) return code;
  throw new AppError(
    "validation_failed",
    `Validation failed: currency ${quote(code)} is not an ISO 4217 code. Use one like EUR or USD.`,
    { field: "currency" },
  );
}
