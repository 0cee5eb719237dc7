import type { Tx } from "../../db/database.js";
import { User, UserPassword } from "../../db/entities/accounts.js";
import { AppError } from "../../errors.js";
import { holdSession } from "../access/hold-session.js";
import { checkReading, readingOf } from "../history/readings.js";
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
  /** The session that asks; every other one of the person ends. */
  sessionId: string;
  hashes: PasswordHashes;
  origin?: Origin | undefined;
}

/** Of the current password and of the one that takes its place. */
interface PasswordHashes {
  current: string;
  next: string;
}

/** Refuses what cannot be the next password; before the transaction, as hashing waits for others. */
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

/** Changes one's own password unless it was changed meanwhile; tells how many other sessions ended. */
export async function changePassword(tx: Tx, change: PasswordChange): Promise<number> {
  const { userId, sessionId, hashes, origin } = change;
  const person = await getPerson(tx, userId);
  const stored = await tx.findOne(UserPassword, {
    where: { user_id: userId },
    lock: { mode: "pessimistic_write" },
  });
  if (stored?.password_hash !== hashes.current) throw wrongPassword();
  const changed = { password_hash: hashes.next, changed_at: () => "fettle_now()" };
  await tx.update(UserPassword, { user_id: userId }, changed);
  await lockAccount(tx, userId);
  await holdSession(tx, sessionId);
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

/** Refuses a wrong password of one's own account at `field`. */
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

/** What a person says of themselves; what is left out stays. */
export interface Profile {
  userId: string;
  name: string;
  locale?: Locale | undefined;
  /** An IANA name; null for that of the organization. */
  timeZone?: string | null | undefined;
  origin?: Origin | undefined;
  /** What the change was decided on, see `readingOfProfile`. */
  expected?: number | undefined;
}

const pickProfile = ({ name, locale, timeZone }: Reader) => ({ name, locale, timeZone });

/** What a change of one's own account was decided on. */
export function readingOfProfile(person: Reader): number {
  return readingOf(pickProfile(person));
}

/** Changes one's own account; what is in histories keeps the name of its time. */
export async function changeProfile(tx: Tx, profile: Profile): Promise<void> {
  const { userId, origin, expected } = profile;
  // Before the name is read: whoever was erased gets none back.
  await lockAccount(tx, userId);
  const person = await getPerson(tx, userId);
  const name = cleanText(profile.name, { field: "name", max: 120 });
  const { locale = person.locale, timeZone = person.timeZone } = profile;
  const time_zone = timeZone === null ? null : cleanTimeZone(timeZone);
  const next = { ...person, name, locale, timeZone: time_zone };
  if (readingOfProfile(next) === readingOfProfile(person)) return;
  checkReading("organization", pickProfile(person), expected);
  await tx.update(User, { id: userId }, { name, locale, time_zone });
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
