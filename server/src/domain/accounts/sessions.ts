import type { Database, Tx } from "../../db/database.js";
import { Session } from "../../db/entities/accounts.js";
import { PushSubscription } from "../../db/entities/messaging.js";
import { readerColumns, toReader, type Reader, type ReaderRow } from "./reader.js";
import { recordActivity, type Origin } from "../audit/record-activity.js";
import { deleteInBatches } from "../history/batches.js";
import { commit } from "../history/transactions.js";
import { lockAccount } from "../../db/locks.js";
import { requiresSsoSql } from "./sso-required-sql.js";
import { hasSecondFactorSql, isBoundBeforeFactorsSql } from "./second-factor-sql.js";
import { hashSecret } from "../shared/secrets.js";
import {
  hasOwnFactor,
  isFirstWayAlone,
  isOwnFactorLeftOut,
  type SignInProof,
} from "../shared/sign-in-proof.js";

/** Both limits of a session's lifetime, by the database clock. */
export const liveSessionSql =
  "last_used_at > app_now() - interval '12 hours' AND created_at > app_now() - interval '30 days'";

/** Per person. The least recently used session is evicted. */
export const maxSessions = 100;

export const sessionLifeMs = 30 * 24 * 60 * 60_000;

export type StoredSession = Pick<Session, "user_id" | "data">;

/** A session to store, with facts known only at sign-in. Later updates don't change its origin. */
export type SessionToStore = StoredSession & {
  origin?: Origin | undefined;
  /** When the password used was set, in milliseconds. */
  passwordChangedAt?: number | undefined;
  /**
   * True if the session starts with a sign-in, which is recorded, and doesn't continue another
   * session.
   */
  isSignIn?: boolean | undefined;
};

/**
 * Returns the session of a browser's session id, with its active person. Records its use once a
 * minute.
 */
export async function findSession(
  db: Tx,
  sessionId: string,
): Promise<{ person: Reader; data: StoredSession["data"] } | undefined> {
  const idHash = hashSecret(sessionId);
  const row = await db.maybe<ReaderRow & Pick<Session, "data"> & { is_stale: boolean }>(
    `SELECT u.*, data, last_used_at < app_now() - interval '1 minute' AS is_stale FROM sessions
     JOIN (SELECT ${readerColumns} FROM users WHERE deactivated_at IS NULL) u ON u.id = user_id
     WHERE id_hash = $1 AND ${liveSessionSql}`,
    [idHash],
  );
  if (row === undefined) return undefined;
  if (row.is_stale) {
    // Locked rows are skipped, so no request waits. The next use is recorded again.
    await db.query(
      `WITH used AS (UPDATE sessions SET last_used_at = app_now()
         WHERE id_hash IN (SELECT id_hash FROM sessions WHERE id_hash = $1 FOR NO KEY UPDATE SKIP LOCKED)
         RETURNING user_id),
       ${noteActive("m.user_id IN (SELECT user_id FROM used)")}`,
      [idHash],
    );
  }
  return { person: toReader(row), data: row.data };
}

/**
 * The end of a statement after WITH: records people as active in all their organizations. `isMeant`
 * selects them.
 */
function noteActive(isMeant: string): string {
  return `free AS (SELECT m.organization_id, m.user_id FROM organization_members m
      WHERE ${isMeant} AND m.removed_at IS NULL FOR NO KEY UPDATE OF m SKIP LOCKED)
    UPDATE organization_members m SET last_active_at = app_now()
    FROM free WHERE m.organization_id = free.organization_id AND m.user_id = free.user_id`;
}

/**
 * Stores a session under the hash of its id. Stores nothing if the sign-in is outdated: a second
 * factor was added or removed, the password changed, or a provider became the only way in. A
 * provider's factors don't count if the person got their own after the binding. Setting up the
 * first factor, changing the password, joining and removing all factors end earlier sessions.
 */
export async function addSession(
  db: Database,
  sessionId: string,
  session: SessionToStore,
): Promise<void> {
  const proof = session.data["signedInBy"] as SignInProof;
  const { user_id: userId, passwordChangedAt, origin } = session;
  const chosenAt = passwordChangedAt === undefined ? null : new Date(passwordChangedAt);
  const values = [...toValues(sessionId, session), isFirstWayAlone(proof), chosenAt];
  await commit({ db, caller: null }, async (tx) => {
    // Store nothing for a person who was erased or deactivated meanwhile.
    if (!(await lockAccount(tx, userId, { active: true }))) return;
    const stored = await tx.maybe<{ is_new: boolean }>(
      `INSERT INTO sessions AS s (id_hash, user_id, data, user_agent, ip_address)
       SELECT $1, u.id, $3, $4, $5 FROM users u
       WHERE u.id = $2::text AND NOT ($6 AND ${hasSecondFactorSql("$2::text")})
         AND ($8 OR NOT ${requiresSsoSql("u")}) AND (NOT $9 OR ${hasSecondFactorSql("$2::text")})
         AND ($10::text IS NULL OR NOT ${isBoundBeforeFactorsSql("$10::text", "$2::text")})
         AND ($7::timestamptz IS NULL OR EXISTS (SELECT FROM user_passwords p
           WHERE p.user_id = $2::text AND date_trunc('milliseconds', p.changed_at) = $7))
       ON CONFLICT ON CONSTRAINT sessions_pkey
         DO UPDATE SET user_id = excluded.user_id, data = excluded.data, last_used_at = app_now(),
           user_agent = coalesce(excluded.user_agent, s.user_agent),
           ip_address = coalesce(excluded.ip_address, s.ip_address)
       RETURNING xmax = 0 AS is_new`,
      [
        ...values,
        proof.method === "provider",
        hasOwnFactor(proof),
        isOwnFactorLeftOut(proof) ? proof.factorsOf : null,
      ],
    );
    if (stored?.is_new !== true) return;
    await tx.query(`WITH ${noteActive("m.user_id = $1")}`, [userId]);
    // Repeated sign-ins evict the person's oldest sessions, so their number is bounded.
    await tx.query(
      `DELETE FROM sessions WHERE id_hash IN (SELECT id_hash FROM sessions WHERE id_hash IN (
         SELECT id_hash FROM sessions WHERE user_id = $1 AND id_hash <> $2 ORDER BY last_used_at DESC, id_hash
         OFFSET ${maxSessions - 1}) FOR UPDATE SKIP LOCKED)`,
      [userId, hashSecret(sessionId)],
    );
    if (session.isSignIn === true) await recordSignIn(tx, userId, proof, origin);
  });
}

