import type { Database } from "../../server/src/db/database.js";
import { createTask, type NewTask } from "../../server/src/domain/tasks/create-task.js";
import { createMailCipher } from "../../server/src/domain/messaging/mail-cipher.js";
import { startMailSender } from "../../server/src/mail/sender.js";
import type { Envelope } from "../../server/src/mail/smtp.js";
import type { TestApp } from "./app.js";
import { toCaller, type Member } from "./builders.js";

export function notificationsIn(current: () => TestApp) {
  const mails = () => createMailCipher(current().config.secretKeys, true);

  /** Creates an assigned task as a page or tool does, with its notification. */
  async function assign(by: Member, to: Member, more: Partial<NewTask> = {}): Promise<string> {
    const { task } = await current().db.transaction((tx) =>
      createTask(tx, toCaller(by), {
        title: "Grease the hinges",
        workspace_id: by.workspaceId ?? "",
        assigned_to_user_id: to.userId,
        ...more,
      }),
    );
    return task.id;
  }

  /** Ages notifications beyond the time for which they are combined into one email. */
  const wait = () =>
    current().db.query("UPDATE notifications SET created_at = created_at - interval '5 minutes'");

  /** Sends all queued emails with two senders, as two nodes would. Returns the emails. */
  async function send(): Promise<Envelope[]> {
    const { db } = current();
    const sent: Envelope[] = [];
    const start = () =>
      startMailSender({
        db,
        mails: mails(),
        send: async (mail) => void sent.push(mail),
        log: { info: ignore, warn: ignore, error: ignore },
        baseUrl: "https://fettle.example.com",
        everyMs: 20,
      });
    const stops = [start(), start()];
    while (await isWaiting(db)) await new Promise((done) => setTimeout(done, 20));
    for (const stop of stops) await stop();
    return sent;
  }

  return { mails, assign, wait, send };
}

const ignore = () => undefined;

async function isWaiting(db: Database): Promise<boolean> {
  const rows = await db.query("SELECT 1 FROM mail_outbox WHERE status = 'queued'");
  return rows.length > 0;
}

/** Returns a time zone in which the current hour is this one. */
export function zoneWhereItIs(hour: number): string {
  const ahead = ((hour - new Date().getUTCHours() + 36) % 24) - 12;
  return `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`;
}
