import type { MaintenanceTask, TaskState } from "../../db/entities/tasks.js";
import { t } from "../../language/translate.js";
import { formatUsage, toCents, toKeptUsage } from "../shared/usage.js";
import type { RepeatRule } from "./next-due-date.js";
import { isOpenState } from "./task-states.js";

/** For a task that is due by usage: the due usage and the meter's current reading. */
export interface TaskUsage
  extends
    Pick<MaintenanceTask, "due_usage">,
    Pick<RepeatRule, "every_usage" | "meter" | "meter_unit"> {
  meter_value: number | null;
  meter_usage_before: number | null;
}

/** Columns of a task `t` with its plan `p` and its meter. */
export const usageColumns = `t.due_usage::float8 AS due_usage, meter.id AS meter_id,
  p.every_usage::float8 AS every_usage, meter.name::text AS meter, meter.unit AS meter_unit,
  meter.value::float8 AS meter_value, meter.usage_before::float8 AS meter_usage_before`;

/**
 * JOIN of a task `t` with its plan `p`, in organization $1. If the plan continues in another
 * workspace, it belongs there. People who see only earlier occurrences can't read or change the
 * rule.
 */
export const planJoin = `LEFT JOIN maintenance_plans p ON p.organization_id = $1 AND p.id = t.plan_id
    AND t.workspace_id IS NOT DISTINCT FROM (SELECT newest.workspace_id FROM maintenance_tasks newest
      WHERE newest.organization_id = $1 AND newest.plan_id = t.plan_id
      ORDER BY newest.occurrence DESC LIMIT 1)`;

/**
 * JOIN of the plan's meter, if it is on the task's asset. A meter that a merge moved to another
 * asset stays there, and its count may be hidden here.
 */
export const meterJoin = `LEFT JOIN meters meter
    ON meter.organization_id = p.organization_id AND meter.id = p.meter_id AND meter.asset_id = t.asset_id`;

/**
 * "130,000 km, now 120,500 km", as readings of the current meter. Null if the task is done or not
 * due by usage.
 */
export function describeDueUsage(task: TaskUsage & { state: TaskState }): string | null {
  const { meter_unit: unit, meter_value: value } = task;
  const due = toReading(task, task.due_usage);
  if (due === null || unit === null || value === null || !isOpenState(task.state)) return null;
  return t("{due}, now {present}", {
    due: formatUsage(due, unit),
    present: formatUsage(value, unit),
  });
}

/** Formats a total usage as a reading of the task's current meter, for histories. */
export function showUsage(
  task: Pick<TaskUsage, "meter_unit" | "meter_usage_before">,
  usage: number | null,
): string | null {
  const reading = toReading(task, usage);
  return reading === null ? null : toKeptUsage(reading, task.meter_unit ?? "");
}

/** Converts a total usage to a reading of the task's current meter. */
export function toReading(
  { meter_unit: unit, meter_usage_before: before }: Parameters<typeof showUsage>[0],
  usage: number | null,
): number | null {
  return usage === null || unit === null ? null : toCents(usage - (before ?? 0));
}
