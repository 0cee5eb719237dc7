import type { Database, Tx } from "../../db/database.js";
import { SignUp } from "../../db/entities/accounts.js";
import { AppError } from "../../errors.js";
import { currentLocale, inLocale, toLocale } from "../../language/locale.js";
import type { Origin } from "../audit/record-activity.js";
import type { MailCipher } from "../messaging/mail-cipher.js";
import { mayQueueNotice, queueNotice } from "../messaging/outbox.js";
import { deleteInBatches } from "../history/batches.js";
import { createSecret, hashSecret } from "../shared/secrets.js";
import {
  checkAccount,
  insertAccount,
  type AccountPerson,
  type CheckedAccount,
} from "./accounts.js";
import { verifyEmail } from "./email-verification.js";
import { cleanNewOrganization } from "../organizations/organizations.js";
import { lineOf, verifyPassword } from "./passwords.js";
import { foundOrganization, type NewOwner } from "./setup-links.js";

const validHours = 24;

type CheckedSignUp = CheckedAccount & { organization: ReturnType<typeof cleanNewOrganization> };

/** Call it before the transaction, because hashing the password waits in a queue. */
export async function checkSignUp(fields: NewOwner): Promise<CheckedSignUp> {
  const organization = cleanNewOrganization(fields.organization);
  return { organization, ...(await checkAccount(fields)) };
}

/**
 * Stores an account and its organization for a day, until the emailed link confirms the address. A
 * person who already has an account gets an email that says so. An address gets at most three of
 * these emails an hour. Returns an identifier of the sign-up. The response and cookies don't reveal
 * whether an account exists.
 */
export async function requestSignUp(
  tx: Tx,
  mails: MailCipher,
  { baseUrl, email, name, passwordHash, organization }: CheckedSignUp & { baseUrl: string },
): Promise<string | undefined> {
  const { timeZone, currency } = organization;
  const token = createSecret();
  const tokenHash = hashSecret(token);
  if (!(await mayQueueNotice(tx, email, ["sign_up", "account_exists"]))) return undefined;
  const stored = await tx.query(
    `INSERT INTO sign_ups (token_hash, email, name, organization_name, password_hash, time_zone,
       currency, locale, expires_at)
     SELECT $1::bytea, $2, $3, $4, $5, $6, $7, $8, app_now() + interval '${validHours} hours'
     WHERE NOT EXISTS (SELECT FROM users WHERE email = $2::citext)
     RETURNING 1`,
    [tokenHash, email, name, organization.name, passwordHash, timeZone, currency, currentLocale()],
  );
  const isNew = stored.length > 0;
  await queueNotice(tx, mails, {
    recipient: email,
    notice: isNew
      ? { kind: "sign_up", link: `${baseUrl}/signup/confirm/${token}` }
      : {
          kind: "account_exists",
          signIn: `${baseUrl}/signin`,
          forgot: `${baseUrl}/password/forgot`,
        },
    validMinutes: validHours * 60,
  });
  return nameOfLink(tokenHash);
}

/** Identifies a link without granting access to it. */
function nameOfLink(tokenHash: Buffer): string {
  return tokenHash.toString("base64url");
}

export interface WaitingSignUp extends Pick<SignUp, "email" | "name" | "organization_name"> {
  /** As returned by `requestSignUp`. */
  link: string;
  is_used: boolean;
}

/** Returns the sign-up of an emailed link, or undefined if it doesn't exist or has expired. */
export async function findSignUp(db: Tx, token: string): Promise<WaitingSignUp | undefined> {
  const row = await db.maybe<StoredSignUp>(signUpOf, [hashSecret(token)]);
  if (row === undefined) return undefined;
  const { password_hash, ...fields } = row;
  return { ...fields, link: nameOfLink(hashSecret(token)), is_used: password_hash === null };
}

type StoredSignUp = Pick<
  SignUp,
  "email" | "name" | "organization_name" | "password_hash" | "time_zone" | "currency" | "locale"
>;

const signUpOf = `SELECT email::text AS email, name, organization_name, password_hash, time_zone,
    currency, locale
  FROM sign_ups WHERE token_hash = $1 AND expires_at > app_now()`;

export interface Confirmation {
  token: string;
  origin: Origin;
}

/**
 * Throws if the password isn't the chosen one. A link opened in another browser needs it too, so
 * people don't confirm a stranger's sign-up that used their address.
 */
export async function requireSignUpPassword(
  db: Tx,
  { token, origin }: Confirmation,
  password: string,
): Promise<void> {
  const waiting = await db.maybe<StoredSignUp>(signUpOf, [hashSecret(token)]);
  if (waiting === undefined || waiting.password_hash === null) throw deadLink();
  const line = lineOf(origin, waiting.email);
  if (!(await verifyPassword(waiting.password_hash, password, line))) {
    throw new AppError("validation_failed", "other_password", { field: "password" });
  }
}

export async function confirmSignUp(
  tx: Tx,
  { token, origin }: Confirmation,
): Promise<{ person: AccountPerson; organizationId: string }> {
  const waiting = await tx.maybe<StoredSignUp>(`${signUpOf} FOR UPDATE`, [hashSecret(token)]);
  if (waiting === undefined || waiting.password_hash === null) throw deadLink();
  const { password_hash: passwordHash, organization_name: name, ...fields } = waiting;
  const { time_zone: timeZone, currency } = waiting;
  await tx.update(
    SignUp,
    { token_hash: hashSecret(token) },
    { used_at: () => "app_now()", password_hash: null },
  );
  const person = await inLocale(toLocale(waiting.locale), () =>
    insertAccount(tx, { ...fields, passwordHash }, origin),
  );
  await verifyEmail(tx, person, origin);
  const organizationId = await foundOrganization(tx, person, { name, timeZone, currency }, origin);
  return { person, organizationId };
}

function deadLink(): AppError {
  return new AppError("expired", "sign_up_link_expired");
}

export async function cleanUpSignUps(db: Database): Promise<void> {
  await deleteInBatches(db, "sign_ups", "expires_at <= app_now()");
}
