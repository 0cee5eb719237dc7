import type { taskFields } from "../../db/entities/tasks.js";
import type { Given, Stored } from "../../db/fields.js";
import { AppError } from "../../errors.js";
import { cleanText } from "../shared/text.js";

/** Fields that people enter and that reference nothing, by column name. */
export type TaskFields = Stored<typeof taskFields> & { currency: string | null };

export type GivenTaskFields = Given<typeof taskFields>;

export const costs: readonly (keyof TaskFields)[] = ["labor_cost", "parts_cost", "other_cost"];
const maxSteps = 50;

/** True if a cost is set. A cost needs a currency. */
export function hasCost(fields: Partial<TaskFields>): boolean {
  return costs.some((field) => fields[field] != null);
}

export function cleanChecklist(steps: readonly string[]): string[] {
  if (steps.length > maxSteps) {
    const details = { field: "checklist", max: maxSteps, of: "steps" } as const;
    throw new AppError("validation_failed", "too_many_entries", details);
  }
  const rule = { field: "checklist", label: "checklist: each step", max: 200 };
  return steps.map((step) => cleanText(step, rule));
}
