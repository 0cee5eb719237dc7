import type { Tx } from "../../db/database.js";
import { momentOf } from "../access/clock.js";
import type { Caller } from "../access/caller.js";
import type { MailCipher, TaskLinkNotice, TaskSentBack } from "../messaging/mail-cipher.js";
import { mayQueueNotice, queueNotice } from "../messaging/outbox.js";

/** Emails to contractors. Like the limit for invitations, it prevents mass email. */
const maxADay = 100;

/** Returns true if the organization and the address may get one more email about a link. */
export async function mayEmail(
  tx: Tx,
  { organizationId }: Caller,
  email: string,
): Promise<boolean> {
  const { sent } = await tx.one<{ sent: number }>(
    `SELECT count(*)::int AS sent FROM mail_outbox
     WHERE organization_id = $1 AND invite_id IS NULL AND kind IN ('task_link', 'task_sent_back')
       AND created_at > app_now() - interval '1 day'`,
    [organizationId],
  );
  return sent < maxADay && mayQueueNotice(tx, email, ["task_link", "task_sent_back"]);
}

export function toLinkUrl(baseUrl: string, secret: string): string {
  return `${baseUrl}/job/${secret}`;
}

/** Queues an email to a contractor. It isn't sent after the link expires. */
export async function queueLinkMail(
  tx: Tx,
  caller: Caller,
  mails: MailCipher,
  {
    link: { email, secret, end },
    task,
  }: {
    link: { email: string; secret: string; end: Date };
    task: string;
  },
  news: Pick<TaskLinkNotice, "kind"> | Pick<TaskSentBack, "kind" | "reason">,
): Promise<void> {
  const { organizationId, organizationName: organization, userName: by, timeZone } = caller;
  const now = await momentOf(tx);
  const link = toLinkUrl(caller.baseUrl, secret);
  const about = { organization, by, task, link, expiresAt: end.toISOString(), timeZone };
  await queueNotice(tx, mails, {
    organizationId,
    recipient: email,
    validMinutes: Math.floor((end.getTime() - now.getTime()) / 60_000),
    notice: { ...news, ...about },
  });
}
