import type { Tx } from "../../db/database.js";
import { ChangeSetRow } from "../../db/entities/history.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { beginSeveral } from "./change-all.js";
import { inSavepoint } from "./savepoints.js";
import type { Change } from "./record-events.js";
import { countAmount, checkWriteQuota } from "../../traffic/write-quota.js";
import { toStoredError, type StoredError } from "../shared/refusals.js";
import { createChangeSet, updateChangeSet } from "./change-sets.js";
import { toCounted, type Counted } from "./counted.js";

export interface ChosenRecord {
  id: string;
  name: string;
}

export interface ManyChanged {
  /** The change set's id. */
  id: string;
  changed: number;
  /** Records that already had these values. */
  same: number;
  refused: number;
  /** The distinct reasons for refusals. */
  reasons: StoredError[];
}

export interface RefusedDetails {
  problems: StoredError[];
}

interface ManyChanges {
  noun: Counted["counted"]["noun"];
  records: readonly ChosenRecord[];
  change: (caller: Caller, id: string) => Promise<{ changed: readonly Change[] }>;
}

/** Bytes counted for each refused record. */
const eachRefused = 1000;

/**
 * Changes records one after another as one change set, which is undone as a whole. Refused records
 * stay unchanged. If the caller may change none of them, no set is stored.
 */
export async function changeMany(
  tx: Tx,
  caller: Caller,
  { noun, records, change }: ManyChanges,
): Promise<ManyChanged> {
  checkWriteQuota(caller);
  const refuseTooLong = await beginSeveral(tx, caller);
  const id = await createChangeSet(tx, caller, {
    kind: "bulk",
    state: "applying",
    ...toCounted(records.length, noun),
  });
  const counts = { changed: 0, same: 0, refused: 0 };
  const forbidden: AppError[] = [];
  const reasons = new Map<string, StoredError>();
  // Everyone locks in id order.
  const inOrder = records.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  for (const record of inOrder) {
    refuseTooLong();
    const result = await inSavepoint(tx, () => change({ ...caller, changeSetId: id }, record.id));
    if (!(result instanceof AppError)) {
      counts[result.changed.length > 0 ? "changed" : "same"] += 1;
      continue;
    }
    counts.refused += 1;
    if (result.code === "forbidden") forbidden.push(result);
    const problem = toStoredError(result);
    reasons.set(JSON.stringify(problem), problem);
    const details: RefusedDetails = { problems: [problem] };
    await tx.insert(ChangeSetRow, {
      organization_id: caller.organizationId,
      change_set_id: id,
      line: counts.refused,
      outcome: "wrong",
      subject_id: record.id,
      name: record.name.slice(0, 300),
      details,
    });
  }
  countAmount(caller, eachRefused * counts.refused);
  const [refusal] = forbidden;
  if (refusal !== undefined && forbidden.length === records.length) throw refusal;
  await updateChangeSet(tx, caller, id, { state: "applied", counts });
  return { id, ...counts, reasons: [...reasons.values()] };
}
