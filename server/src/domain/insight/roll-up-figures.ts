import type { Database, Tx } from "../../db/database.js";
import { commit } from "../history/transactions.js";
import { forEachInOwnTransaction } from "../../db/for-each-in-own-transaction.js";

const batchSize = 10_000;

/**
 * Merges the pending differences into the sums per workspace and organization. Figures don't
 * change, but there are fewer rows to add up.
 */
export async function rollUpFigures(db: Database): Promise<void> {
  const organizations = await db.query<{
    organization_id: string;
  }>(`SELECT o.id AS organization_id FROM organizations o WHERE EXISTS (
       SELECT FROM figures f WHERE f.organization_id = o.id AND f.level = 0)`);
  await forEachInOwnTransaction(organizations, async ({ organization_id: id }) => {
    while ((await commit({ db, caller: null }, (tx) => sumUp(tx, id))) === batchSize);
  });
}

/**
 * Safe to run on several nodes: SKIP LOCKED gives each node different rows. Deletes by ctid,
 * because table statistics are often taken while the table has no differences.
 */
async function sumUp(tx: Tx, organizationId: string): Promise<number> {
  const row = await tx.maybe<{ taken: number }>(
    `WITH taken AS (DELETE FROM figures WHERE organization_id = $1 AND ctid = ANY (ARRAY(
         SELECT ctid FROM figures WHERE organization_id = $1 AND level = 0
         LIMIT $2 FOR UPDATE SKIP LOCKED))
       RETURNING *),
     stored AS (INSERT INTO figures AS f
       SELECT organization_id, s.level, kind, place, day, key, 0, sum(n), sum(amount)
       FROM taken, LATERAL (VALUES (1, workspace_id), (2, '')) s (level, place)
       GROUP BY organization_id, s.level, kind, place, day, key ORDER BY s.level, kind, place, day, key
       ON CONFLICT (organization_id, level, kind, workspace_id, day, key, written)
         DO UPDATE SET n = f.n + excluded.n, amount = f.amount + excluded.amount)
     SELECT count(*)::int AS taken FROM taken`,
    [organizationId, batchSize],
  );
  await tx.query(
    "DELETE FROM figures WHERE organization_id = $1 AND level > 0 AND n = 0 AND amount = 0",
    [organizationId],
  );
  return row?.taken ?? 0;
}
