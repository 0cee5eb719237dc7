import type { Tx } from "../../db/database.js";
import type { AuditSigner } from "./audit-signer.js";
import { chainOf } from "./read-chain.js";

/** Returns chains whose end isn't their last entry. This is fast however long they are. */
export async function findWrongEnds(db: Tx): Promise<string[]> {
  const rows = await db.query<{ id: string }>(`SELECT c.id FROM audit_chains c LEFT JOIN LATERAL (
       SELECT sequence, hash FROM activity_log WHERE ${chainOf} = c.id AND sequence IS NOT NULL
       ORDER BY ${chainOf} DESC, sequence DESC LIMIT 1) l ON TRUE
     WHERE (l.sequence, l.hash) IS DISTINCT FROM (c.sequence, c.hash)
       AND NOT EXISTS (SELECT FROM audit_checkpoints p WHERE p.chain = c.id AND p.kind = 'start'
         AND p.sequence = c.sequence AND p.hash = c.hash AND l.sequence IS NULL)
     ORDER BY c.id`);
  return rows.map(({ id }) => id);
}

export async function countSignatures(
  db: Tx,
  { publicKeys }: AuditSigner,
): Promise<{ own: number; foreign: number }> {
  const counts = await db.maybe<{ own: number; foreign: number }>(
    `SELECT count(*) FILTER (WHERE public_key = ANY ($1::text[]))::int AS own,
       count(*) FILTER (WHERE public_key <> ALL ($1::text[]))::int AS foreign
     FROM audit_checkpoints`,
    [publicKeys],
  );
  return counts ?? { own: 0, foreign: 0 };
}

export function describeForeignSignatures(foreign: number): string {
  return `${foreign} signatures are by keys that SECRET_KEYS does not have: these are other keys than this database was used with`;
}
