import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";
import { changeAll, type ChangedItems } from "./change-all.js";
import { checkWriteQuota } from "../../traffic/write-quota.js";
import { createId } from "../shared/ids.js";
import { createChangeSet } from "./change-sets.js";
import { toCounted, type Counted } from "./counted.js";

/**
 * Changes several records, all or none, in one change set. The set is shown and undone as a whole.
 * `change` must use the caller it receives.
 */
export async function changeSeveral<Item, Answer>(
  tx: Tx,
  caller: Caller,
  changed: ChangedItems<Item>,
  change: (item: Item, caller: Caller) => Promise<Answer>,
): Promise<Answer[]> {
  checkWriteQuota(caller);
  const id = createId("changeSet");
  const inSet = { ...caller, changeSetId: id };
  const answers = await changeAll(tx, caller, changed, (item) => change(item, inSet));
  const counted = toCounted(changed.items.length, "record");
  await createChangeSet(tx, caller, { id, kind: "call", state: "applied", ...counted });
  return answers;
}

/** Changes one record in its own change set, so a message can offer to undo it. */
export async function changeInSet<Answer extends { changed: readonly unknown[] }>(
  tx: Tx,
  caller: Caller,
  noun: Counted["counted"]["noun"],
  change: (caller: Caller) => Promise<Answer>,
): Promise<Answer & { set?: string }> {
  checkWriteQuota(caller);
  const id = createId("changeSet");
  const answer = await change({ ...caller, changeSetId: id });
  if (answer.changed.length === 0) return answer;
  await createChangeSet(tx, caller, { id, kind: "bulk", state: "applied", ...toCounted(1, noun) });
  return { ...answer, set: id };
}
