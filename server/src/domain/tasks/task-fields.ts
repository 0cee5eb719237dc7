import type { taskFields } from "../../db/entities/tasks.js";
import type { Given, Stored } from "../../db/fields.js";

/** Fields that people enter and that reference nothing, by column name. */
export type TaskFields = Stored<typeof taskFields> & { currency: string | null };

export type GivenTaskFields = Given<typeof taskFields>;

export const costs: readonly (keyof TaskFields)[] = ["labor_cost", "parts_cost", "other_cost"];

/** True if a cost is set. A cost needs a currency. */
export function hasCost(fields: Partial<TaskFields>): boolean {
  return costs.some((field) => fields[field] != null);
}
