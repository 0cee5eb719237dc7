import type { Database } from "../../db/database.js";
import type { AuditCheckpoint } from "../../db/entities/audit.js";
import { isOnlyCleaner } from "../history/batches.js";
import { commit } from "../history/transactions.js";
import { forEachInOwnTransaction } from "../../db/for-each-in-own-transaction.js";
import type { Retention } from "../shared/retention.js";
import type { AuditSigner } from "./audit-signer.js";
import { chainCountedLines, signChains, signStart } from "./checkpoints.js";
import { chainOf } from "./read-chain.js";
import { openBeginning } from "./verify-chain.js";

/** Completes and signs the chains, and removes old entries from their start. */
export async function keepAudit(
  db: Database,
  { audit }: Pick<Retention, "audit">,
  signer: AuditSigner,
): Promise<void> {
  await chainCountedLines(db);
  await signChains(db, signer);
  if (audit === 0) return;
  const outlived = await db.query<{ chain: string }>(
    `SELECT c.id AS chain FROM audit_chains c CROSS JOIN LATERAL (
       SELECT created_at FROM activity_log WHERE ${chainOf} = c.id AND sequence IS NOT NULL
       ORDER BY ${chainOf}, sequence LIMIT 1) first
     WHERE first.created_at < app_now() - make_interval(days => $1)`,
    [audit],
  );
  await forEachInOwnTransaction(outlived, async ({ chain }) => {
    let removed = batchSize;
    while (removed === batchSize) removed = await removeOutlived(db, signer, { chain, audit });
  });
}

const batchSize = 1000;

/**
 * Removes the oldest expired entries of a chain, at most a thousand, and signs the new start in one
 * transaction. No entry is ever before the start. Throws and removes nothing if an entry isn't as
 * written, because a signature would hide tampering.
 */
function removeOutlived(
  db: Database,
  signer: AuditSigner,
  { chain, audit }: { chain: string; audit: number },
): Promise<number> {
  return commit({ db, caller: null }, async (tx) => {
    if (!(await isOnlyCleaner(tx))) return 0;
    const { start, findProblems } = await openBeginning(tx, signer, chain);
    const last = await tx.maybe<Pick<AuditCheckpoint, "sequence" | "hash"> & { count: number }>(
      `SELECT sequence, hash, row_number() OVER (ORDER BY sequence)::int AS count FROM (
           SELECT sequence, hash,
             bool_or(created_at >= app_now() - make_interval(days => $3)) OVER (ORDER BY sequence)
               AS is_young
           FROM (SELECT sequence, hash, created_at FROM activity_log
             WHERE ${chainOf} = $1 AND sequence > $2::bigint
             ORDER BY ${chainOf}, sequence LIMIT ${batchSize}) first) l
         WHERE NOT is_young ORDER BY sequence DESC LIMIT 1`,
      [chain, start.sequence, audit],
    );
    if (last !== undefined) {
      const [problem] = await findProblems(Number(last.sequence));
      if (problem !== undefined) {
        throw new Error(`Nothing old was removed from the audit chain ${chain}: ${problem}.`);
      }
      await signStart(tx, signer, { chain, ...last });
    }
    const before = [chain, last?.sequence ?? start.sequence];
    await tx.query(
      `DELETE FROM activity_log WHERE ${chainOf} = $1 AND sequence <= $2::bigint`,
      before,
    );
    await tx.query("DELETE FROM audit_checkpoints WHERE chain = $1 AND sequence < $2", before);
    return last?.count ?? 0;
  });
}
