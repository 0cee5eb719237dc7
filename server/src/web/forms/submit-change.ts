import type { DataSource, EntityManager } from "typeorm";
import type { Caller } from "../../domain/access/caller.js";
import { commit, dryRun } from "../../domain/sql/transactions.js";
import { AppError } from "../../errors.js";
import { isOwnChange, newVersionOf } from "./forms.js";
import type { FormError } from "../layout/parts.js";

export type FormOutcome<Change> =
  /** Undefined when everything was so already, as of a form that is sent twice. */
  | { change: Change | undefined }
  /** With the version to send the form with the next time, when it was an older one. */
  | { errors: FormError[]; version: number | undefined };

interface FormChange<Change> {
  /** As the form asks for it, on the version that it was made on. */
  work: (tx: EntityManager) => Promise<Change>;
  /** The same on whatever version there is; it is only tried. */
  anew: (tx: EntityManager) => Promise<Change>;
  toErrors: (error: unknown) => FormError[];
}

/** Makes the change that a form asks for, once: sent again by the same person, it is done already. */
export async function submitChange<Change extends { changed: readonly unknown[] }>(
  db: DataSource,
  caller: Caller,
  { work, anew, toErrors }: FormChange<Change>,
): Promise<FormOutcome<Change>> {
  try {
    return { change: await commit(db, work) };
  } catch (error) {
    const version = newVersionOf(error);
    const isRepeated = version !== undefined && isOwnChange(error, caller);
    if (isRepeated && (await isNoop(db, anew))) return { change: undefined };
    return { errors: toErrors(error), version };
  }
}

/** Whether a change made on an older version asks for nothing that is not there by now. */
async function isNoop<Change extends { changed: readonly unknown[] }>(
  db: DataSource,
  anew: (tx: EntityManager) => Promise<Change>,
): Promise<boolean> {
  try {
    const { changed } = await dryRun(db, anew);
    return changed.length === 0;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
