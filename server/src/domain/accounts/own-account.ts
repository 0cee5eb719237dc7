import type { Tx } from "../../db/database.js";
import { User, UserPassword } from "../../db/entities/accounts.js";
import { AppError } from "../../errors.js";
import { lockSession } from "../access/lock-session.js";
import { assertUnchanged, contentHash } from "../history/content-hash.js";
import type { Locale } from "../../language/locale.js";
import { cleanTimeZone } from "../shared/time-zones.js";
import { recordActivity, type Origin } from "../audit/record-activity.js";
import { cleanText } from "../shared/text.js";
import { lockAccount } from "../../db/locks.js";
import { findActivePerson } from "./accounts.js";
import type { Reader } from "./reader.js";
import { checkPassword, hashPassword, verifyPassword } from "./passwords.js";
import { endResetLinks } from "./reset-links.js";
import { deleteOtherSessions } from "./sessions.js";

export interface PasswordChange {
  userId: string;
  /** The session that makes the request. All other sessions of the person end. */
  sessionId: string;
  hashes: PasswordHashes;
  origin?: Origin | undefined;
}

interface PasswordHashes {
  current: string;
  next: string;
}

/**
 * Verifies the current password and validates the new one. Call it before the transaction, because
 * hashing waits in a queue.
 */
export async function checkPasswordChange(
  db: Tx,
  userId: string,
  { currentPassword, password }: { currentPassword: string; password: string },
): Promise<PasswordHashes> {
  const person = await getPerson(db, userId);
  const stored = await db.findOne(UserPassword, { where: { user_id: userId } });
  const isRight = await verifyPassword(stored?.password_hash, currentPassword, userId);
  if (!isRight || stored === undefined) throw wrongPassword();
  if (await verifyPassword(stored.password_hash, password, userId)) throw samePassword();
  checkPassword(password, person.email);
  return { current: stored.password_hash, next: await hashPassword(password, userId) };
}

/**
 * Changes one's own password unless it was changed meanwhile. Returns the number of other sessions
 * that ended.
 */
export async function changePassword(tx: Tx, change: PasswordChange): Promise<number> {
  const { userId, sessionId, hashes, origin } = change;
  const person = await getPerson(tx, userId);
  const stored = await tx.findOne(UserPassword, {
    where: { user_id: userId },
    lock: { mode: "pessimistic_write" },
  });
  if (stored?.password_hash !== hashes.current) throw wrongPassword();
  const changed = { password_hash: hashes.next, changed_at: () => "app_now()" };
  await tx.update(UserPassword, { user_id: userId }, changed);
  await lockAccount(tx, userId);
  await lockSession(tx, sessionId);
  await endResetLinks(tx, userId);
  const ended = await deleteOtherSessions(tx, userId, sessionId);
  await recordActivity(tx, {
    userId,
    actorName: person.name,
    type: "password_changed",
    details: { sessions_ended: ended },
    origin,
  });
  return ended;
}

/** Throws an error at `field` if the person's own password is wrong. */
export async function verifyOwnPassword(
  db: Tx,
  userId: string,
  password: string,
  field: string,
): Promise<void> {
  const stored = await db.findOne(UserPassword, { where: { user_id: userId } });
  if (!(await verifyPassword(stored?.password_hash, password, userId))) throw wrongPassword(field);
}

function wrongPassword(field = "current_password"): AppError {
  return new AppError("validation_failed", "wrong_password", { field });
}

function samePassword(): AppError {
  return new AppError("validation_failed", "same_password", { field: "password" });
}

/** A person's own profile. Omitted fields are unchanged. */
export interface Profile {
  userId: string;
  name: string;
  jobTitle?: string | null | undefined;
  locale?: Locale | undefined;
  /** IANA name. Null means the organization's time zone. */
  timeZone?: string | null | undefined;
  origin?: Origin | undefined;
  /** The values that the change is based on. See `readingOfProfile`. */
  expected?: number | undefined;
}

const pickProfile = ({ name, jobTitle, locale, timeZone }: Reader) => ({
  ...{ name, jobTitle, locale, timeZone },
});

/** A hash of the values that a profile change is based on. */
export function readingOfProfile(person: Reader): number {
  return contentHash(pickProfile(person));
}

/** Changes one's own account. History keeps the former name. */
export async function changeProfile(tx: Tx, profile: Profile): Promise<void> {
  const { userId, origin, expected } = profile;
  // Lock before reading the name, so an erased person doesn't get it back.
  await lockAccount(tx, userId);
  const person = await getPerson(tx, userId);
  const name = cleanText(profile.name, { field: "name", max: 120 });
  const { locale = person.locale, timeZone = person.timeZone } = profile;
  const { jobTitle = person.jobTitle } = profile;
  const job_title = jobTitle === null ? null : cleanText(jobTitle, { field: "job_title", max: 80 });
  const time_zone = timeZone === null ? null : cleanTimeZone(timeZone);
  const next = { ...person, name, jobTitle: job_title, locale, timeZone: time_zone };
  if (readingOfProfile(next) === readingOfProfile(person)) return;
  assertUnchanged("organization", pickProfile(person), expected);
  await tx.update(User, { id: userId }, { name, job_title, locale, time_zone });
  if (name === person.name) return;
  await recordActivity(tx, {
    userId,
    actorName: name,
    type: "name_changed",
    details: { former_name: person.name },
    origin,
  });
}

async function getPerson(db: Tx, userId: string): Promise<Reader> {
  const person = await findActivePerson(db, userId);
  if (person === undefined) throw new AppError("not_found", "no_such_account");
  return person;
}
