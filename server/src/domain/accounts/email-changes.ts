import type { Database, Tx } from "../../db/database.js";
import { EmailChange, User } from "../../db/entities/accounts.js";
import { lockAccount } from "../../db/locks.js";
import { violates } from "../../db/query-errors.js";
import { AppError } from "../../errors.js";
import { recordActivity, type Origin } from "../audit/record-activity.js";
import { deleteInBatches } from "../history/batches.js";
import type { MailCipher } from "../messaging/mail-cipher.js";
import { expireNotices, mayQueueNotice, queueNotice } from "../messaging/outbox.js";
import { cleanEmail } from "../shared/emails.js";
import { createSecret, hashSecret } from "../shared/secrets.js";
import type { AccountPerson } from "./accounts.js";
import { endResetLinks } from "./reset-links.js";
import { requiresSso } from "./sso-required.js";

const validHours = 24;

export interface EmailChangeRequest {
  person: AccountPerson;
  newEmail: string;
  baseUrl: string;
  origin: Origin;
}

/**
 * Emails a link to the present and to the new address. The email changes when both were confirmed.
 * Replaces a request for another address. A repeated request renews the links of the addresses that
 * aren't confirmed yet. Returns the addresses that get a link. Only the link in the email to the
 * new address reveals whether that address has an account.
 */
export async function requestEmailChange(
  tx: Tx,
  mails: MailCipher,
  { person, newEmail: typed, baseUrl, origin }: EmailChangeRequest,
): Promise<string[]> {
  const newEmail = cleanEmail(typed);
  if (newEmail.toLowerCase() === person.email.toLowerCase()) {
    throw new AppError("validation_failed", "same_email", { field: "email" });
  }
  await lockAccount(tx, person.id);
  await assertOwnEmail(tx, person.id);
  const waiting = await findEmailChange(tx, person.id);
  const links = { person, newEmail, baseUrl };
  if (waiting?.new_email.toLowerCase() === newEmail.toLowerCase()) {
    return renewLinks(tx, mails, waiting, links);
  }
  await cancelEmailChange(tx, person);
  await tx.insert(EmailChange, {
    user_id: person.id,
    new_email: newEmail,
    old_token_hash: await sendLink(tx, mails, person.email, links),
    new_token_hash: await sendLink(tx, mails, newEmail, links),
    expires_at: expiry,
  });
  await recordActivity(tx, {
    userId: person.id,
    actorName: person.name,
    type: "email_change_requested",
    details: { email: newEmail },
    origin,
  });
  return [person.email, newEmail];
}

const expiry = () => `app_now() + interval '${validHours} hours'`;

type Links = Omit<EmailChangeRequest, "origin">;

async function renewLinks(
  tx: Tx,
  mails: MailCipher,
  waiting: WaitingEmailChange,
  links: Links,
): Promise<string[]> {
  const { id: user_id, email } = links.person;
  const recipients: string[] = [];
  for (const [side, recipient] of [["old", email] as const, ["new", waiting.new_email] as const]) {
    if (waiting[`${side}_confirmed_at`] !== null) continue;
    await expireNotices(tx, recipient, "email_change");
    const token_hash = await sendLink(tx, mails, recipient, links);
    const renewed = { [`${side}_token_hash`]: token_hash, expires_at: expiry };
    await tx.update(EmailChange, { user_id }, renewed);
    recipients.push(recipient);
  }
  return recipients;
}

/** Queues the email with an address's link. Returns the hash of its token. */
async function sendLink(
  tx: Tx,
  mails: MailCipher,
  recipient: string,
  { person, newEmail, baseUrl }: Links,
): Promise<Buffer> {
  if (!(await mayQueueNotice(tx, recipient, ["email_change"]))) {
    throw new AppError("rate_limited", "too_many_notices", { email: recipient });
  }
  const token = createSecret();
  const side = recipient === person.email ? "old" : "new";
  await queueNotice(tx, mails, {
    recipient,
    notice: {
      kind: "email_change",
      side,
      email: newEmail,
      link: `${baseUrl}/email/confirm/${token}`,
    },
    validMinutes: validHours * 60,
  });
  return hashSecret(token);
}

async function assertOwnEmail(db: Tx, userId: string): Promise<void> {
  if (await hasProviderEmail(db, userId)) throw new AppError("forbidden", "email_of_provider");
}

/**
 * True if the person can sign in only with their organization's identity provider, because the
 * organization requires it or because they have no password. Their email is the one they have there.
 */
