import type { DataSource, EntityManager } from "typeorm";
import { hashSecret } from "../secrets.js";

/** Both limits of a session's life, told by the database's clock. */
const alive =
  "last_used_at > now() - interval '12 hours' AND created_at > now() - interval '30 days'";

/** The longest a session lasts, however much it is used. */
export const sessionLifeMs = 30 * 24 * 60 * 60_000;

export interface StoredSession {
  /** The signed-in person; null while nobody has signed in. */
  userId: string | null;
  data: Record<string, unknown>;
}

/** The session of an id that a browser holds. Finding it notes, once a minute, that it is in use. */
export async function findSession(
  db: EntityManager,
  sessionId: string,
): Promise<StoredSession | undefined> {
  const idHash = hashSecret(sessionId);
  const rows: (StoredSession & { isStale: boolean })[] = await db.query(
    `SELECT user_id AS "userId", data, last_used_at < now() - interval '1 minute' AS "isStale"
     FROM sessions WHERE id_hash = $1 AND ${alive}`,
    [idHash],
  );
  const row = rows[0];
  if (row === undefined) return undefined;
  if (row.isStale) {
    await db.query(
      `WITH used AS (UPDATE sessions SET last_used_at = now() WHERE id_hash = $1 RETURNING user_id)
       UPDATE organization_members m SET last_active_at = now()
       FROM used WHERE m.user_id = used.user_id AND m.removed_at IS NULL`,
      [idHash],
    );
  }
  return { userId: row.userId, data: row.data };
}

/** Stores a session under the hash of its id. */
export async function addSession(
  db: EntityManager,
  sessionId: string,
  { userId, data }: StoredSession,
): Promise<void> {
  await db.query(
    `INSERT INTO sessions (id_hash, user_id, data) VALUES ($1, $2, $3)
     ON CONFLICT ON CONSTRAINT sessions_pkey
       DO UPDATE SET user_id = excluded.user_id, data = excluded.data, last_used_at = now()`,
    [hashSecret(sessionId), userId, JSON.stringify(data)],
  );
}

/** Changes a stored session. One that was ended meanwhile stays ended. */
export async function updateSession(
  db: EntityManager,
  sessionId: string,
  { userId, data }: StoredSession,
): Promise<void> {
  await db.query(
    `UPDATE sessions SET user_id = $2, data = $3, last_used_at = now() WHERE id_hash = $1`,
    [hashSecret(sessionId), userId, JSON.stringify(data)],
  );
}

export async function endSession(db: EntityManager, sessionId: string): Promise<void> {
  await db.query("DELETE FROM sessions WHERE id_hash = $1", [hashSecret(sessionId)]);
}

/** Signs a person out of every browser. */
export async function endSessionsOf(db: EntityManager, userId: string): Promise<void> {
  await db.query("DELETE FROM sessions WHERE user_id = $1", [userId]);
}

/** Removes the sessions that have ended by themselves. */
export async function cleanUpSessions(db: EntityManager | DataSource): Promise<void> {
  await db.query(`DELETE FROM sessions WHERE NOT (${alive})`);
}
