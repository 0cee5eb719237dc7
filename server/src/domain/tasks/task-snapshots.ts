import type { Change } from "../history/record-events.js";
import { pick } from "../shared/omit.js";
import type { TaskRecord } from "./task-record.js";
import { isStepsField, type Step } from "./checklist-steps.js";
import type { StepsChange } from "./task-checklists.js";

export const snapshotColumns = [
  "state",
  "started_at",
  "completed_at",
  "completed_by_user_id",
  "cancelled_at",
  "asset_state_before",
  "plan_id",
  "occurrence",
  "every",
  "unit",
  "anchor",
  "anchor_day",
  "on_weekday",
  "ends_on",
  "plan_active",
  "meter_id",
  "every_usage",
  "meter",
  "meter_unit",
  "due_usage",
  "procedure_version",
] as const satisfies (keyof TaskRecord)[];

/** Changes of these fields don't show everything that they change. */
const fields = new Set([
  ...["state", "completed_at", "recurrence", "due_date", "due_usage", "asset_id"],
  "procedure_id",
]);

/** A task before an event, beyond the event's changes. Times are texts. */
export interface TaskSnapshot {
  task?: Record<(typeof snapshotColumns)[number], unknown>;
  steps?: Step[];
}

export function takeSnapshot(
  task: TaskRecord,
  changes: readonly Change[],
  steps: StepsChange,
): { before?: Record<string, unknown> } {
  const before: TaskSnapshot = {
    ...(changes.some(({ field }) => fields.has(field)) && { task: pick(task, ...snapshotColumns) }),
    ...(changes.some(({ field }) => isStepsField(field)) && { steps: steps.before }),
  };
  return Object.keys(before).length === 0 ? {} : { before: { ...before } };
}
