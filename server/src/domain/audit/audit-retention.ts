import type { DataSource } from "typeorm";
import type { AuditCheckpoint } from "../../db/entities/audit-checkpoint.js";
import { deleteInBatches } from "../changes/batches.js";
import type { Retention } from "../values/retention.js";
import type { AuditSigner } from "./audit-signer.js";
import { chainCountedLines, signChains, signStart } from "./checkpoints.js";
import { forEachApart } from "../sql/for-each-apart.js";
import { chainOf } from "./read-chain.js";

/** Completes and signs the chains, and removes old entries from their beginnings. */
export async function keepAudit(
  db: DataSource,
  { audit }: Pick<Retention, "audit">,
  signer: AuditSigner,
): Promise<void> {
  await chainCountedLines(db);
  await signChains(db, signer);
  if (audit === 0) return;
  const outlived: Pick<AuditCheckpoint, "chain" | "sequence" | "hash">[] = await db.query(
    `SELECT c.id AS chain, l.sequence, l.hash FROM audit_chains c
     LEFT JOIN LATERAL (
       SELECT sequence FROM activity_log WHERE ${chainOf} = c.id AND sequence IS NOT NULL
         AND created_at >= fettle_now() - make_interval(days => $1)
       ORDER BY ${chainOf}, sequence LIMIT 1) young ON TRUE
     CROSS JOIN LATERAL (
       SELECT sequence, hash FROM activity_log WHERE ${chainOf} = c.id
         AND sequence < coalesce(young.sequence, c.sequence + 1)
       ORDER BY ${chainOf} DESC, sequence DESC LIMIT 1) l`,
    [audit],
  );
  await forEachApart(outlived, async (last) => {
    await signStart(db.manager, signer, last);
    const before = [last.chain, last.sequence];
    await deleteInBatches(db, "activity_log", `${chainOf} = $1 AND sequence <= $2::bigint`, before);
    await db.query("DELETE FROM audit_checkpoints WHERE chain = $1 AND sequence < $2", before);
  });
}
