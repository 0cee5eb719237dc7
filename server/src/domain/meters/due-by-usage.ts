import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";
import { toChange } from "../history/differences.js";
import { recordEvents } from "../history/record-events.js";
import { toTaskNumber } from "../shared/task-references.js";
import type { Warning } from "../shared/warnings.js";
import { isOpen } from "../tasks/task-states.js";
import { dayIn } from "../shared/dates.js";
import { formatUsage, toKeptUsage } from "../shared/usage.js";
import type { FoundMeter } from "./meters.js";

interface DueTask {
  id: string;
  task_number: number;
  due_date: string | null;
  due_usage: number;
}

interface Reached {
  asset: { id: string; workspace_id: string | null };
  meter: FoundMeter & { total: number };
  at: Date;
}

/**
 * Sets open work that has reached its usage due on the day of the reading, unless it is due
 * earlier.
 */
export async function bringForward(
  tx: Tx,
  caller: Caller,
  { asset, meter, at }: Reached,
): Promise<Warning[]> {
  const { id, name, unit, total, usage_before } = meter;
  const { organizationId } = caller;
  const isItsWork = `t.organization_id = $1 AND t.asset_id = $2 AND ${isOpen("t")}`;
  await tx.query(
    `UPDATE maintenance_tasks t SET due_usage = $4::numeric + p.every_usage FROM maintenance_plans p
     WHERE ${isItsWork} AND t.due_usage IS NULL
       AND p.organization_id = $1 AND p.id = t.plan_id AND p.meter_id = $3`,
    [organizationId, asset.id, id, total],
  );
  const day = dayIn(caller.timeZone, at);
  const due = await tx.query<DueTask>(
    `SELECT t.id, t.task_number::int AS task_number, t.due_date, t.due_usage::float8 AS due_usage
     FROM maintenance_tasks t
     JOIN maintenance_plans p ON p.organization_id = $1 AND p.id = t.plan_id AND p.meter_id = $3
     WHERE ${isItsWork} AND t.due_usage <= $4::numeric
       AND (t.due_date IS NULL OR t.due_date > $5::date) ORDER BY t.task_number`,
    [organizationId, asset.id, id, total, day],
  );
  const warnings: Warning[] = [];
  const moves: Move[] = [];
  for (const task of due) {
    const reached = task.due_usage - usage_before;
    moves.push({ task, day, note: `${name} reached ${toKeptUsage(reached, unit)}.` });
    const task_number = toTaskNumber(task.task_number);
    warnings.push({ key: "due_by_usage", task_number, name, reached: formatUsage(reached, unit) });
  }
  await storeDays(tx, caller, asset, moves);
  return warnings;
}

/**
 * After a correction to a lower value, restores the previous due date of work that only usage had
 * made due.
 */
export async function putBack(
  tx: Tx,
  caller: Caller,
  { asset, meter: { id, total } }: Omit<Reached, "at">,
): Promise<void> {
  const due = await tx.query<DueTask & { before: string | null }>(
    `SELECT t.id, t.task_number::int AS task_number, t.due_date, t.due_usage::float8 AS due_usage,
       last.before
     FROM maintenance_tasks t
     JOIN maintenance_plans p ON p.organization_id = $1 AND p.id = t.plan_id AND p.meter_id = $3
     CROSS JOIN LATERAL (SELECT e.source, c.change->>'from' AS before, c.change->>'to' AS day
       FROM history_events e, jsonb_array_elements(e.changes) c (change)
       WHERE e.organization_id = $1 AND e.task_id = t.id AND c.change->>'field' = 'due_date'
       ORDER BY e.occurred_at DESC, e.sequence DESC LIMIT 1) last
     WHERE t.organization_id = $1 AND t.asset_id = $2 AND ${isOpen("t")}
       AND t.due_usage > $4::numeric AND last.source = 'system' AND last.day = t.due_date::text
     ORDER BY t.task_number`,
    [caller.organizationId, asset.id, id, total],
  );
  const moves = due.map((task) => ({ task, day: task.before }));
  await storeDays(tx, caller, asset, moves);
}

interface Move {
  task: DueTask;
  day: string | null;
  note?: string;
}

/** Uses one statement, because the asset is locked and may have many such tasks. */
async function storeDays(
  tx: Tx,
  caller: Caller,
  asset: Reached["asset"],
  moves: readonly Move[],
): Promise<void> {
  const stored = await tx.maybe<{ at: Date }>(
    `UPDATE maintenance_tasks t SET due_date = moved.day, version = t.version + 1, updated_at = app_now()
     FROM unnest($2::text[], $3::date[]) moved (id, day)
     WHERE t.organization_id = $1 AND t.id = moved.id RETURNING t.updated_at AS at`,
    [caller.organizationId, moves.map(({ task }) => task.id), moves.map(({ day }) => day)],
  );
  if (stored === undefined) return;
  const moved = { type: "task_updated", bySystem: true, assetId: asset.id } as const;
  const when = { occurredAt: stored.at, recordedAt: stored.at };
  const events = moves.map(({ task, day, note }) => ({
    ...moved,
    ...when,
    workspaceId: asset.workspace_id,
    taskId: task.id,
    note,
    changes: [toChange("due_date", task.due_date, day)],
  }));
  await recordEvents(tx, caller, events);
}
