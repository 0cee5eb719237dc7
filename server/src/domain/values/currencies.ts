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

const maxCost = 1_000_000_000_000;

/** An amount as it is stored: the columns keep four decimals and twelve digits before them. */
export function cleanCost(field: string, cost: number): number {
  const rounded = Math.round(cost * 10_000) / 10_000;
  if (rounded < maxCost) return rounded;
  throw new AppError(
    "validation_failed",
    `Validation failed: ${field} must be less than ${maxCost}.`,
    { field },
  );
}
