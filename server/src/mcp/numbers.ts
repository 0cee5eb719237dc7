import { quote } from "../domain/shared/quote.js";

/** No intended number has more characters. */
const maxLength = 40;

/** "1.200" is over a thousand in some countries and little more than one in others. */
const ambiguous = /^-?[1-9]\d{0,2}(?:\.\d{3})+$/;

/** Converts an unambiguous number. Other texts are unchanged, for validation to reject. */
export function toNumber(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const text = value.trim();
  const plain = text.length <= maxLength && /^-?\d+(?:\.\d+)?$/.test(text);
  return plain && !ambiguous.test(text) ? Number(text) : text;
}

export function describeNumber(text: string, { whole }: { whole: boolean }): string {
  const shown = quote(text);
  const kind = whole ? "a whole number" : "a number";
  const readings = text.length > maxLength ? [] : read(text, whole);
  if (readings === "unit") return `must be ${kind} without a unit, not ${shown}`;
  const forms = whole ? readings.filter(isWhole).map((form) => `${Number(form)}`) : readings;
  const [form, other] = forms;
  if (form === undefined) return `must be ${kind}, not ${shown}`;
  if (other !== undefined) return `${shown} is ambiguous. Write ${form} or ${other}`;
  return `${shown} is not ${kind}. Use ${form}, without unit or thousands separator`;
}

const amount = /^(?<before>[^\d-]*)(?<sign>-?)(?<digits>\d[\d.,'’\s]*)(?<after>\D*)$/;
const currency = /^(?:\p{Sc}|[A-Z]{3})$/u;

/** The possible numbers of a text: two if its separator is ambiguous. */
function read(text: string, whole: boolean): string[] | "unit" {
  const { before = "", sign = "", digits, after = "" } = amount.exec(text)?.groups ?? {};
  if (digits === undefined) return [];
  const unit = `${before}${after}`.trim();
  if (unit !== "" && (whole || !currency.test(unit))) return "unit";
  return readDigits(digits.replaceAll(/['’\s]/g, "")).map((form) => sign + form);
}

const groups = /^\d{1,3}(?:[.,]\d{3})*$/;

function readDigits(digits: string): string[] {
  const separators = digits.replaceAll(/\d/g, "");
  const grouped = digits.replaceAll(/[.,]/g, "");
  const at = digits.search(/[.,]\d*$/);
  if (at === -1) return [grouped];
  const [before, fraction] = [digits.slice(0, at), digits.slice(at + 1)];
  const exact = `${before.replaceAll(/[.,]/g, "")}.${fraction}`;
  if (separators.length === 1) {
    if (fraction === "") return [grouped];
    if (!groups.test(digits) || before.startsWith("0")) return [exact];
    return [grouped, `${Number(exact)}`];
  }
  if (/^(.)\1+$/.test(separators)) return groups.test(digits) ? [grouped] : [];
  return groups.test(before) ? [exact] : [];
}

function isWhole(form: string): boolean {
  return Number.isInteger(Number(form));
}
