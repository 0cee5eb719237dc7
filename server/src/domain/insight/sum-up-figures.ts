import type { Database, Tx } from "../../db/database.js";
import { commit } from "../history/transactions.js";
import { forEachApart } from "../../db/for-each-apart.js";

/** How many differences one transaction takes together. */
const batchSize = 10_000;

/**
 * Adds the differences that changes have written to the sums of their workspace and organization.
 * Figures are the same before and after; there are fewer rows to add up.
 */
export async function sumUpFigures(db: Database): Promise<void> {
  const organizations = await db.query<{
    organization_id: string;
  }>(`SELECT o.id AS organization_id FROM organizations o WHERE EXISTS (
       SELECT FROM figures f WHERE f.organization_id = o.id AND f.level = 0)`);
  await forEachApart(organizations, async ({ organization_id: id }) => {
    while ((await commit({ db, caller: null }, (tx) => sumUp(tx, id))) === batchSize);
  });
}

/**
 * Two nodes may do so at the same time: each takes differences that the other has not. By their places,
 * as statistics of the table were often made while there were none.
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