/** Updates a stored session. A session that was ended meanwhile stays ended. */
export async function updateSession(
  db: Tx,
  sessionId: string,
  session: SessionToStore,
): Promise<void> {
  await db.query(
    `UPDATE sessions SET user_id = $2, data = $3, last_used_at = app_now(),
       user_agent = coalesce($4, user_agent), ip_address = coalesce($5, ip_address)
     WHERE id_hash = $1`,
    toValues(sessionId, session),
  );
}

/**
 * Moves the session to a new id, as after a new sign-in. If a provider is now the only way in,
 * other sessions keep their original end. A session that was ended meanwhile stays ended.
 */
export async function moveSession(db: Tx, sessionId: string, newId: string): Promise<void> {
  await db.query(
    `UPDATE sessions SET id_hash = $2, created_at = CASE
       WHEN data #>> '{signedInBy,method}' IS DISTINCT FROM 'provider' AND ${requiresSsoSql("u")}
       THEN sessions.created_at ELSE app_now() END
     FROM users u WHERE id_hash = $1 AND u.id = user_id`,
    [hashSecret(sessionId), hashSecret(newId)],
  );
}

function toValues(sessionId: string, { user_id: userId, data, origin }: SessionToStore): unknown[] {
  return [
    hashSecret(sessionId),
    userId,
    JSON.stringify(data),
    origin?.userAgent?.slice(0, 300) ?? null,
    origin?.ipAddress ?? null,
  ];
}

export async function hasSession(db: Tx, sessionId: string): Promise<boolean> {
  return db.exists(Session, { id_hash: hashSecret(sessionId) });
}

/**
 * Returns false if the session had already ended. Nothing may then be written about a person who
 * was erased.
 */
export async function endSession(db: Tx, sessionId: string): Promise<boolean> {
  return (await db.delete(Session, { id_hash: hashSecret(sessionId) })) === 1;
}

/** Signs a person out of every browser and revokes calendar addresses and push subscriptions. */
export async function endSessionsOf(tx: Tx, userId: string): Promise<void> {
  await tx.delete(Session, { user_id: userId });
  await tx.delete(PushSubscription, { user_id: userId });
  await endCalendarAddresses(tx, userId);
}

/**
 * Ends sessions from other sign-in methods if an identity provider is now the person's only way in.
 */
export async function endSessionsOfOtherWays(tx: Tx, userId: string): Promise<void> {
  // A concurrent sign-in either finished before this or sees the membership.
  await lockAccount(tx, userId);
  await tx.query(
    `DELETE FROM sessions s USING users u WHERE u.id = $1 AND s.user_id = u.id
       AND s.data #>> '{signedInBy,method}' IS DISTINCT FROM 'provider' AND ${requiresSsoSql("u")}`,
    [userId],
  );
}

/**
 * Covers all organizations: an intruder could otherwise read an address created in the person's
 * name forever.
 */
async function endCalendarAddresses(tx: Tx, userId: string): Promise<void> {
  const ended = await tx.query<{ organization_id: string; name: string }>(
    `DELETE FROM calendar_feeds f USING users u WHERE f.user_id = $1 AND u.id = f.user_id
     RETURNING f.organization_id, u.name`,
    [userId],
  );
  for (const { organization_id: organizationId, name: actorName } of ended) {
    const details = { signed_out: true };
    const type = "calendar_address_revoked";
    await recordActivity(tx, { organizationId, userId, actorName, type, details });
  }
}

/**
 * Signs a person out of every browser but one, without a sign-out entry in the activity log.
 * Revokes calendar addresses and push subscriptions. Returns the number of sessions ended, without expired ones.
 */
export async function deleteOtherSessions(
  tx: Tx,
  userId: string,
  currentSessionId: string,
): Promise<number> {
  const ended = await tx.query<{ alive: boolean }>(
    `DELETE FROM sessions WHERE user_id = $1 AND id_hash <> $2 RETURNING ${liveSessionSql} AS alive`,
    [userId, hashSecret(currentSessionId)],
  );
  await tx.delete(PushSubscription, { user_id: userId });
  await endCalendarAddresses(tx, userId);
  return ended.filter((session) => session.alive).length;
}

export async function cleanUpSessions(db: Database): Promise<void> {
  await deleteInBatches(db, "sessions", `NOT (${liveSessionSql})`);
}

async function recordSignIn(
  tx: Tx,
  userId: string,
  proof: SignInProof,
  origin: Origin | undefined,
): Promise<void> {
  const person = await tx.maybe<{ name: string }>(
    "UPDATE users SET last_login_at = app_now() WHERE id = $1 RETURNING name",
    [userId],
  );
  const actorName = person?.name ?? "";
  await recordActivity(tx, { userId, actorName, type: "signed_in", details: { ...proof }, origin });
}
