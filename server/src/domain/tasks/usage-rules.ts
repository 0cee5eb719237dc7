import type { Tx } from "../../db/database.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import type { Comparison } from "../history/differences.js";
import { findMeters, noSuchMeter, pickMeter, type FoundMeter } from "../meters/meters.js";
import { maxUsage } from "../meters/record-readings.js";
import type { RepeatRule } from "./next-due-date.js";
import { updatePlan, type Recurrence } from "./task-plans.js";
import type { TaskRecord } from "./task-record.js";
import { formatUsage, toCents } from "../shared/usage.js";

export interface MeteredRule {
  rule: RepeatRule;
  /** Total usage at which the current occurrence is due. */
  dueUsage: number | null;
}

/** Adds the asset's meter to the rule, if it is by usage. */
export async function withMeter(
  tx: Tx,
  caller: Caller,
  rule: RepeatRule,
  recurrence: Recurrence,
  assetId: string | null,
): Promise<MeteredRule> {
  const { every_usage: given, meter: reference, due_usage: dueAt } = recurrence;
  const field = "recurrence.every_usage";
  if (given === undefined) {
    if ((reference ?? dueAt) === undefined) return { rule, dueUsage: null };
    throw new AppError("validation_failed", "missing", { field });
  }
  if (assetId === null) throw new AppError("validation_failed", "meter_of_place", { field });
  const every = toCents(given);
  if (every <= 0) throw new AppError("validation_failed", "not_positive", { field });
  if (every > maxUsage)
    throw new AppError("validation_failed", "above_max", { field, max: maxUsage });
  const meter = chooseMeter(await findMeters(tx, caller, assetId), reference);
  const byMeter = { meter_id: meter.id, meter: meter.name, meter_unit: meter.unit };
  return {
    rule: { ...rule, ...byMeter, every_usage: every },
    dueUsage: toDueUsage(meter, every, dueAt),
  };
}

function chooseMeter(meters: readonly FoundMeter[], reference: string | undefined): FoundMeter {
  const field = "recurrence.meter";
  const [first, second] = meters;
  if (reference !== undefined) {
    const found = pickMeter(meters, reference, field);
    if (found === undefined) throw noSuchMeter(meters, reference, field);
    return found;
  }
  if (first !== undefined && second === undefined) return first;
  const names = meters.map(({ name }) => name);
  throw new AppError("validation_failed", "meter_not_named", { field, names });
}

/** Null until the first reading, where counting starts. */
function toDueUsage(
  { name, unit, value, usage_before }: FoundMeter,
  every: number,
  dueAt: number | undefined,
): number | null {
  if (dueAt === undefined) return value === null ? null : toCents(usage_before + value + every);
  if (value === null || dueAt > value) return toCents(usage_before + dueAt);
  const details = { field: "recurrence.due_usage", name, present: formatUsage(value, unit) };
  throw new AppError("validation_failed", "usage_reached", details);
}

/**
 * Usage at which the next occurrence is due. Counts from the meter's total at completion, or takes
 * the first step from the due usage that is still ahead.
 */
export async function findNextUsage(
  tx: Tx,
  caller: Caller,
  rule: RepeatRule,
  task: TaskRecord,
): Promise<number | null> {
  const { meter_id: id, every_usage: every } = rule;
  if (id === null || every === null || task.meter_value === null) return null;
  const total = (task.meter_usage_before ?? 0) + task.meter_value;
  if (rule.anchor === "completion_date") {
    const { completed_at: at } = task;
    const then = at === null ? total : await findTotalAt(tx, caller, id, at);
    return toCents((then ?? total) + every);
  }
  const base = task.due_usage ?? total;
  const steps = Math.max(1, Math.floor((total - base) / every) + 1);
  return toCents(base + steps * every);
}

/**
 * Switches work that moves to another asset to its meter of equal name, with the remaining usage.
 * Undefined if there is none.
 */
export async function followMeter(
  tx: Tx,
  caller: Caller,
  task: TaskRecord,
  assetId: string,
): Promise<Comparison["columns"] | undefined> {
  const { plan_id: planId, meter_id: id, meter: name, due_usage: due } = task;
  if (planId === null || id === null || name === null) return [];
  const meters = await findMeters(tx, caller, assetId);
  if (meters.some((meter) => meter.id === id)) return [];
  const other = meters.find((meter) => meter.name.toLowerCase() === name.toLowerCase());
  if (other?.unit !== task.meter_unit) return undefined;
  await updatePlan(tx, caller, planId, { meter_id: other.id });
  if (other.value === null || due === null) return [["due_usage", null]];
  const left = due - (task.meter_usage_before ?? 0) - (task.meter_value ?? 0);
  return [["due_usage", toCents(other.usage_before + other.value + Math.max(0, left))]];
}

/** Total usage of a meter and its predecessors at an instant, from the readings. */
async function findTotalAt(
  tx: Tx,
  caller: Caller,
  meterId: string,
  at: Date,
): Promise<number | undefined> {
  const row = await tx.maybe<{ total: number }>(
    `SELECT total::float8 AS total FROM meter_readings
     WHERE organization_id = $1 AND meter_id = $2 AND read_at <= $3
     ORDER BY read_at DESC, recorded_at DESC LIMIT 1`,
    [caller.organizationId, meterId, at],
  );
  return row?.total;
}
