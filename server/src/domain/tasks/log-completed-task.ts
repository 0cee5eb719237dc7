import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";
import { omit } from "../shared/omit.js";
import { createTask, type CreatedTask, type NewTask } from "./create-task.js";
import type { TaskUpdate } from "./task-update-rules.js";
import { updateTask, type TaskChange } from "./task-updates.js";

export type Completion = Omit<TaskUpdate, "state" | "note" | "expected_version" | "clear_fields">;

/** Creates a completed task, for work that was done before anyone planned it. */
export async function logCompletedTask(
  tx: Tx,
  caller: Caller,
  task: NewTask,
  completion: Completion,
): Promise<CreatedTask & Pick<TaskChange, "next_task">> {
  const created = await createTask(tx, caller, task);
  const update = { ...completion, state: "completed" } as const;
  const done = await updateTask(tx, caller, created.task.id, update);
  return {
    task: { ...created.task, ...omit(done.task, "progress") },
    ...(done.next_task !== undefined && { next_task: done.next_task }),
    next_due_date: null,
    // A completed task isn't overdue.
    warnings: [
      ...created.warnings.filter(({ key }) => key !== "overdue_already"),
      ...done.warnings,
    ],
  };
}
