import type { Field, Fields, FieldValue } from "../../db/fields.js";
import { toFieldLabel } from "../text/field-labels.js";
import {
  checkboxField,
  choiceField,
  dayField,
  listField,
  minutesField,
  numberField,
  textField,
  type FormField,
} from "./form-fields.js";
import { writeNumber } from "./typed-numbers.js";

/** The form fields for a record's fields. References are read as text. */
export function toFormFields<F extends Fields>(
  fields: F,
): { [Name in keyof F]: FormField<FieldValue<F[Name]>> } {
  const entries = Object.entries(fields).map(([name, field]) => [name, toFormField(name, field)]);
  return Object.fromEntries(entries) as ReturnType<typeof toFormFields<F>>;
}

function toFormField(name: string, { kind, max, values = [] }: Field): FormField<unknown> {
  const label = () => toFieldLabel(name);
  if (kind === "choice") return choiceField(label, values);
  if (kind === "day") return dayField(label);
  if (kind === "amount") return numberField(label);
  if (kind === "minutes") return minutesField(label, max);
  if (kind === "flag") return checkboxField(label);
  if (kind === "tags") return listField(label, ",");
  if (kind === "currency") return { label, read: (code) => code.trim().toUpperCase() };
  return textField(label);
}

type FormValue = string | number | boolean | readonly string[] | null;

export function toFormValues<F extends object>(
  fields: F,
  record: Readonly<Record<keyof F, FormValue>>,
): Record<keyof F, string> {
  const names = Object.keys(fields) as (keyof F)[];
  const texts = names.map((name) => [name, toFormText(record[name])]);
  return Object.fromEntries(texts) as Record<keyof F, string>;
}

export function toFormText(value: FormValue | undefined): string {
  if (typeof value === "boolean") return value ? "yes" : "";
  if (typeof value === "number") return writeNumber(value);
  return Array.isArray(value) ? value.join(", ") : String(value ?? "");
}
