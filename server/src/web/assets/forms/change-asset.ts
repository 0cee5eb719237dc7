import type { DataSource, EntityManager } from "typeorm";
import type { AssetChange } from "../../../domain/assets/asset-answers.js";
import type { Caller } from "../../../domain/access/caller.js";
import { toPageWords } from "../../text/field-labels.js";
import { submitChange } from "../../forms/submit-change.js";
import type { FormError } from "../../layout/parts.js";
import { toAssetErrors } from "./asset-errors.js";

export type AssetOutcome<Version> =
  /** Undefined when everything was so already, as of a form that is sent twice. */
  | { change: AssetChange | undefined }
  /** With the version to send the form with the next time. */
  | { errors: FormError[]; isStale: boolean; version: Version | number };

/** Changes an asset as a form asks for it, made on a version; `work` may be tried without one. */
export async function changeAsset<Version extends number | undefined>(
  db: DataSource,
  caller: Caller,
  version: Version,
  work: (tx: EntityManager, version: number | undefined) => Promise<AssetChange>,
): Promise<AssetOutcome<Version>> {
  const outcome = await submitChange(db, caller, {
    work: (tx) => work(tx, version),
    anew: (tx) => work(tx, undefined),
    toErrors: (error) => toAssetErrors(caller, error),
  });
  if ("change" in outcome) return outcome;
  const { errors, version: newVersion } = outcome;
  return { errors, isStale: newVersion !== undefined, version: newVersion ?? version };
}

/** A sentence with what the domain warns of behind it. */
export function withWarnings(sentence: string, warnings: readonly string[]): string {
  return [sentence, ...warnings.map(toPageWords)].join(" ");
}
