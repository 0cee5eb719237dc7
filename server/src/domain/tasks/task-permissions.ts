import type { Tx } from "../../db/database.js";
import type { TaskState } from "../../db/entities/tasks.js";
import { mayAddAssets } from "../assets/asset-permissions.js";
import type { Caller } from "../access/caller.js";
import { findRightsIn, workspaceRefOf } from "../access/roles.js";
import type { WorkspaceChoice } from "../organizations/workspace-choices.js";
import { nextStatesOf } from "./task-transitions.js";

/** Actions to offer for a task. Each is checked again when it runs. */
export interface TaskPermissions {
  change: boolean;
  states: readonly TaskState[];
}

/** `hidden` marks a task of a retired asset, which can't be changed. */
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

export function mayAddTasks(caller: Caller, workspaces: readonly WorkspaceChoice[]): boolean {
  return mayAddAssets(caller, workspaces);
}
