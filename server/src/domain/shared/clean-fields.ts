import {
  plainFields,
  startValue,
  type Field,
  type Fields,
  type Given,
  type Stored,
} from "../../db/fields.js";
import { AppError } from "../../errors.js";
import { cleanCurrency } from "./currencies.js";
import { cleanText } from "./text.js";

export function cleanFields<F extends Fields>(fields: F, given: Given<F>): Partial<Stored<F>> {
  const present = plainFields(fields).filter(([name]) => given[name] !== undefined);
  const cleaned = present.map(([name, field]) => [name, clean(name, field, given[name])]);
  return Object.fromEntries(cleaned) as Partial<Stored<F>>;
}

export function startFields<F extends Fields>(fields: F): Stored<F> {
  const start = plainFields(fields).map(([name, field]) => [name, startValue(field)]);
  return Object.fromEntries(start) as Stored<F>;
}

export function pickFields<F extends Fields>(fields: F, record: Stored<F>): Stored<F> {
  const picked = plainFields(fields).map(([name]) => [name, record[name as keyof Stored<F>]]);
  return Object.fromEntries(picked) as Stored<F>;
}

/** Returns the stored values of fields that an update clears. References have separate rules. */
export function clearedFields<F extends Fields>(
  fields: F,
  cleared: ReadonlySet<string>,
): Partial<Stored<F>> {
  const emptied = plainFields(fields).filter(([name]) => cleared.has(name));
  return startFields(Object.fromEntries(emptied)) as Partial<Stored<F>>;
}

function clean(name: string, field: Field, value: unknown): unknown {
  const { kind, max = 0, multiline = false } = field;
  if (kind === "text") return cleanText(value as string, { field: name, max, multiline });
  if (kind === "tags") return cleanTags(name, max, value as string[]);
  if (kind === "currency") return cleanCurrency(value as string);
  if (kind === "amount") return checkMost(name, max, Math.round(Number(value) * 10_000) / 10_000);
  return kind === "minutes" ? checkMost(name, max, Number(value)) : value;
}

function cleanTags(name: string, max: number, tags: string[]): string[] {
  const rule = { field: name, label: `${name}: each tag`, max: 40 };
  const cleaned = [...new Set(tags.map((tag) => cleanText(tag, rule).toLowerCase()))];
  if (cleaned.length <= max) return cleaned;
  const details = { field: name, max, of: "entries" } as const;
  throw new AppError("validation_failed", "too_many_entries", details);
}

function checkMost(name: string, max: number, value: number): number {
  if (value <= max) return value;
  throw new AppError("validation_failed", "above_max", { field: name, max });
}
