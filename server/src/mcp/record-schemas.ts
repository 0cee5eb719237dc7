import { z } from "zod";
import type { Field, Fields, FieldValue } from "../db/fields.js";
import { currency, day, text } from "./parameter-schemas.js";

/** Optional tool parameters for the fields of a record, with descriptions for some. */
export function toParameters<F extends Fields>(
  fields: F,
  descriptions: { [Name in keyof F]?: string },
): { [Name in keyof F]: z.ZodOptional<z.ZodType<FieldValue<F[Name]>, FieldValue<F[Name]>>> } {
  const parameters = Object.entries(fields).map(([name, field]) => {
    const [schema, description] = [toSchema(field), descriptions[name]];
    return [name, (description === undefined ? schema : schema.describe(description)).optional()];
  });
  return Object.fromEntries(parameters) as ReturnType<typeof toParameters<F>>;
}

function toSchema({ kind, max = 0, values = [], required }: Field): z.ZodType {
  if (kind === "choice") return z.enum(values);
  if (kind === "currency") return currency();
  if (kind === "day") return day();
  if (kind === "amount") return z.number().min(0).max(max);
  if (kind === "minutes") return z.int().min(0).max(max);
  if (kind === "flag") return z.boolean();
  if (kind === "tags") return z.array(z.string()).max(max);
  return text({ min: required === true ? 1 : 0, max });
}

/** Output fields of a record. Fields without a value are omitted. */
export function toOutputs<F extends Fields>(
  fields: F,
): { [Name in keyof F]: z.ZodOptional<z.ZodType<AnsweredValue<F[Name]>>> } {
  const outputs = Object.entries(fields).map(([name, field]) => [name, toOutput(field).optional()]);
  return Object.fromEntries(outputs) as ReturnType<typeof toOutputs<F>>;
}

/** Choices are texts. False is omitted. */
type AnsweredValue<F> = F extends { kind: "choice" }
  ? string
  : F extends { kind: "flag" }
    ? true
    : FieldValue<F>;

function toOutput({ kind }: Field): z.ZodType {
  if (kind === "amount") return z.number();
  if (kind === "minutes") return z.int();
  if (kind === "flag") return z.literal(true);
  return kind === "tags" ? z.array(z.string()) : z.string();
}
