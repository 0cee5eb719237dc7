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

/** What is decided about tasks of the plan; what is not given stays. */
export interface PlanChange {
  due_date?: string | undefined;
  /** Instead of a day: so many days later than the task is due, or than today where that has passed. */
  later_by_days?: number | undefined;
  /** Null for nobody. */
  assigned_to_user_id?: string | null | undefined;
}

/** Moves tasks to other days or people, all or none; answers with how many were not so already. */
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
  // Whether finished work was in time is told from the day on which it was due.
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
