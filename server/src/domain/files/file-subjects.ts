import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";
import { requireRoleIn, workspaceRefOf, type Action } from "../access/roles.js";
import { readAssetRecord } from "../assets/asset-record.js";
import { momentOf } from "../access/clock.js";
import { recordEvent, type Change } from "../history/record-events.js";
import { getAssetId } from "../shared/asset-references.js";
import { getTaskId } from "../shared/task-references.js";
import { readTaskRecord } from "../tasks/task-record.js";

export type FileSubject = { kind: "asset" | "task"; reference: string };

export interface LockedSubject {
  kind: FileSubject["kind"];
  id: string;
  assetId: string | null;
  workspaceId: string | null;
}

/** Locks a subject that the caller sees and may change. Otherwise, the error includes the people to ask. */
export function lockSubject(
  tx: Tx,
  caller: Caller,
  subject: FileSubject,
  action: Action,
): Promise<LockedSubject> {
  return findSubject(tx, caller, subject, action, { lock: true });
}

/** Finds the subject without a lock, before slow work. */
export async function findSubject(
  tx: Tx,
  caller: Caller,
  { kind, reference }: FileSubject,
  action: Action,
  { lock = false } = {},
): Promise<LockedSubject> {
  if (kind === "asset") {
    const id = await getAssetId(tx, caller, reference, { lock });
    const asset = await readAssetRecord(tx, caller, id);
    await requireRoleIn(tx, caller, workspaceRefOf(asset), "member", action);
    return { kind, id, assetId: id, workspaceId: asset.workspace_id };
  }
  const id = await getTaskId(tx, caller, reference, { lock });
  const task = await readTaskRecord(tx, caller, id);
  await requireRoleIn(tx, caller, workspaceRefOf(task), "member", action);
  return { kind, id, assetId: task.asset_id, workspaceId: task.workspace_id };
}

export async function recordFiles(
  tx: Tx,
  caller: Caller,
  { kind, id, assetId, workspaceId }: LockedSubject,
  change: Omit<Change, "field">,
): Promise<void> {
  const at = await momentOf(tx);
  await recordEvent(tx, caller, {
    type: kind === "asset" ? "asset_updated" : "task_updated",
    assetId,
    ...(kind === "task" && { taskId: id }),
    workspaceId,
    occurredAt: at,
    recordedAt: at,
    changes: [{ field: "files", ...change }],
  });
}
