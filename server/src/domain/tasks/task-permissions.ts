import type { Tx } from "../../db/database.js";
import type { TaskState } from "../../db/entities/tasks.js";
import { mayAddAssets } from "../assets/asset-permissions.js";
import type { Caller } from "../access/caller.js";
import { findRightsIn, workspaceRefOf } from "../access/roles.js";
import type { WorkspaceChoice } from "../organizations/workspace-choices.js";
import { nextStatesOf } from "./task-transitions.js";

/** What to offer to somebody for a task; whatever is sent is checked again when it is done. */
export interface TaskPermissions {
  change: boolean;
  /** What the task can become by the caller's hand. */
  states: readonly TaskState[];
}

/** `hidden` is a task of a retired asset, with which nobody does anything. */
export async function findTaskPermissions(
  db: Tx,
  caller: Caller,
  task: {
    workspace_id: string | null;
    workspace_name: string | null;
    state: TaskState;
    hidden: boolean;
  },
): Promise<TaskPermissions> {
  const change = !task.hidden && (await findRightsIn(db, caller, workspaceRefOf(task))).member;
  return { change, states: change ? nextStatesOf(task.state) : [] };
}

/** Whether the caller may add a task anywhere; `workspaces` are all that the caller sees. */
export function mayAddTasks(caller: Caller, workspaces: readonly WorkspaceChoice[]): boolean {
  return mayAddAssets(caller, workspaces);
}
