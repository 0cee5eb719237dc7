import type { Tx } from "../../db/database.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { idKindOf } from "./ids.js";
import { RetryTransaction } from "../../db/retry-transaction.js";
import { createParameters } from "../../db/parameters.js";
import { visibleTaskSql } from "../access/visibility.js";
import { rejectWrongKindOfId } from "./wrong-kind-of-id.js";

/**
 * Finds a task by id or number ("T-118", "118", "#118"), if the caller may see it. `lock` locks it
 * after its asset, in the order of changes to an asset.
 */
export async function getTaskId(
  db: Tx,
  caller: Caller,
  reference: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<string> {
  const parameters = createParameters(caller.organizationId);
  const { column, value } = parseTaskReference(reference);
  const isTask = `t.organization_id = $1 AND t.${column} = ${parameters.add(value)}
    AND ${visibleTaskSql(caller, parameters, "t")}`;
  const found = await db.maybe<{ id: string }>(
    lock ? lockingSql(isTask) : findingSql(isTask),
    parameters.values,
  );
  if (found !== undefined) return found.id;
  if (lock && (await db.maybe(findingSql(isTask), parameters.values)) !== undefined) {
    throw new RetryTransaction("The asset that the work is on by now is not locked.");
  }
  throw taskNotFound(reference);
}

const findingSql = (isTask: string) => `SELECT t.id FROM maintenance_tasks t WHERE ${isTask}`;

/**
 * Locks the asset first, then the task. While the statement waits, the task may move to another
 * asset, out of view, or be deleted. It then returns no row.
 */
const lockingSql = (isTask: string) => `
  WITH held AS MATERIALIZED (
    SELECT a.id FROM maintenance_tasks t
    JOIN assets a ON a.organization_id = $1 AND a.id = t.asset_id
    WHERE ${isTask} FOR NO KEY UPDATE OF a)
  SELECT t.id FROM maintenance_tasks t
  WHERE ${isTask} AND (t.asset_id IS NULL OR t.asset_id = (SELECT id FROM held))
  FOR NO KEY UPDATE OF t`;

/** Returns the task column that a reference matches. */
export function parseTaskReference(reference: string): {
  column: "id" | "task_number";
  value: string | number;
} {
  rejectWrongKindOfId(reference, "task", "task_id");
  if (idKindOf(reference) === "task") return { column: "id", value: reference };
  const number = parseTaskNumber(reference);
  if (number === null) throw taskNotFound(reference);
  return { column: "task_number", value: number };
}

export function parseTaskNumber(text: string): number | null {
  const digits = /^#?(?:t-?)?0*(\d{1,9})$/i.exec(text)?.[1];
  return digits === undefined ? null : Number(digits);
}

export function looksLikeTaskNumber(text: string): boolean {
  return /^t-?\d/i.test(text) && parseTaskNumber(text) !== null;
}

/** Only inventory numbers have digits after other text. */
function looksLikeInventoryNumber(text: string): boolean {
  return /^\S+-\d+$/.test(text) && parseTaskNumber(text) === null;
}

export function taskNotFound(reference: string): AppError {
  const isInventoryNumber = looksLikeInventoryNumber(reference);
  const details = { field: "task_id", reference, isInventoryNumber };
  return new AppError("not_found", "task_not_found", details);
}

/** `T-118` */
export function toTaskNumber(number: number): string {
  return `T-${number}`;
}
