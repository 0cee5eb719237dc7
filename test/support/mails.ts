import type { InvitationLetter } from "../../server/src/domain/mail/mail-keeper.js";
import type { TestApp } from "./app.js";

/** The mails of an invitation in the order they were written, opened; sent ones have no letter any more. */
export async function mailsOf(
  { app, db }: TestApp,
  inviteId: string,
): Promise<{ status: string; recipient: string; letter: InvitationLetter | undefined }[]> {
  const rows: { status: string; recipient: string; body_sealed: Buffer | null }[] = await db.query(
    "SELECT status, recipient, body_sealed FROM mail_outbox WHERE invite_id = $1 ORDER BY id",
    [inviteId],
  );
  return rows.map(({ status, recipient, body_sealed }) => ({
    status,
    recipient,
    letter: body_sealed === null ? undefined : app.mails.open(body_sealed),
  }));
}

/** The token in the link of the one mail that an invitation has. */
export async function tokenOf(testApp: TestApp, inviteId: string): Promise<string> {
  const [mail, ...others] = await mailsOf(testApp, inviteId);
  if (mail?.letter === undefined || others.length > 0) throw new Error("There is not one mail.");
  return mail.letter.link.slice(mail.letter.link.lastIndexOf("/") + 1);
}
