import type { PhotoMoment } from "../../db/entities/files.js";
import type { Tx } from "../../db/database.js";
import type { TaskState } from "../../db/entities/tasks.js";
import type { AssetRecord } from "../../domain/assets/asset-record.js";
import { getVisibleAsset } from "../../domain/assets/visible-assets.js";
import type { Caller } from "../../domain/access/caller.js";
import { workspaceRefOf, requireRoleIn } from "../../domain/access/roles.js";
import { getTask } from "../../domain/tasks/task-details.js";
import { findTaskPermissions, type TaskPermissions } from "../../domain/tasks/task-permissions.js";

export type Task = Awaited<ReturnType<typeof getTask>>["task"];

export interface OpenedTask {
  task: Task;
  /** As stored: an overdue task is scheduled, in progress or on hold. */
  state: TaskState;
  /** The task's asset. Null for work on a whole place. */
  asset: AssetRecord | null;
  may: TaskPermissions;
}

/** Throws if the caller can't see the task. */
export async function readTask(db: Tx, caller: Caller, reference: string): Promise<OpenedTask> {
  const { task } = await getTask(db, caller, reference);
  const asset = task.asset_id === null ? null : await getVisibleAsset(db, caller, task.asset_id);
  const state = task.state === "overdue" ? (task.progress ?? "scheduled") : task.state;
  const hidden = asset?.state === "deleted";
  const may = await findTaskPermissions(db, caller, { ...task, state, hidden });
  return { task, state, asset, may };
}

/** Reads a task for a form that changes it. Without permission, the error names people to ask. */
export async function readTaskToChange(
  db: Tx,
  caller: Caller,
  reference: string,
): Promise<OpenedTask> {
  const opened = await readTask(db, caller, reference);
  if (!opened.may.change && opened.asset?.state !== "deleted") {
    await requireRoleIn(db, caller, workspaceRefOf(opened.task), "member", "edit tasks");
  }
  return opened;
}

export function isOpen({ state }: Pick<OpenedTask, "state">): boolean {
  return state !== "completed" && state !== "cancelled";
}

/** Whether added photos usually show the state before or after the work. */
export function toUsualMoment({ state }: Pick<OpenedTask, "state">): PhotoMoment {
  return state === "scheduled" ? "before" : "after";
}

export function toAddressOf({ id }: Pick<Task, "id">): string {
  return `/tasks/${id}`;
}
