import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";

/** SQL: the note of asset `a`'s last change of state, in a statement whose $1 is the organization. */
export const lastStateNote = `(SELECT e.note FROM history_events e
  WHERE e.organization_id = $1 AND e.asset_id = a.id AND e.type = 'asset_state_changed'
  ORDER BY e.occurred_at DESC, e.sequence DESC LIMIT 1)`;

/** Why a visible asset needs repair: the note of its last state, or its latest open report. */
export async function findDownReason(
  db: Tx,
  { organizationId }: Caller,
  assetId: string,
): Promise<string | undefined> {
  const found = await db.maybe<{ reason: string | null }>(
    `SELECT coalesce(${lastStateNote}, (SELECT r.description FROM problem_reports r
       WHERE r.organization_id = $1 AND r.asset_id = a.id AND r.status = 'open'
       ORDER BY r.created_at DESC LIMIT 1)) AS reason
     FROM assets a WHERE a.organization_id = $1 AND a.id = $2`,
    [organizationId, assetId],
  );
  return found?.reason ?? undefined;
}
