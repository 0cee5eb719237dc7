import { IsNull, Not, type Tx, type FindOptionsWhere } from "../../db/database.js";
import { User, UserPassword } from "../../db/entities/accounts.js";
import { AppError } from "../../errors.js";
import { currentLocale } from "../../language/locale.js";
import { signInFailures } from "../../metrics.js";
import { recordActivity, type Origin } from "../audit/record-activity.js";
import { createId } from "../shared/ids.js";
import { cleanEmail, toLookup } from "../shared/emails.js";
import { readerColumns, toReader, type Reader, type ReaderRow } from "./reader.js";
import { checkPassword, hashPassword, isOutdated, lineOf, verifyPassword } from "./passwords.js";
import type { FailedSignInLog } from "./failed-sign-ins.js";
import { endResetLinks } from "./reset-links.js";
import { endSessionsOf } from "./sessions.js";
import { lockAccount } from "../../db/locks.js";
import { hasSecondFactorSql } from "./second-factor-sql.js";
import { cleanText } from "../shared/text.js";

export type AccountPerson = Pick<User, "id" | "name"> & { email: string };

export interface NewAccount {
  email: string;
  name: string;
  password: string;
  origin?: Origin | undefined;
}

export interface CheckedAccount {
  email: string;
  name: string;
  /** Absent for people who sign in with an identity provider. */
  passwordHash?: string;
}

/** Call it before the transaction that adds the account, because hashing waits in a queue. */
export async function checkAccount(fields: NewAccount): Promise<CheckedAccount> {
  const email = cleanEmail(fields.email);
  const name = cleanText(fields.name, { field: "name", max: 120 });
  checkPassword(fields.password, email);
  const passwordHash = await hashPassword(fields.password, lineOf(fields.origin, email));
  return { email, name, passwordHash };
}

/**
 * Adds an account in the language of the request. The first account invalidates every set-up link.
 */
export async function createAccount(tx: Tx, fields: NewAccount): Promise<AccountPerson> {
  return insertAccount(tx, await checkAccount(fields), fields.origin);
}

export async function insertAccount(
  tx: Tx,
  { email, name, passwordHash }: CheckedAccount,
  origin: Origin | undefined,
): Promise<AccountPerson> {
  // Runs before the insert. Its lock makes a set-up link wait for this account, see
  // createFirstAccount.
  await tx.query("DELETE FROM setup_links");
  const person = { id: createId("user"), name, email };
  const created = await tx.query(
    `INSERT INTO users (id, email, name, locale) VALUES ($1, $2, $3, $4)
     ON CONFLICT ON CONSTRAINT users_email_key DO NOTHING RETURNING id`,
    [person.id, email, name, currentLocale()],
  );
  if (created.length === 0) {
    throw new AppError("duplicate", "account_exists", { field: "email", email });
  }
  if (passwordHash !== undefined) {
    const password = { user_id: person.id, password_hash: passwordHash };
    await tx.insert(UserPassword, password);
  }
  await recordActivity(tx, {
    userId: person.id,
    actorName: name,
    type: "account_created",
    origin,
  });
  return person;
}

/** Also finds a deactivated account. */
export async function findPersonByEmail(db: Tx, email: string): Promise<AccountPerson | undefined> {
  return findPerson(db, { email: email.trim() });
}

export async function hasUnconfirmedAccount(db: Tx, email: string): Promise<boolean> {
  return db.exists(User, { email: email.trim(), email_verified_at: IsNull() });
}

export async function findActivePerson(db: Tx, userId: string): Promise<Reader | undefined> {
  const row = await db.maybe<ReaderRow>(
    `SELECT ${readerColumns} FROM users WHERE id = $1 AND deactivated_at IS NULL`,
    [userId],
  );
  return row && toReader(row);
}

async function findPerson(
  db: Tx,
  where: FindOptionsWhere<User>,
): Promise<AccountPerson | undefined> {
  const found = await db.findOne(User, { where });
  if (found?.email == null) return undefined;
  return { id: found.id, name: found.name, email: found.email };
}

export interface SignInAttempt {
  email: string;
  password: string;
  origin?: Origin | undefined;
  /**
   * Receives failures for existing accounts. The response doesn't reveal that the account exists.
   */
  failures?: Pick<FailedSignInLog, "record">;
}

/** A person whose password was correct. A second factor may still be required. */
export interface KnownPerson extends AccountPerson {
  hasSecondFactor: boolean;
  /** When the current password was set. */
  passwordChangedAt: Date;
}

interface AccountRow extends AccountPerson {
  password_hash: string | null;
  changed_at: Date;
  has_second_factor: boolean;
}

/**
 * Returns the person if email and password belong to an active account. A wrong email, a wrong
 * password and a deactivated account are indistinguishable in response and timing.
 */
