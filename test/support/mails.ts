import type { InvitationLetter, Notice } from "../../server/src/domain/messaging/mail-cipher.js";
import type { TestApp } from "./app.js";

/** Decrypts the emails of an invitation in their order. Sent ones no longer have a body. */
export async function mailsOf(
  { app, db }: TestApp,
  inviteId: string,
): Promise<{ status: string; recipient: string; letter: InvitationLetter | undefined }[]> {
  const rows = await db.query<{ status: string; recipient: string; body_encrypted: Buffer | null }>(
    "SELECT status, recipient, body_encrypted FROM mail_outbox WHERE invite_id = $1 ORDER BY id",
    [inviteId],
  );
  return rows.map(({ status, recipient, body_encrypted }) => ({
    status,
    recipient,
    letter:
      body_encrypted === null ? undefined : app.services.mails.decryptInvitation(body_encrypted),
  }));
}

/** Returns the token in the link of an invitation's only email. */
export async function tokenOf(testApp: TestApp, inviteId: string): Promise<string> {
  const [mail, ...others] = await mailsOf(testApp, inviteId);
  if (mail?.letter === undefined || others.length > 0) throw new Error("There is not one mail.");
  return mail.letter.link.slice(mail.letter.link.lastIndexOf("/") + 1);
}

/** Decrypts the queued emails to a person about their own account, in their order. */
export async function noticesTo(
  { app, db }: Pick<TestApp, "app" | "db">,
  email: string,
): Promise<Notice[]> {
  const rows = await db.query<{ body_encrypted: Buffer }>(
    `SELECT body_encrypted FROM mail_outbox WHERE recipient = $1::citext AND invite_id IS NULL
       AND body_encrypted IS NOT NULL AND (expires_at IS NULL OR expires_at > now()) ORDER BY id`,
    [email],
  );
  return rows.flatMap(
    ({ body_encrypted }) => app.services.mails.decryptNotice(body_encrypted) ?? [],
  );
}

/** Returns the path of the newest emailed link of a kind. */
export async function linkTo(
  testApp: TestApp,
  email: string,
  kind: "password_reset" | "sign_up" | "email_change",
): Promise<string> {
  const last = (await noticesTo(testApp, email)).findLast((notice) => notice.kind === kind);
  if (last === undefined || !("link" in last)) throw new Error("There is no such mail.");
  return new URL(last.link).pathname;
}
