import type { Tx } from "../../db/database.js";
import { plannedFields, taskFields, type TaskState } from "../../db/entities/tasks.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { visibleTaskSql } from "../access/visibility.js";
import { readAssetRecords, type AssetRecord } from "../assets/asset-record.js";
import { selectFields } from "../shared/field-columns.js";
import { getTaskId, parseTaskNumber, toTaskNumber } from "../shared/task-references.js";
import { createParameters } from "../../db/parameters.js";
import { checkMovedDue } from "../tasks/change-repetition.js";
import { checkNewTask, createTask, type NewTask } from "../tasks/create-task.js";
import {
  checkTaskUpdate,
  cleanTaskUpdate,
  updateTask,
  type TaskUpdate,
} from "../tasks/task-updates.js";
import { readTaskRecords, type TaskRecord } from "../tasks/task-record.js";
import { cleanCurrency } from "../shared/currencies.js";
import { toTimestamp } from "../shared/dates.js";
import { omit, pick } from "../shared/omit.js";
import { assetRows } from "./asset-rows.js";
import { joinTexts, type RowValues } from "./read-values.js";
import type { CheckedRow, Match, RowKind, RowResult } from "./row-kinds.js";

type StoredTask = RowValues & { id: string; version: number; number: number };

/** Matches by task number. A row without one is new. */
async function match(
  tx: Tx,
  caller: Caller,
  rows: readonly RowValues[],
): Promise<(Match | undefined)[]> {
  const numbers = rows.map(numberOf);
  const parameters = createParameters(
    caller.organizationId,
    numbers.filter((number) => number !== null),
  );
  const found = await tx.query<StoredTask & { completed_at: Date | null }>(
    `SELECT t.id, t.version, t.task_number::int AS number, t.state, t.completed_at,
       t.currency::text AS currency, ${selectFields(taskFields, "t")},
       a.inventory_number AS asset_id, CASE WHEN t.asset_id IS NULL THEN w.name::text END
         AS workspace_id, u.email::text AS assigned_to_user_id, u.name AS assigned_to,
       p.name::text AS procedure
     FROM maintenance_tasks t
     LEFT JOIN assets a ON a.organization_id = $1 AND a.id = t.asset_id
     LEFT JOIN workspaces w ON w.organization_id = $1 AND w.id = t.workspace_id
     LEFT JOIN users u ON u.id = t.assigned_to_user_id
     LEFT JOIN procedures p ON p.organization_id = $1 AND p.id = t.procedure_id
     WHERE t.organization_id = $1 AND t.task_number = ANY ($2::bigint[])
       AND ${visibleTaskSql(caller, parameters, "t")}`,
    parameters.values,
  );
  return numbers.map((number) => {
    const own = number === null ? undefined : found.find((one) => one.number === number);
    if (own === undefined) return undefined;
    const fields = {
      ...own,
      task_number: toTaskNumber(own.number),
      completed_at: own.completed_at && toTimestamp(own.completed_at),
    };
    return { id: own.id, version: own.version, fields };
  });
}

function numberOf({ task_number: number }: RowValues): number | null {
  return typeof number === "string" ? parseTaskNumber(number) : null;
}

/** The fields a task is created with. The others describe its progress. */
const created = [...Object.keys(plannedFields), "asset_id", "workspace_id", "procedure"];

async function toNew(
  tx: Tx,
  caller: Caller,
  values: RowValues,
): Promise<{ given: NewTask; update: TaskUpdate }> {
  // Throws a clear error for an unknown task number.
  if (values["task_number"] !== undefined)
    await getTaskId(tx, caller, values["task_number"] as string);
  const { state = "scheduled", completed_at } = values;
  const later = omit(values, ...created, "task_number", "state", "completed_at", "currency");
  const update = {
    ...later,
    ...(state !== "scheduled" && { state: state as TaskState }),
    ...(state === "completed" && completed_at !== undefined && { completed_at }),
  } as TaskUpdate;
  return { given: pick(values, ...created) as unknown as NewTask, update };
}

function toUpdate(differing: RowValues): TaskUpdate {
  return omit(differing, "asset_id", "currency");
}

/** Returns the caller with the currency for a task's first costs. */
function payingIn(caller: Caller, { currency }: RowValues): Caller {
  return currency === undefined
    ? caller
    : { ...caller, currency: cleanCurrency(currency as string) };
}

function refuseOtherCurrency(task: TaskRecord, { currency: other }: RowValues): void {
  if (other === undefined || task.currency === null) return;
  const details = { field: "currency", currency: task.currency, other: other as string };
  throw new AppError("validation_failed", "task_currency_kept", details);
}

async function prepareCheck(
  tx: Tx,
  caller: Caller,
  rows: readonly CheckedRow[],
): Promise<(row: CheckedRow) => Promise<void>> {
  const ids = rows.flatMap(({ match: found }) => found?.id ?? []);
  const records = await readTaskRecords(tx, caller, ids);
  const assets = await findAssets(tx, caller, rows);
  return ({ match: found, values }) => {
    const record = found && records.get(found.id);
    return record === undefined
      ? checkNew(tx, caller, values, assets.get(values["asset_id"]))
      : checkChange(tx, caller, record, values);
  };
}

async function findAssets(
  tx: Tx,
  caller: Caller,
  rows: readonly CheckedRow[],
): Promise<Map<unknown, AssetRecord>> {
  const named = rows.map(({ values }) => ({ inventory_number: values["asset_id"] }));
  const found = await assetRows.match(tx, caller, named);
  const ids = found.flatMap((one) => one?.id ?? []);
  const records = await readAssetRecords(tx, caller, ids);
  return new Map([...records.values()].map((asset) => [asset.inventory_number, asset]));
}

async function checkNew(
  tx: Tx,
  caller: Caller,
  values: RowValues,
  asset: AssetRecord | undefined,
): Promise<void> {
  const { given, update } = await toNew(tx, caller, values);
  const isOnAsset = asset !== undefined && given.workspace_id === undefined;
  await checkNewTask(tx, caller, given, isOnAsset ? asset : undefined);
  if (Object.keys(update).length > 0) cleanTaskUpdate(caller, update);
}

async function checkChange(
  tx: Tx,
  caller: Caller,
  task: TaskRecord,
  values: RowValues,
): Promise<void> {
  refuseOtherCurrency(task, values);
  const update = toUpdate(values);
  await checkTaskUpdate(tx, caller, task, update);
  if (update.due_date !== undefined) await checkMovedDue(tx, caller, task, update.due_date);
}

async function create(tx: Tx, caller: Caller, values: RowValues): Promise<RowResult> {
  const { given, update } = await toNew(tx, caller, values);
  const { task } = await createTask(tx, caller, given);
  if (Object.keys(update).length > 0)
    await updateTask(tx, payingIn(caller, values), task.id, update, { needsAnswers: false });
  return { id: task.id, name: `${task.task_number} ${task.title}`, changed: [] };
}

export const taskRows: RowKind = {
  nameOf: ({ task_number: number, title }) => joinTexts(number, title),
  keyOf: (values) => numberOf(values)?.toString(),
  match,
  prepareCheck,
  create: (tx, { caller }, values) => create(tx, caller, values),
  update: async (tx, { caller }, { id, version }, differing) => {
    const update = { ...toUpdate(differing), expected_version: version };
    const { task, changed } = await updateTask(tx, payingIn(caller, differing), id, update);
    return { id, name: `${task.task_number} ${task.title}`, changed };
  },
};