export async function hasProviderEmail(db: Tx, userId: string): Promise<boolean> {
  const bound = await db.query(
    `SELECT FROM provider_identities i
     JOIN identity_providers p ON p.organization_id = i.organization_id AND p.issuer = i.issuer
     WHERE i.user_id = $1 AND NOT EXISTS (SELECT FROM user_passwords w WHERE w.user_id = $1)`,
    [userId],
  );
  return bound.length > 0 || (await requiresSso(db, userId));
}

export async function cancelEmailChange(tx: Tx, { id, email }: AccountPerson): Promise<void> {
  const deleted = await tx.maybe<{ new_email: string }>(
    "DELETE FROM email_changes WHERE user_id = $1 RETURNING new_email::text AS new_email",
    [id],
  );
  if (deleted === undefined) return;
  await expireNotices(tx, email, "email_change");
  await expireNotices(tx, deleted.new_email, "email_change");
}

export type WaitingEmailChange = Pick<
  EmailChange,
  "new_email" | "old_confirmed_at" | "new_confirmed_at" | "expires_at"
>;

export async function findEmailChange(
  db: Tx,
  userId: string,
): Promise<WaitingEmailChange | undefined> {
  return db.maybe<WaitingEmailChange>(
    `SELECT new_email::text AS new_email, old_confirmed_at, new_confirmed_at, expires_at
     FROM email_changes WHERE user_id = $1 AND expires_at > app_now()`,
    [userId],
  );
}

export interface EmailChangeLink extends AccountPerson, WaitingEmailChange {
  /** The address that got the link. */
  side: "old" | "new";
}

/** Returns the request of an emailed link, or undefined if the link no longer works. */
export async function findEmailChangeLink(
  db: Tx,
  token: string,
): Promise<EmailChangeLink | undefined> {
  return db.maybe<EmailChangeLink>(linked, [hashSecret(token)]);
}

const linked = `SELECT u.id, u.name, u.email::text AS email, c.new_email::text AS new_email,
    c.old_confirmed_at, c.new_confirmed_at, c.expires_at,
    CASE WHEN c.old_token_hash = $1 THEN 'old' ELSE 'new' END AS side
  FROM email_changes c JOIN users u ON u.id = c.user_id
  WHERE (c.old_token_hash = $1 OR c.new_token_hash = $1) AND c.expires_at > app_now()
    AND u.deactivated_at IS NULL`;

/**
 * Confirms the address of a link. Returns true if that was the second one: the email is changed.
 * Sessions, second factors and connected apps stay.
 */
export async function confirmEmailChange(
  tx: Tx,
  { token, origin }: { token: string; origin: Origin },
): Promise<boolean> {
  const link = await tx.maybe<EmailChangeLink>(`${linked} FOR UPDATE OF c`, [hashSecret(token)]);
  if (link === undefined) throw new AppError("expired", "email_link_expired");
  const other = link.side === "old" ? link.new_confirmed_at : link.old_confirmed_at;
  if (other === null) {
    const confirmed = `${link.side}_confirmed_at` as const;
    await tx.update(EmailChange, { user_id: link.id }, { [confirmed]: () => "app_now()" });
    return false;
  }
  await assertOwnEmail(tx, link.id);
  await cancelEmailChange(tx, link);
  await changeEmail(tx, link, { email: link.new_email, isConfirmed: true, origin });
  return true;
}

export interface NewEmail {
  email: string;
  /** False if an operator set it. */
  isConfirmed: boolean;
  origin?: Origin;
}

/** Changes the email of an account. Throws if another account has it. */
export async function changeEmail(
  tx: Tx,
  { id, name, email: former }: AccountPerson,
  { email, isConfirmed, origin }: NewEmail,
): Promise<void> {
  await lockAccount(tx, id);
  await endResetLinks(tx, id);
  try {
    const email_verified_at = isConfirmed ? () => "app_now()" : null;
    await tx.update(User, { id }, { email, email_verified_at });
  } catch (error) {
    if (!violates(error, "an email belongs to one account")) throw error;
    throw new AppError("duplicate", "account_exists", { email });
  }
  await recordActivity(tx, {
    userId: id,
    actorName: name,
    type: "email_changed",
    details: { email, former_email: former },
    origin,
  });
}

export async function cleanUpEmailChanges(db: Database): Promise<void> {
  await deleteInBatches(db, "email_changes", "expires_at <= app_now()");
}
