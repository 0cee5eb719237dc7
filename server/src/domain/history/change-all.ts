import type { Tx } from "../../db/database.js";
import { AppError, type ErrorCode } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import type { RefusedItem } from "../shared/refusals.js";
import { removalsWaitSince, lockMembers } from "../../db/locks.js";
import { isTransactionAborted } from "../../db/query-errors.js";

export interface ChangedItems<Item> {
  /** The argument or form field that contains the items. */
  field: string;
  items: readonly Item[];
  nameOf: (item: Item, index: number) => string;
  /** Called after each item with the number done and the total. */
  report?: Report;
}

export type Report = (done: number, of: number) => void;
/** Others may wait for these locks as long as a statement may take. */
const maxMs = 5000;

/** For steps that run in their own transactions. No one should wait for these. */
const maxStepMs = 2000;

/**
 * Call it before changes that lock many rows for long. The returned function throws once the
 * changes take too long in total.
 */
export async function beginSeveral(tx: Tx, { organizationId }: Held): Promise<() => void> {
  await lockMembers(tx, organizationId);
  return limitSeveral(tx);
}

/** Like `beginSeveral`, for use after removals have been waited for. */
export function limitSeveral(tx: Tx): () => void {
  const isOver = startTimer(tx, maxMs);
  return () => {
    if (isOver()) throw new AppError("unavailable", "several_too_slow");
  };
}

/**
 * Like `beginSeveral`, for one step of many. The returned function returns true once the rest must
 * wait for the next step.
 */
export async function beginStep(tx: Tx, { organizationId }: Held): Promise<() => boolean> {
  await lockMembers(tx, organizationId);
  return startTimer(tx, maxStepMs);
}

type Held = Pick<Caller, "organizationId">;

function startTimer(tx: Tx, ms: number): () => boolean {
  const began = removalsWaitSince(tx);
  return () => performance.now() - began > ms;
}

/**
 * Changes several records one after another in one transaction. If any change is refused, nothing
 * is changed and the error lists every refused record.
 */
export async function changeAll<Item, Answer>(
  tx: Tx,
  caller: Caller,
  { field, items, nameOf, report }: ChangedItems<Item>,
  change: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const refuseTooLong = await beginSeveral(tx, caller);
  const answers: Answer[] = [];
  const refused: RefusedItem[] = [];
  const codes = new Set<ErrorCode>();
  for (const [index, item] of items.entries()) {
    refuseTooLong();
    try {
      answers.push(await change(item));
    } catch (error) {
      if (error instanceof AppError && error.code !== "unavailable") {
        refused.push({ index, name: nameOf(item, index), error });
        codes.add(error.code);
      } else if (refused.length > 0 && isTransactionAborted(error)) {
        // The refused statement aborted the transaction, so the rest can't be tried.
        break;
      } else {
        throw error;
      }
    }
    report?.(index + 1, items.length);
  }
  const [code, ...otherCodes] = codes;
  if (code === undefined) return answers;
  throw new AppError(otherCodes.length === 0 ? code : "validation_failed", "some_refused", {
    field,
    of: items.length,
    refused,
  });
}
