import type { DataSource, EntityManager } from "typeorm";
import type { AssetChange } from "../../../domain/assets/asset-answers.js";
import type { Caller } from "../../../domain/caller.js";
import { transact } from "../../../domain/transact.js";
import { AppError } from "../../../errors.js";
import { toPageWords } from "../../field-words.js";
import { isOwnChange, newVersionOf } from "../../forms.js";
import type { FormError } from "../../parts.js";
import { toAssetErrors } from "./asset-errors.js";

export type AssetOutcome =
  /** Undefined when everything was so already, as of a form that is sent twice. */
  | { change: AssetChange | undefined }
  /** With the version to send the form with the next time, when it was an older one. */
  | { errors: FormError[]; version: number | undefined };

/** Changes an asset as a form asks for it, made on a version; `work` may be tried without one. */
export async function changeAsset(
  db: DataSource,
  caller: Caller,
  version: number | undefined,
  work: (tx: EntityManager, version: number | undefined) => Promise<AssetChange>,
): Promise<AssetOutcome> {
  try {
    return { change: await transact(db, false, (tx) => work(tx, version)) };
  } catch (error) {
    const newVersion = newVersionOf(error);
    const isRepeated = newVersion !== undefined && isOwnChange(error, caller);
    if (isRepeated && (await isSoAlready(db, (tx) => work(tx, undefined)))) {
      return { change: undefined };
    }
    return { errors: toAssetErrors(caller, error), version: newVersion };
  }
}

/** Whether a change made on an older version asks for nothing that is not there by now. */
async function isSoAlready(
  db: DataSource,
  work: (tx: EntityManager) => Promise<AssetChange>,
): Promise<boolean> {
  try {
    const { changed } = await transact(db, true, work);
    return changed.length === 0;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** A sentence with what the domain warns of behind it. */
export function withWarnings(sentence: string, warnings: readonly string[]): string {
  return [sentence, ...warnings.map(toPageWords)].join(" ");
}
