import type { FastifyBaseLogger } from "fastify";
import type { Database } from "../db/database.js";
import type { MailCipher } from "../domain/messaging/mail-cipher.js";
import { queueMailsOfMorning } from "../domain/messaging/mornings.js";
import { queueNotedMails } from "../domain/messaging/notification-queue.js";
import { repeat } from "../domain/shared/repeat.js";

export interface NotifierOptions {
  db: Database;
  mails: MailCipher;
  log: Pick<FastifyBaseLogger, "error">;
  everyMs?: number;
}

/**
 * Writes due notifications and their emails into the outbox, every minute on every node. The
 * returned function stops it.
 */
export function startNotifier({ db, mails, log, everyMs = 60_000 }: NotifierOptions) {
  return repeat(everyMs, () => queueDueMails({ db, mails, log })).stop;
}

/** A failure of one does not stop the other. */
async function queueDueMails({ db, mails, log }: NotifierOptions): Promise<void> {
  for (const queue of [queueNotedMails, queueMailsOfMorning]) {
    try {
      if ((await queue(db, mails)) > 0) mails.announce();
    } catch (error) {
      log.error({ err: error, task: queue.name }, "emails about work could not be written");
    }
  }
}
