import { And, Equal, Not, type Tx } from "../../db/database.js";
import { Session } from "../../db/entities/accounts.js";
import { AppError } from "../../errors.js";
import { lockSession } from "../access/lock-session.js";
import { recordActivity, type Origin } from "../audit/record-activity.js";
import { omit } from "../shared/omit.js";
import { hashSecret } from "../shared/secrets.js";
import { deleteOtherSessions, liveSessionSql, maxSessions } from "./sessions.js";

export interface SessionRow extends Pick<
  Session,
  "user_agent" | "ip_address" | "created_at" | "last_used_at"
> {
  /** Identifies the session to its person. It can't be used to sign in. */
  id: string;
  is_current: boolean;
}

/** Returns a person's sessions: the current one first, then by last use. */
export async function findSessionsOf(
  db: Tx,
  userId: string,
  currentSessionId: string,
): Promise<SessionRow[]> {
  return db.query(
    `SELECT ${shown} FROM sessions WHERE user_id = $1 AND ${liveSessionSql}
     ORDER BY id_hash = $2 DESC, last_used_at DESC, id_hash LIMIT ${maxSessions}`,
    [userId, hashSecret(currentSessionId)],
  );
}

const shown = `encode(id_hash, 'hex') AS id, id_hash = $2 AS is_current, user_agent,
  ip_address, created_at, last_used_at`;

/** Returns one of a person's other sessions. The current session signs out instead. */
export async function getOtherSession(
  db: Tx,
  userId: string,
  currentSessionId: string,
  id: string,
): Promise<SessionRow> {
  const row = await db.maybe<SessionRow>(
    `SELECT ${shown} FROM sessions
     WHERE user_id = $1 AND id_hash = $3 AND id_hash <> $2 AND ${liveSessionSql}`,
    [userId, hashSecret(currentSessionId), toHash(id)],
  );
  if (row !== undefined) return row;
  throw new AppError("not_found", "no_such_session");
}

/** An id that isn't a hash matches no session. */
function toHash(id: string): Buffer {
  return /^[0-9a-f]{64}$/.test(id) ? Buffer.from(id, "hex") : Buffer.alloc(0);
}

export interface OwnSession {
  userId: string;
  userName: string;
  currentSessionId: string;
  origin?: Origin | undefined;
}

/** Signs a person out of another browser. Returns false if they weren't signed in there. */
export async function endOtherSession(tx: Tx, own: OwnSession, id: string): Promise<boolean> {
  await lockSession(tx, own.currentSessionId);
  const affected = await tx.delete(Session, {
    user_id: own.userId,
    id_hash: And(Equal(toHash(id)), Not(hashSecret(own.currentSessionId))),
  });
  if (affected === 1) await recordEnd(tx, own, 1);
  return affected === 1;
}

/** Signs a person out everywhere else. Returns the number of browsers. */
export async function endOtherSessions(tx: Tx, own: OwnSession): Promise<number> {
  await lockSession(tx, own.currentSessionId);
  const ended = await deleteOtherSessions(tx, own.userId, own.currentSessionId);
  if (ended > 0) await recordEnd(tx, own, ended);
  return ended;
}

export type SessionLine = Omit<SessionRow, "id" | "is_current">;

/** A person's sessions for the admin command, last used first. */
export async function findSessionsByOperator(db: Tx, userId: string): Promise<SessionLine[]> {
  const sessions = await findSessionsOf(db, userId, "");
  return sessions.map((session) => omit(session, "id", "is_current"));
}

export async function endSessionsByOperator(
  tx: Tx,
  { id: userId, name: actorName }: { id: string; name: string },
): Promise<number> {
  const sessions = await deleteOtherSessions(tx, userId, "");
  const activity = { userId, actorName, type: "signed_out", details: { sessions } } as const;
  if (sessions > 0) await recordActivity(tx, activity);
  return sessions;
}

async function recordEnd(tx: Tx, own: OwnSession, sessions: number): Promise<void> {
  await recordActivity(tx, {
    userId: own.userId,
    actorName: own.userName,
    type: "signed_out",
    details: { other_sessions: sessions },
    origin: own.origin,
  });
}