export async function verifyPasswordOf(
  db: Tx,
  { email, password, origin, failures }: SignInAttempt,
): Promise<KnownPerson | undefined> {
  const account = await db.maybe<AccountRow>(
    `SELECT u.id, u.name, u.email::text AS email, p.changed_at,
       CASE WHEN u.deactivated_at IS NULL THEN p.password_hash END AS password_hash,
       ${hasSecondFactorSql("u.id")} AS has_second_factor
     FROM users u JOIN user_passwords p ON p.user_id = u.id
     WHERE u.email = $1`,
    [toLookup(email)],
  );
  const line = lineOf(origin, toLookup(email));
  const isRight = await verifyPassword(account?.password_hash ?? undefined, password, line);
  if (!isRight) signInFailures.inc({ method: "password" });
  if (account === undefined) return undefined;
  const { password_hash, changed_at, has_second_factor, ...person } = account;
  if (!isRight || password_hash === null) {
    failures?.record({ userId: person.id, userName: person.name, origin });
    return undefined;
  }
  if (isOutdated(password_hash)) {
    await db.update(
      UserPassword,
      { user_id: person.id, password_hash },
      { password_hash: await hashPassword(password, line) },
    );
  }
  return { ...person, hasSecondFactor: has_second_factor, passwordChangedAt: changed_at };
}

/** Returns the active person if the password set at that time is still current. */
export async function findPersonWithPassword(
  db: Tx,
  userId: string,
  passwordChangedAt: Date,
): Promise<AccountPerson | undefined> {
  const row = await db.maybe<AccountPerson & { changed_at: Date }>(
    `SELECT u.id, u.name, u.email::text AS email, p.changed_at
     FROM users u JOIN user_passwords p ON p.user_id = u.id
     WHERE u.id = $1 AND u.deactivated_at IS NULL`,
    [userId],
  );
  if (row?.changed_at.getTime() !== passwordChangedAt.getTime()) return undefined;
  return { id: row.id, name: row.name, email: row.email };
}

/** Sets an account's password, for operators. */
export async function setPassword(tx: Tx, userId: string, password: string): Promise<void> {
  const person = await getPerson(tx, userId);
  checkPassword(password, person.email);
  await storePassword(tx, person, await hashPassword(password, userId));
}

/** Sets an account's password and ends its browser sessions and pending links. Connections are kept. */
export async function storePassword(
  tx: Tx,
  { id: userId, name }: AccountPerson,
  password_hash: string,
  {
    type = "password_changed",
    origin,
  }: {
    type?: "password_changed" | "password_reset";
    origin?: Origin | undefined;
  } = {},
): Promise<void> {
  const stored = { user_id: userId, password_hash, changed_at: () => "app_now()" };
  await tx.upsert(UserPassword, stored, ["user_id"]);
  await lockAccount(tx, userId);
  await endResetLinks(tx, userId);
  await endSessionsOf(tx, userId);
  await recordActivity(tx, { userId, actorName: name, type, origin });
}

/** Signs the person out and rejects all their tokens, from the next request on. */
export async function deactivateAccount(tx: Tx, userId: string): Promise<void> {
  const person = await getPerson(tx, userId);
  const affected = await tx.update(
    User,
    { id: userId, deactivated_at: IsNull() },
    { deactivated_at: () => "app_now()" },
  );
  await endResetLinks(tx, userId);
  await endSessionsOf(tx, userId);
  if (affected === 0) return;
  await recordActivity(tx, { userId, actorName: person.name, type: "account_deactivated" });
}

/** Lets the person sign in again. Connections that were not ended work again. */
export async function activateAccount(tx: Tx, userId: string): Promise<void> {
  const person = await getPerson(tx, userId);
  const affected = await tx.update(
    User,
    { id: userId, deactivated_at: Not(IsNull()) },
    { deactivated_at: null },
  );
  if (affected === 0) return;
  await recordActivity(tx, { userId, actorName: person.name, type: "account_activated" });
}

export interface AccountLine {
  user_id: string;
  email: string;
  name: string;
  active: boolean;
  organizations: { organization_id: string; name: string; role: string }[];
  created_at: string;
  last_login_at: string | null;
}

export async function listAccounts(db: Tx): Promise<AccountLine[]> {
  const rows = await db.query<
    Omit<AccountLine, "created_at" | "last_login_at"> & {
      created_at: Date;
      last_login_at: Date | null;
    }
  >(`SELECT u.id AS user_id, u.email::text AS email, u.name, u.deactivated_at IS NULL AS active,
       coalesce((
         SELECT jsonb_agg(jsonb_build_object('organization_id', o.id, 'name', o.name,
           'role', m.role) ORDER BY o.name, o.id)
         FROM organization_members m JOIN organizations o ON o.id = m.organization_id
         WHERE m.user_id = u.id AND m.removed_at IS NULL), '[]') AS organizations,
       u.created_at, u.last_login_at
     FROM users u WHERE u.email IS NOT NULL ORDER BY u.email`);
  return rows.map((row) => ({
    ...row,
    created_at: row.created_at.toISOString(),
    last_login_at: row.last_login_at?.toISOString() ?? null,
  }));
}

async function getPerson(db: Tx, userId: string): Promise<AccountPerson> {
  const person = await findPerson(db, { id: userId });
  if (person === undefined) throw new AppError("not_found", "no_such_account");
  return person;
}
