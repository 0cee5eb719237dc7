import type { Database, Tx } from "../../db/database.js";
import { PasswordReset } from "../../db/entities/accounts.js";
import { AppError } from "../../errors.js";
import { recordActivity, type Origin } from "../audit/record-activity.js";
import type { MailCipher } from "../messaging/mail-cipher.js";
import { expireNotices, mayQueueNotice, queueNotice } from "../messaging/outbox.js";
import { deleteInBatches } from "../history/batches.js";
import { createSecret, hashSecret } from "../shared/secrets.js";
import { storePassword, type AccountPerson } from "./accounts.js";
import { verifyEmail } from "./email-verification.js";
import { lockAccount } from "../../db/locks.js";
import { requiresSsoSql } from "./sso-required-sql.js";
import { toLookup } from "../shared/emails.js";
import { endResetLinks } from "./reset-links.js";

const validMinutes = 60;

export interface ResetRequest {
  email: string;
  baseUrl: string;
  origin: Origin;
}

/**
 * Emails a link to the active account of an address, at most three an hour. Earlier links end.
 * Returns nothing and does about equal work in every case, so callers can't learn which accounts
 * exist.
 */
export async function requestPasswordReset(
  tx: Tx,
  mails: MailCipher,
  { email: given, baseUrl, origin }: ResetRequest,
): Promise<void> {
  const email = toLookup(given);
  const token = createSecret();
  const notice = { kind: "password_reset", link: `${baseUrl}/password/reset/${token}` } as const;
  const mayMail = await mayQueueNotice(tx, email, [notice.kind]);
  const people = await tx.query<AccountPerson>(
    `SELECT id, name, email::text AS email FROM users
     WHERE email = $1::citext AND deactivated_at IS NULL AND $2 AND NOT ${requiresSsoSql("users")}`,
    [email, mayMail],
  );
  await expireNotices(tx, people[0]?.email ?? "", notice.kind);
  await endResetLinks(tx, people[0]?.id ?? "");
  for (const person of people) {
    // Skip people who were erased or deactivated meanwhile.
    if (!(await lockAccount(tx, person.id, { active: true }))) continue;
    await tx.insert(PasswordReset, {
      token_hash: hashSecret(token),
      user_id: person.id,
      expires_at: () => `app_now() + interval '${validMinutes} minutes'`,
    });
    await queueNotice(tx, mails, { recipient: person.email, notice, validMinutes });
    await recordActivity(tx, {
      userId: person.id,
      actorName: person.name,
      type: "password_reset_requested",
      origin,
    });
  }
}

export async function findPasswordReset(
  db: Tx,
  token: string,
): Promise<Pick<AccountPerson, "email"> | undefined> {
  return db.maybe<Pick<AccountPerson, "email">>(`SELECT u.email::text AS email ${openLinks}`, [
    hashSecret(token),
  ]);
}

const openLinks = `FROM password_resets r JOIN users u ON u.id = r.user_id
  WHERE r.token_hash = $1 AND r.ended_at IS NULL AND r.expires_at > app_now()
    AND u.deactivated_at IS NULL AND NOT ${requiresSsoSql("u")}`;

/** Consumes a link, sets the new password and ends all browser sessions. */
export async function resetPassword(
  tx: Tx,
  { token, passwordHash, origin }: { token: string; passwordHash: string; origin: Origin },
): Promise<AccountPerson> {
  const person = await tx.maybe<AccountPerson>(
    `SELECT u.id, u.name, u.email::text AS email ${openLinks} FOR UPDATE OF r`,
    [hashSecret(token)],
  );
  if (person === undefined) throw deadLink();
  await storePassword(tx, person, passwordHash, { type: "password_reset", origin });
  await verifyEmail(tx, person, origin);
  return person;
}

function deadLink(): AppError {
  return new AppError("expired", "reset_link_expired");
}

export async function cleanUpPasswordResets(db: Database): Promise<void> {
  await deleteInBatches(db, "password_resets", "expires_at <= app_now()");
}
