import type { StoredError } from "../shared/refusals.js";
import type { Conflict } from "./outcomes.js";
import type { RestoredField } from "./past-changes.js";

interface Costs {
  costs: readonly string[];
  presentOf: (field: string) => unknown;
}

/**
 * Keeps the currency if other people entered costs in it. Restores no cost into another currency.
 */
export function withCurrencyOfCosts(
  restored: readonly RestoredField[],
  conflicts: Conflict[],
  { costs, presentOf }: Costs,
): readonly RestoredField[] {
  const find = (name: string) => restored.find(({ field }) => field === name);
  const currency = find("currency");
  if (currency !== undefined) {
    const after = (name: string) => (find(name) ?? { value: presentOf(name) }).value ?? null;
    if (currency.value !== undefined || costs.every((name) => after(name) === null))
      return restored;
    conflicts.push({ field: "currency", refusal: toRefusal("currency_in_use") });
    return restored.filter((one) => one !== currency);
  }
  if (!conflicts.some(({ field }) => field === "currency")) return restored;
  const isOfOther = ({ field, value }: RestoredField) =>
    costs.includes(field) && value !== undefined;
  for (const { field } of restored.filter(isOfOther)) {
    conflicts.push({ field, refusal: toRefusal("cost_of_other_currency") });
  }
  return restored.filter((one) => !isOfOther(one));
}

function toRefusal(key: "currency_in_use" | "cost_of_other_currency"): StoredError {
  return { code: "conflict", key, params: {} };
}
