import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";
import { readAssetRecord } from "../assets/asset-record.js";
import { getAssetId } from "../shared/asset-references.js";
import { getTaskId } from "../shared/task-references.js";
import { readTaskRecord } from "../tasks/task-record.js";
import type { Subject, Undone } from "./outcomes.js";
import type { Selection } from "./selections.js";
import { nameOfAsset, undoAsset } from "./undo-asset.js";
import { undoComments } from "./undo-comments.js";
import { nameOfTask, undoTask } from "./undo-task.js";

/** On a page of a plan, and per transaction. */
export const recordsAtOnce = 50;

export async function undoSubject(
  tx: Tx,
  caller: Caller,
  given: { subject: Subject; selection: Selection; isApplied: boolean },
): Promise<Undone> {
  const undoing = { tx, caller, ...given };
  const undone = await (given.subject.kind === "asset" ? undoAsset : undoTask)(undoing);
  // Without a name, the caller doesn't see the record.
  return undone.name === "" ? undone : undoComments(undoing, undone);
}

export async function findName(tx: Tx, caller: Caller, { kind, id }: Subject): Promise<string> {
  return kind === "asset"
    ? nameOfAsset(await readAssetRecord(tx, caller, await getAssetId(tx, caller, id)))
    : nameOfTask(await readTaskRecord(tx, caller, await getTaskId(tx, caller, id)));
}
