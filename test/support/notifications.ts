import type { Database } from "../../server/src/db/database.js";
import { createTask, type NewTask } from "../../server/src/domain/tasks/create-task.js";
import { createMailCipher } from "../../server/src/domain/messaging/mail-cipher.js";
import { startMailSender } from "../../server/src/mail/sender.js";
import type { Envelope } from "../../server/src/mail/smtp.js";
import type { TestApp } from "./app.js";
import { toCaller, type Member } from "./builders.js";

/** What tests of mails about work do with an application. */
export function notificationsIn(current: () => TestApp) {
  const mails = () => createMailCipher(current().config.secretKeys, true);

  /** As a page or a tool makes it, and with it the note of whom it is assigned to. */
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

  /** As if what was noted had been noted longer ago than mails are folded for. */
  const wait = () =>
    current().db.query("UPDATE notifications SET created_at = created_at - interval '5 minutes'");

  /** Sends what waits by two senders, as two nodes would, and answers with it. */
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

/** A time zone in which it is this hour of the day now. */
export function zoneWhereItIs(hour: number): string {
  const ahead = ((hour - new Date().getUTCHours() + 36) % 24) - 12;
  return `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`;
}
