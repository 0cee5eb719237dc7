import { numberFormat } from "../../language/formats.js";

/**
 * Parses a number as people type it, with the separators of their language: "1.249,90" in German,
 * "1,249.90" in English. Undefined for invalid text, and for "120,500" in English, which many mean
 * as a decimal.
 */
export function readNumber(text: string): number | undefined {
  const bare = text.trim().replace(/(?<=\d)[\s'’](?=\d{3})/g, "");
  const group = findGroupSign(bare);
  if (group === undefined) return undefined;
  const parts = bare.replace(group === "," ? "." : ",", "|").split("|");
  const [whole = "", decimals = "0"] = parts;
  const isGrouped = new RegExp(`^(\\d+|\\d{1,3}(\\${group}\\d{3})+)$`).test(whole);
  if (!isGrouped || parts.length > 2 || !/^\d+$/.test(decimals)) return undefined;
  return Number(`${whole.replaceAll(group, "")}.${decimals}`);
}

/** The thousands separator: a comma or a full stop. The other one separates decimals. */
function findGroupSign(text: string): "," | "." | undefined {
  const [comma, stop] = [text.lastIndexOf(","), text.lastIndexOf(".")];
  if (comma !== -1 && stop !== -1) return comma > stop ? "." : ",";
  const decimal = comma > stop ? "," : ".";
  const group = decimal === "," ? "." : ",";
  const count = text.split(decimal).length - 1;
  if (count === 0) return group;
  if (count > 1) return decimal;
  const own = numberFormat({})
    .formatToParts(0.5)
    .find(({ type }) => type === "decimal")?.value;
  if (decimal === own || !/^[1-9]\d{0,2}\D\d{3}$/.test(text)) return group;
  return decimal === "." ? decimal : undefined;
}

export function writeNumber(value: number): string {
  return numberFormat({ useGrouping: false, maximumFractionDigits: 4 }).format(value);
}

/** The forms of a time span, each with hours and minutes. `pages.js` reads them too. */
const timeSpans = [
  /^()(\d{1,9})(?:\s?min)?$/i,
  /^(\d{1,7}):([0-5]\d)$/,
  /^(\d{1,7})\s?h(?:\s?([0-5]?\d)(?:\s?min)?)?$/i,
];

/** Minutes, or hours with minutes: "90", "1:30", "1h30", "1 h 30 min". */
export function readMinutes(text: string): number | undefined {
  const found = timeSpans.map((form) => form.exec(text.trim())).find((one) => one !== null);
  if (found == null) return undefined;
  const [, hours, minutes = 0] = found;
  return Number(hours) * 60 + Number(minutes);
}
