import type {
  FailureCause,
  TaskActivity,
  TaskPriority,
  TaskType,
} from "../../db/entities/maintenance-task.js";
import { AppError } from "../../errors.js";
import { cleanCost } from "../values/currencies.js";
import { cleanText } from "../values/text.js";

/** Fields that are typed in and refer to nothing else, by column name. */
export interface TaskFields {
  title: string;
  description: string | null;
  type: TaskType;
  priority: TaskPriority;
  due_date: string | null;
  estimated_minutes: number | null;
  requires_downtime: boolean;
  completion_notes: string | null;
  actual_minutes: number | null;
  downtime_minutes: number | null;
  labor_cost: number | null;
  parts_cost: number | null;
  other_cost: number | null;
  currency: string | null;
  activity: TaskActivity | null;
  failure_cause: FailureCause | null;
}

/** What may be asked for: a field that is absent or undefined stays as it is. */
export type GivenTaskFields = {
  [Field in Exclude<keyof TaskFields, "currency">]?: Exclude<TaskFields[Field], null> | undefined;
};

const texts = {
  title: { max: 200 },
  description: { max: 10_000, multiline: true },
  completion_notes: { max: 10_000, multiline: true },
};
const minutes = ["estimated_minutes", "actual_minutes", "downtime_minutes"] as const;
const costs = ["labor_cost", "parts_cost", "other_cost"] as const;
const asGiven = [
  "type",
  "priority",
  "due_date",
  "requires_downtime",
  "activity",
  "failure_cause",
] as const;

/** A hundred years: sums of minutes stay within what the database counts with. */
const maxMinutes = 52_560_000;
const maxSteps = 50;

/** Cleans the given fields; what does not fit is refused with a sentence that names the field. */
export function cleanTaskFields(given: GivenTaskFields): Partial<TaskFields> {
  const cleaned: Record<string, unknown> = {};
  for (const [field, rule] of Object.entries(texts)) {
    const text = given[field as keyof typeof texts];
    if (text !== undefined) cleaned[field] = cleanText(text, { field, ...rule });
  }
  for (const field of minutes) {
    const value = given[field];
    if (value !== undefined && value > maxMinutes) {
      throw wrongField(field, `must be at most ${maxMinutes}`);
    }
  }
  for (const field of costs) {
    const cost = given[field];
    if (cost !== undefined) cleaned[field] = cleanCost(field, cost);
  }
  for (const field of [...minutes, ...asGiven]) {
    if (given[field] !== undefined) cleaned[field] = given[field];
  }
  return cleaned;
}

/** Whether a cost is among the fields: then there has to be a currency. */
export function hasCost(fields: Partial<TaskFields>): boolean {
  return costs.some((field) => fields[field] != null);
}

export function cleanChecklist(steps: readonly string[]): string[] {
  if (steps.length > maxSteps) {
    throw wrongField("checklist", `must have at most ${maxSteps} steps`);
  }
  const rule = { field: "checklist", label: "checklist: each step", max: 200 };
  return steps.map((step) => cleanText(step, rule));
}

export function wrongField(field: string, reason: string): AppError {
  return new AppError("validation_failed", `Validation failed: ${field} ${reason}.`, { field });
}
