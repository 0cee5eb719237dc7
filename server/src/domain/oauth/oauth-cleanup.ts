import type { Database } from "../../db/database.js";
import { deleteInBatches, updateInBatches } from "../history/batches.js";
import { defaultRetention, type Retention } from "../shared/retention.js";
import { replayToleranceSeconds } from "./refresh-replay.js";

/**
 * Apps start over if the person never agreed, but can't recover after an approval. Clients with an
 * open consent page are excluded.
 */
const isUnused = `first_consented_at IS NULL AND NOT built_in
  AND NOT EXISTS (SELECT 1 FROM oauth_connections c WHERE c.client_id = oauth_clients.id)
  AND NOT EXISTS (SELECT 1 FROM oauth_authorization_requests r WHERE r.client_id = oauth_clients.id)`;

export async function cleanUpAuthorization(
  db: Database,
  { usedTokens, unusedClients, unusedClientBytes, audit }: Retention = defaultRetention,
): Promise<void> {
  const clean = (table: string, condition: string, ...parameters: unknown[]) =>
    deleteInBatches(db, table, condition, parameters);
  await clean("oauth_authorization_requests", "created_at < app_now() - interval '1 hour'");
  await clean("oauth_authorization_codes", "expires_at < app_now() - interval '1 hour'");
  await clean("oauth_access_tokens", "expires_at < app_now() - interval '1 day'");
  // Used tokens are retained long, because they reveal theft.
  await clean(
    "oauth_refresh_tokens",
    "rotated_at < app_now() - make_interval(days => $1)",
    usedTokens,
  );
  await clean(
    "oauth_clients",
    `${isUnused} AND created_at < app_now() - make_interval(days => $1)`,
    unusedClients,
  );
  await trimUnusedClients(db, unusedClientBytes);
  if (audit > 0) {
    // Tokens cascade with their connection. They can be many, so they are deleted first.
    await clean(
      "oauth_connections",
      `least(revoked_at, expires_at) < app_now() - make_interval(days => $1) AND NOT EXISTS (
         SELECT 1 FROM oauth_refresh_tokens r
         WHERE r.organization_id = oauth_connections.organization_id
           AND r.connection_id = oauth_connections.id AND r.rotated_at IS NOT NULL)`,
      audit,
    );
  }
  // One hour is the maximum grace period that an operator can set.
  await forgetSuccessorsWhere(db, "rotated_at < app_now() - interval '1 hour'");
}

/**
 * Deletes successors whose grace period has passed. Runs each minute, so a clock that is set back
 * later finds none. Checks only the last hours, because used tokens are many.
 * `cleanUpAuthorization` deletes the rest.
 */
export async function forgetSuccessors(db: Database, graceSeconds: number): Promise<void> {
  const seconds = Math.max(graceSeconds, replayToleranceSeconds);
  await forgetSuccessorsWhere(
    db,
    `rotated_at < app_now() - interval '${seconds} seconds'
     AND rotated_at > app_now() - interval '2 hours'`,
  );
}

/** Keeps successors with a `rotation_id` until they are used or their row is deleted. */
async function forgetSuccessorsWhere(db: Database, condition: string): Promise<void> {
  await updateInBatches(
    db,
    "oauth_refresh_tokens",
    "successor_encrypted = NULL",
    `successor_encrypted IS NOT NULL AND rotation_id_hash IS NULL AND ${condition}`,
  );
}

/** Counts registered bytes and trims unused clients after a certain amount. */
export function createUnusedClientLimit(
  db: Database,
  { unusedClientBytes }: Retention,
): (added: number) => Promise<void> {
  let since = 0;
  return async (added) => {
    since += added;
    if (since < unusedClientBytes / 16) return;
    since = 0;
    await trimUnusedClients(db, unusedClientBytes);
  };
}

async function trimUnusedClients(db: Database, maxBytes: number): Promise<void> {
  const row = await db.maybe<{ until: string | null }>(
    `SELECT max(created_at)::text AS until FROM (
       SELECT created_at, sum(pg_column_size(k)) OVER (ORDER BY created_at DESC, id) AS bytes
       FROM oauth_clients k WHERE first_consented_at IS NULL AND NOT built_in) AS unused
     WHERE bytes > $1`,
    [maxBytes],
  );
  const until = row?.until ?? null;
  if (until === null) return;
  const condition = `${isUnused} AND created_at <= $1::timestamptz`;
  await deleteInBatches(db, "oauth_clients", condition, [until]);
}
