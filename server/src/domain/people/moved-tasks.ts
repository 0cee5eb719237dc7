import type { Tx } from "../../db/database.js";
import type { MaintenanceTask } from "../../db/entities/tasks.js";
import { findLostAssignee } from "../shared/assignees.js";
import type { Caller } from "../access/caller.js";
import { unassignTasks } from "./reassignment.js";
import type { Warning } from "../shared/warnings.js";
import type { WorkspaceRef } from "../access/roles.js";
import { isOpen } from "../tasks/task-states.js";

interface Assigned extends Pick<MaintenanceTask, "id" | "asset_id" | "workspace_id" | "hidden"> {
  assigned_to_user_id: string;
  assigned_to: string;
}

/**
 * Unassigns open tasks of a moved, locked asset from people who can no longer see them. Returns
 * warnings.
 */
export async function releaseMovedTasks(
  tx: Tx,
  caller: Caller,
  asset: { id: string; workspace_id: string | null },
  place: WorkspaceRef,
): Promise<Warning[]> {
  if (place === null || place.id === asset.workspace_id) return [];
  const tasks = await tx.query<Assigned>(
    `SELECT t.id, t.asset_id, t.workspace_id, t.hidden, t.assigned_to_user_id, u.name AS assigned_to
     FROM maintenance_tasks t JOIN users u ON u.id = t.assigned_to_user_id
     WHERE t.organization_id = $1 AND t.asset_id = $2 AND ${isOpen("t")} ORDER BY u.name, t.id`,
    [caller.organizationId, asset.id],
  );
  const warnings: Warning[] = [];
  for (const userId of new Set(tasks.map((task) => task.assigned_to_user_id))) {
    const own = tasks.filter((task) => task.assigned_to_user_id === userId);
    const [first] = own;
    if (first === undefined) continue;
    const lost = await findLostAssignee(tx, caller, first, place, own.length);
    if (lost === undefined) continue;
    await unassignTasks(tx, caller, { id: userId, name: first.assigned_to }, own);
    if (!first.hidden) warnings.push(lost);
  }
  return warnings;
}
