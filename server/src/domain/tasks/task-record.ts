import type { Tx } from "../../db/database.js";
import type { AssetState } from "../../db/entities/assets.js";
import { taskFields, type MaintenanceTask } from "../../db/entities/tasks.js";
import type { Caller } from "../access/caller.js";
import { toUpdate, type Comparison } from "../history/differences.js";
import { selectFields } from "../shared/field-columns.js";
import { RetryTransaction } from "../../db/retry-transaction.js";
import type { RepeatRule } from "./next-due-date.js";
import { doneBySql } from "./task-link-reviews.js";
import { meterJoin, planJoin, usageColumns } from "./task-usage.js";
import { totalCost } from "./task-costs.js";
import type { TaskFields } from "./task-fields.js";

type Nullable<Fields> = { [Key in keyof Fields]: Fields[Key] | null };

/**
 * A stored task with the names of its references, by column name. `state` is the stored state, see
 * `shownState` for "overdue".
 */
export interface TaskRecord
  extends
    TaskFields,
    Pick<MaintenanceTask, "id" | "workspace_id" | "asset_id" | "state" | "hidden">,
    Pick<MaintenanceTask, "assigned_to_user_id" | "asset_state_before" | "started_at">,
    Pick<MaintenanceTask, "completed_at" | "cancelled_at" | "created_at" | "updated_at">,
    Pick<MaintenanceTask, "version" | "plan_id" | "occurrence" | "due_usage">,
    Pick<MaintenanceTask, "procedure_id" | "procedure_version">,
    Nullable<RepeatRule> {
  task_number: number;
  workspace_name: string | null;
  asset_name: string | null;
  inventory_number: string | null;
  asset_state: AssetState | null;
  assigned_to: string | null;
  /** Null if none of the three costs is known. */
  total_cost: number | null;
  completed_by_user_id: string | null;
  completed_by: string | null;
  /** The contractor who marked it as done. */
  done_by_contractor: string | null;
  /** The current name of its procedure. */
  procedure: string | null;
  created_by: string;
  /** The current reading of the plan's meter, and the usage of the meters it replaced. */
  meter_value: number | null;
  meter_usage_before: number | null;
  /** True if the plan still creates occurrences. Null without a plan. */
  plan_active: boolean | null;
}

const columns = `t.id, t.task_number::int AS task_number, t.workspace_id,
  w.name::text AS workspace_name, t.asset_id, a.name AS asset_name, a.inventory_number,
  a.state AS asset_state, ${selectFields(taskFields, "t")}, t.state, t.hidden,
  t.assigned_to_user_id, u.name AS assigned_to, t.asset_state_before,
  (${totalCost("t")})::float8 AS total_cost, t.currency::text AS currency, t.started_at,
  t.completed_at, t.completed_by AS completed_by_user_id, finisher.name AS completed_by, t.cancelled_at, creator.name AS created_by,
  t.created_at, t.updated_at, t.version,
  t.procedure_id, t.procedure_version, pr.name::text AS procedure,
  ${doneBySql} AS done_by_contractor, t.plan_id, t.occurrence, p.every, p.unit, p.anchor,
  p.anchor_day, p.on_weekday, p.ends_on, p.active AS plan_active, ${usageColumns}`;

const joins = `LEFT JOIN assets a ON a.organization_id = t.organization_id AND a.id = t.asset_id
  LEFT JOIN workspaces w ON w.organization_id = t.organization_id AND w.id = t.workspace_id
  LEFT JOIN users u ON u.id = t.assigned_to_user_id
  LEFT JOIN users finisher ON finisher.id = t.completed_by
  JOIN users creator ON creator.id = t.created_by
  LEFT JOIN procedures pr ON pr.organization_id = t.organization_id AND pr.id = t.procedure_id
  ${planJoin}
  ${meterJoin}`;

/** `where` is a condition on `t`. Its parameters follow $1, the organization. */
export async function findTaskRecord(
  db: Tx,
  where: string,
  values: unknown[],
): Promise<TaskRecord | undefined> {
  const [first] = await findRecords(db, where, values);
  return first;
}

function findRecords(db: Tx, where: string, values: unknown[]): Promise<TaskRecord[]> {
  return db.query(
    `SELECT ${columns} FROM maintenance_tasks t ${joins} WHERE t.organization_id = $1 AND ${where}`,
    values,
  );
}

export async function readTaskRecords(
  db: Tx,
  caller: Caller,
  ids: readonly string[],
): Promise<Map<string, TaskRecord>> {
  const values = [caller.organizationId, ids];
  const records = await findRecords(db, "t.id = ANY ($2::text[])", values);
  return new Map(records.map((record) => [record.id, record]));
}

/**
 * Reads a task that was just found. Without a lock, it may be gone. The retry then reports that.
 */
export async function readTaskRecord(db: Tx, caller: Caller, id: string): Promise<TaskRecord> {
  const record = await findTaskRecord(db, "t.id = $2", [caller.organizationId, id]);
  if (record === undefined) throw new RetryTransaction(`The task ${id} is gone.`);
  return record;
}

/** Columns that decide whether a task is the newest one of its plan in its place. */
const planColumns = new Set(["plan_id", "workspace_id", "occurrence"]);

/** Changes columns of a locked task, and returns the task after the change. */
export async function changeTaskRecord(
  tx: Tx,
  caller: Caller,
  id: string,
  changed: Comparison["columns"],
): Promise<TaskRecord> {
  const { sql, values } = toUpdate(caller, { table: "maintenance_tasks", id }, changed);
  if (changed.some(([column]) => planColumns.has(column))) {
    // A statement doesn't see its own change in the other tasks of the plan.
    await tx.query(sql, values);
    return readTaskRecord(tx, caller, id);
  }
  return tx.one<TaskRecord>(
    `WITH t AS (${sql} RETURNING *) SELECT ${columns} FROM t ${joins}`,
    values,
  );
}
