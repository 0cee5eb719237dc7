import { parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import { toTimestamp } from "../shared/dates.js";

/** What spreadsheets take for the beginning of a formula, behind any number of our marks. */
const formula = /^'*[=+\-@＝＋－＠\t\r\n]/;

/**
 * The same within a text: where semicolons or tabs divide cells, as in most of Europe, a text of a CSV
 * file is several cells, and each of its lines begins a row. Quotes at the beginning of a cell are not
 * part of it there.
 */
const formulaWithin = /([;\t\r\n][ "]*)('*[=+\-@＝＋－＠])/g;
const guardedWithin = /([;\t\r\n][ "]*)'('*[=+\-@＝＋－＠])/g;

/**
 * Keeps a text from being a formula where the file is opened: with a mark before it, which
 * `fromGuarded` takes away again.
 */
function guard(text: string): string {
  const guarded = text.replaceAll(formulaWithin, "$1'$2");
  return formula.test(guarded) ? `'${guarded}` : guarded;
}

export function fromGuarded(text: string): string {
  const within = text.replaceAll(guardedWithin, "$1$2");
  return within.startsWith("'") && formula.test(within.slice(1)) ? within.slice(1) : within;
}

/** "in_use" as "In use"; a retired asset's state as people call it. */
function toWords(value: string): string {
  if (value === "deleted") return "Retired";
  const text = value.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const choices = new Set([
  ...["state", "criticality", "condition", "type", "priority", "activity", "failure_cause"],
  ...["organization_role", "workspace_role"],
]);

/** A value of a field as it stands in a cell. */
export function toCell(field: string, value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return toTimestamp(value);
  if (Array.isArray(value)) return value.length === 0 ? null : guard(stringify([value]).trimEnd());
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value !== "string") return Number(value);
  return choices.has(field) ? toWords(value) : guard(value);
}

/** The entries of a list in a cell, as `toCell` writes it, or divided by semicolons or lines. */
export function fromListCell(text: string): string[] {
  const delimiter = [",", ";", "\n"];
  const rows = parse(text, { delimiter, trim: true, relax_quotes: true, relax_column_count: true });
  return rows.flat().filter((entry) => entry !== "");
}
