import type { Tx } from "../../db/database.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { todayOf } from "../access/clock.js";
import { changeAll } from "../history/change-all.js";
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

/** Moves tasks to other days or people, all or none. Returns the number that changed. */
export async function changePlanned(
  tx: Tx,
  caller: Caller,
  ids: readonly string[],
  change: PlanChange,
): Promise<{ changed: number }> {
  const tasks = await findTasksById(tx, caller, ids);
  const nameOf = (id: string) => tasks.get(id)?.task_number ?? id;
  const answers = await changeAll(tx, caller, { field: "ids", items: ids, nameOf }, (id) =>
    updateTask(tx, caller, id, toUpdate(caller, tasks.get(id), change)),
  );
  return { changed: answers.filter(({ changed }) => changed.length > 0).length };
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
