import { fieldTerms, headingTerms } from "../../language/field-terms.js";
import { translated } from "../../language/translate.js";

type Labels = Partial<Record<string, string>>;
const fieldLabels: Labels = translated(fieldTerms);
const headingLabels: Labels = translated(headingTerms);

/** The label of a field, such as "Purchase cost". A field without a term is shown by its name. */
export function toFieldLabel(field: string): string {
  const known = fieldLabels[field];
  if (known !== undefined) return known;
  if (field.startsWith("meter: ")) return field.slice(7);
  if (field.startsWith("step: ")) return field.slice(6);
  const words = field.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The label of a column of a file. In English it is the heading of exported files. */
export function toColumnLabel(field: string): string {
  return headingLabels[field] ?? toFieldLabel(field);
}
