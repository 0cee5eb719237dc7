import type { EntityManager } from "typeorm";
import type { AuditSigner } from "./audit-signer.js";
import { chainOf } from "./read-chain.js";

/** Chains whose end is not the last entry that is there: seen at once, however long they are. */
export async function findWrongEnds(db: EntityManager): Promise<string[]> {
  const rows: { id: string }[] = await db.query(
    `SELECT c.id FROM audit_chains c LEFT JOIN LATERAL (
       SELECT sequence, hash FROM activity_log WHERE ${chainOf} = c.id AND sequence IS NOT NULL
       ORDER BY ${chainOf} DESC, sequence DESC LIMIT 1) l ON TRUE
     WHERE (l.sequence, l.hash) IS DISTINCT FROM (c.sequence, c.hash)
       AND NOT EXISTS (SELECT FROM audit_checkpoints p WHERE p.chain = c.id AND p.kind = 'start'
         AND p.sequence = c.sequence AND p.hash = c.hash AND l.sequence IS NULL)
     ORDER BY c.id`,
  );
  return rows.map(({ id }) => id);
}

/** How many signatures of the audit are by keys that this server does not have. */
export async function countForeignSignatures(
  db: EntityManager,
  { publicKeys }: AuditSigner,
): Promise<number> {
  const rows: { count: number }[] = await db.query(
    "SELECT count(*)::int AS count FROM audit_checkpoints WHERE public_key <> ALL ($1::text[])",
    [publicKeys],
  );
  return rows[0]?.count ?? 0;
}
