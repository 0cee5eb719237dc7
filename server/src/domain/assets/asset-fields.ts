import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { cleanCost, cleanCurrency } from "../values/currencies.js";
import { todayOf } from "../access/clock.js";
import { cleanText } from "../values/text.js";

/** Fields that a person types in and that refer to nothing else, by column name. */
export interface PlainFields {
  name: string;
  description: string | null;
  manufacturer: string | null;
  model: string | null;
  serial_number: string | null;
  location: string | null;
  criticality: "low" | "medium" | "high" | "critical";
  condition: "excellent" | "good" | "fair" | "poor" | "failed" | null;
  supplier: string | null;
  purchase_date: string | null;
  purchase_cost: number | null;
  currency: string | null;
  warranty_expires_on: string | null;
  in_service_date: string | null;
  end_of_life_on: string | null;
  tags: string[];
}

/** What may be asked for: a field that is absent or undefined stays as it is. */
export type GivenFields = {
  [Field in keyof PlainFields]?: Exclude<PlainFields[Field], null> | undefined;
};

type TextField = "name" | "manufacturer" | "model" | "serial_number" | "location" | "supplier";

const textLengths: Record<TextField, number> = {
  name: 200,
  manufacturer: 120,
  model: 120,
  serial_number: 120,
  location: 200,
  supplier: 120,
};

const maxTags = 20;

/** Cleans the given fields; what does not fit is refused with a sentence that names the field. */
export function cleanFields(caller: Caller, given: GivenFields): Partial<PlainFields> {
  const fields: Partial<PlainFields> = {};
  for (const field of Object.keys(textLengths) as TextField[]) {
    const value = given[field];
    if (value !== undefined) fields[field] = cleanText(value, { field, max: textLengths[field] });
  }
  if (given.description !== undefined) {
    const rule = { field: "description", max: 5000, multiline: true };
    fields.description = cleanText(given.description, rule);
  }
  if (given.criticality !== undefined) fields.criticality = given.criticality;
  if (given.condition !== undefined) fields.condition = given.condition;
  copyDates(fields, given);
  if (given.purchase_cost !== undefined) {
    fields.purchase_cost = cleanCost("purchase_cost", given.purchase_cost);
  }
  if (given.currency !== undefined) fields.currency = cleanCurrency(given.currency);
  if (given.tags !== undefined) fields.tags = cleanTags(given.tags);
  const today = todayOf(caller);
  if (fields.purchase_date != null && fields.purchase_date > today) {
    throw wrong("purchase_date", `${fields.purchase_date} lies after today, ${today}`);
  }
  return fields;
}

/** Rules between fields, on the values as they will be stored. */
export function checkTogether(
  fields: Pick<PlainFields, "purchase_date" | "warranty_expires_on">,
): void {
  const { purchase_date: bought, warranty_expires_on: ends } = fields;
  if (bought !== null && ends !== null && ends < bought) {
    throw wrong("warranty_expires_on", `${ends} lies before purchase_date ${bought}`);
  }
}

function copyDates(fields: Partial<PlainFields>, given: GivenFields): void {
  if (given.purchase_date !== undefined) fields.purchase_date = given.purchase_date;
  if (given.warranty_expires_on !== undefined) {
    fields.warranty_expires_on = given.warranty_expires_on;
  }
  if (given.in_service_date !== undefined) fields.in_service_date = given.in_service_date;
  if (given.end_of_life_on !== undefined) fields.end_of_life_on = given.end_of_life_on;
}

function cleanTags(tags: string[]): string[] {
  const rule = { field: "tags", label: "tags: each tag", max: 40 };
  const cleaned = [...new Set(tags.map((tag) => cleanText(tag, rule).toLowerCase()))];
  if (cleaned.length <= maxTags) return cleaned;
  throw wrong("tags", `must have at most ${maxTags} entries`);
}

function wrong(field: string, reason: string): AppError {
  return new AppError("validation_failed", `Validation failed: ${field} ${reason}.`, { field });
}
