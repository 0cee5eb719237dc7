import type { Tx } from "../../db/database.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { idKindOf } from "./ids.js";
import { BeginAgain } from "../../db/begin-again.js";
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
  const { column, value } = parseTaskReference(reference);
  const parameters = createParameters(caller.organizationId, value);
  const found = await db.maybe<{ id: string; asset_id: string | null }>(
    `SELECT t.id, t.asset_id FROM maintenance_tasks t
     WHERE t.organization_id = $1 AND t.${column} = $2
       AND ${visibleTaskSql(caller, parameters, "t")}`,
    parameters.values,
  );
  if (found === undefined) throw taskNotFound(reference);
  if (lock && !(await lockTask(db, caller, found))) throw taskNotFound(reference);
  return found.id;
}

/**
 * While waiting for the asset, the task may have moved out of view or to another asset, or been
 * deleted.
 */
async function lockTask(
  db: Tx,
  caller: Caller,
  { id, asset_id }: { id: string; asset_id: string | null },
): Promise<boolean> {
  if (asset_id !== null) {
    await db.query(
      "SELECT 1 FROM assets WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE",
      [caller.organizationId, asset_id],
    );
  }
  const parameters = createParameters(caller.organizationId, id);
  const locked = await db.maybe<{ asset_id: string | null }>(
    `SELECT t.asset_id FROM maintenance_tasks t WHERE t.organization_id = $1 AND t.id = $2
       AND ${visibleTaskSql(caller, parameters, "t")} FOR NO KEY UPDATE`,
    parameters.values,
  );
  if (locked !== undefined && locked.asset_id !== asset_id) {
    throw new BeginAgain("The asset that the work is on by now is not locked.");
  }
  return locked !== undefined;
}

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
