import type { DataSource } from "typeorm";
import { commit } from "../sql/transactions.js";

const batchSize = 1000;

/** Any number, the same on every node: who holds it cleans up. */
const lockKey = 7_336_215;

/** What goes when. Used refresh tokens stay long: without them nobody notices that one was stolen. */
const steps = [
  batch("oauth_authorization_requests", "created_at < fettle_now() - interval '1 hour'"),
  batch("oauth_authorization_codes", "expires_at < fettle_now() - interval '1 hour'"),
  batch("oauth_access_tokens", "expires_at < fettle_now() - interval '1 day'"),
  batch("oauth_refresh_tokens", "rotated_at < fettle_now() - interval '180 days'"),
  // An app whose person never agreed starts over anyway; one that was ever approved cannot.
  batch(
    "oauth_clients",
    `first_consented_at IS NULL AND NOT built_in AND created_at < fettle_now() - interval '14 days'
     AND NOT EXISTS (SELECT 1 FROM oauth_connections c WHERE c.client_id = oauth_clients.id)`,
  ),
  // One hour is the longest time an operator can set for handing a successor out again. Who named
  // the refresh may ask until the successor is used, or the row above goes.
  `UPDATE oauth_refresh_tokens SET successor_encrypted = NULL WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM oauth_refresh_tokens
     WHERE successor_encrypted IS NOT NULL AND rotation_id_hash IS NULL
       AND rotated_at < fettle_now() - interval '1 hour'
     LIMIT ${batchSize} FOR UPDATE SKIP LOCKED))`,
];

function batch(table: string, condition: string): string {
  return `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${batchSize} FOR UPDATE SKIP LOCKED))`;
}

/** Removes what authorization left behind, in short transactions and on one node at a time. */
export async function cleanUpAuthorization(db: DataSource): Promise<void> {
  for (const statement of steps) {
    let removed = batchSize;
    while (removed === batchSize) removed = await runBatch(db, statement);
  }
}

async function runBatch(db: DataSource, statement: string): Promise<number> {
  return commit(db, async (tx) => {
    const [lock]: { held: boolean }[] = await tx.query(
      `SELECT pg_try_advisory_xact_lock($1) AS held`,
      [lockKey],
    );
    if (lock?.held !== true) return 0;
    const [, count]: [unknown, number] = await tx.query(statement);
    return count;
  });
}
