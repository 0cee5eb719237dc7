import { parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import { toTimestamp } from "../shared/dates.js";

/** Text that spreadsheets treat as the start of a formula, after any number of our marks. */
const formula = /^'*[=+\-@＝＋－＠\t\r\n]/;

/**
 * Matches formulas within a text. Where semicolons or tabs separate cells, as in most of Europe, a
 * CSV text becomes several cells and each line starts a row. Leading quotes are not part of those
 * cells.
 */
const formulaWithin = /([;\t\r\n][ "]*)('*[=+\-@＝＋－＠])/g;
const guardedWithin = /([;\t\r\n][ "]*)'('*[=+\-@＝＋－＠])/g;

/** Keeps a text from being read as a formula, with a leading mark that `fromGuarded` removes. */
export function guard(text: string): string {
  const guarded = text.replaceAll(formulaWithin, "$1'$2");
  return formula.test(guarded) ? `'${guarded}` : guarded;
}

export function fromGuarded(text: string): string {
  const within = text.replaceAll(guardedWithin, "$1$2");
  return within.startsWith("'") && formula.test(within.slice(1)) ? within.slice(1) : within;
}

/** "in_use" becomes "In use". The state of a retired asset gets its common name. */
function toWords(value: string): string {
  if (value === "deleted") return "Retired";
  const text = value.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const choices = new Set([
  ...["state", "criticality", "condition", "type", "priority", "activity", "failure_cause"],
  ...["organization_role", "workspace_role"],
]);

export function toCell(field: string, value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return toTimestamp(value);
  if (Array.isArray(value)) return value.length === 0 ? null : guard(stringify([value]).trimEnd());
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value !== "string") return Number(value);
  return choices.has(field) ? toWords(value) : guard(value);
}

/** Parses a list in a cell, as `toCell` writes it or separated by semicolons or lines. */
export function fromListCell(text: string): string[] {
  const delimiter = [",", ";", "\n"];
  const rows = parse(text, { delimiter, trim: true, relax_quotes: true, relax_column_count: true });
  return rows.flat().filter((entry) => entry !== "");
}
