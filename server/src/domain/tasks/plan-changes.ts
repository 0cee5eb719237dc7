import type { Tx } from "../../db/database.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { todayOf } from "../access/clock.js";
import { checkWriteQuota } from "../../traffic/write-quota.js";
import { changeAll } from "../history/change-all.js";
import { createChangeSet } from "../history/change-sets.js";
import { toCounted } from "../history/counted.js";
import { createId } from "../shared/ids.js";
import { putOffFrom } from "./put-off-from.js";
import { updateTask, type TaskUpdate } from "./task-updates.js";
import type { TaskRow } from "./task-rows.js";
import { findTasksById } from "./tasks-by-id.js";
import { addDays } from "../shared/dates.js";

export interface PlanChange {
  due_date?: string | undefined;
  /** Instead of a date: days after the due date, or after today if it has passed. */
  later_by_days?: number | undefined;
  /** Null unassigns. */
  assigned_to_user_id?: string | null | undefined;
}

export interface PlanChanged {
  changed: number;
  /** The change set, which is undone as a whole. Undefined if nothing changed. */
  id?: string;
}

/** Moves tasks to other days or people, all or none. */
export async function changePlanned(
  tx: Tx,
  caller: Caller,
  ids: readonly string[],
  change: PlanChange,
): Promise<PlanChanged> {
  checkWriteQuota(caller);
  const id = createId("changeSet");
  const inSet = { ...caller, changeSetId: id };
  const tasks = await findTasksById(tx, caller, ids);
  const nameOf = (task: string) => tasks.get(task)?.task_number ?? task;
  const answers = await changeAll(tx, caller, { field: "ids", items: ids, nameOf }, (task) =>
    updateTask(tx, inSet, task, toUpdate(caller, tasks.get(task), change)),
  );
  const changed = answers.filter((answer) => answer.changed.length > 0).length;
  if (changed === 0) return { changed };
  const counts = { changed, same: ids.length - changed, refused: 0 };
  const counted = toCounted(ids.length, "task");
  await createChangeSet(tx, caller, { id, kind: "bulk", state: "applied", counts, ...counted });
  return { changed, id };
}

function toUpdate(
  caller: Caller,
  task: TaskRow | undefined,
  { due_date, later_by_days: days, assigned_to_user_id: person }: PlanChange,
): TaskUpdate {
  // The due date of finished work shows if it was on time.
  if (task?.state === "completed" || task?.state === "cancelled") {
    throw new AppError("invalid_transition", "finished_meanwhile");
  }
  const from = putOffFrom(task?.due_date ?? null, todayOf(caller));
  return {
    due_date: days === undefined ? due_date : addDays(from, days),
    ...(person === null
      ? { clear_fields: ["assigned_to_user_id"] }
      : { assigned_to_user_id: person }),
  };
}
