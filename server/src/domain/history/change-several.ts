import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";
import { changeAll, type ChangedItems } from "./change-all.js";
import { requireRoomToWrite } from "../../traffic/writing-limit.js";
import { createId } from "../shared/ids.js";
import { createChangeSet } from "./change-sets.js";
import { toCounted } from "./counted.js";

/**
 * Makes a change to each of several records, all of them or none, in one change set: what it did is shown
 * and undone as one. The change is made as the caller that it is given.
 */
export async function changeSeveral<Item, Answer>(
  tx: Tx,
  caller: Caller,
  changed: ChangedItems<Item>,
  change: (item: Item, caller: Caller) => Promise<Answer>,
): Promise<Answer[]> {
  requireRoomToWrite(caller);
  const id = createId("changeSet");
  const inSet = { ...caller, changeSetId: id };
  const answers = await changeAll(tx, caller, changed, (item) => change(item, inSet));
  const counted = toCounted(changed.items.length, "record");
  await createChangeSet(tx, caller, { id, kind: "call", state: "applied", ...counted });
  return answers;
}
