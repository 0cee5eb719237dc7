import type { Tx } from "../../db/database.js";
import { AppError, type ErrorCode } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import type { RefusedItem } from "../shared/refusals.js";
import { removalsWaitSince, waitForMemberChanges } from "../../db/locks.js";
import { isTransactionAborted } from "../../db/query-errors.js";

export interface ChangedItems<Item> {
  /** The argument or form field that holds them. */
  field: string;
  items: readonly Item[];
  nameOf: (item: Item, index: number) => string;
  /** Told after each how many of how many are done. */
  report?: Report;
}

export type Report = (done: number, of: number) => void;
/** Others wait for what these changes hold, as long as a statement may take. */
const maxMs = 5000;

/** Of work that goes on in a transaction of its own, for which nobody should have to wait. */
const maxStepMs = 2000;

/**
 * Before changes that hold many rows for long. Answers with what refuses to go on when they have taken
 * too long together.
 */
export async function beginSeveral(tx: Tx, { organizationId }: Held): Promise<() => void> {
  await waitForMemberChanges(tx, organizationId);
  return limitSeveral(tx);
}

/** The same where removals have been waited for. */
export function limitSeveral(tx: Tx): () => void {
  const isOver = startTimer(tx, maxMs);
  return () => {
    if (isOver()) throw new AppError("unavailable", "several_too_slow");
  };
}

/** The same for one step of many. Answers with what tells when the rest is left to the next. */
export async function beginStep(tx: Tx, { organizationId }: Held): Promise<() => boolean> {
  await waitForMemberChanges(tx, organizationId);
  return startTimer(tx, maxStepMs);
}

type Held = Pick<Caller, "organizationId">;

function startTimer(tx: Tx, ms: number): () => boolean {
  const began = removalsWaitSince(tx);
  return () => performance.now() - began > ms;
}

/**
 * Makes a change to each of several records, one after the other, in one transaction. When any is
 * refused, nothing is changed, and the refusal names every one of them.
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
        // The statement that refused one before ended the transaction: the rest cannot be tried.
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
