import { createHash } from "node:crypto";
import type { FastifyBaseLogger } from "fastify";
import type { Database } from "../db/database.js";
import {
  claimMail,
  postponeMail,
  withdrawMail,
  recordFailure,
  recordSent,
  type ClaimedMail,
} from "../domain/messaging/mail-deliveries.js";
import type { MailCipher } from "../domain/messaging/mail-cipher.js";
import { notificationKinds } from "../db/entities/messaging.js";
import { readLetter } from "../domain/messaging/notification-letters.js";
import { inLocale, toLocale } from "../language/locale.js";
import { mailTries } from "../metrics.js";
import { repeat } from "../domain/shared/repeat.js";
import type { MailContent } from "./email.js";
import { composeInvitation } from "./invitation-mail.js";
import { composeNotice } from "./notice-mail.js";
import { composeLetter } from "./letter-mail.js";
import { toSmtpProblem, type SendMail, type SmtpProblem } from "./smtp.js";

export interface MailSenderOptions {
  db: Database;
  mails: MailCipher;
  send: SendMail;
  log: Pick<FastifyBaseLogger, "info" | "warn" | "error">;
  /** Public address without a trailing slash. Its host is part of message ids. */
  baseUrl: string;
  /** Waits after failed tries. After the last one, the sender gives up. */
  delaysMs?: readonly number[];
  /** How often to check the outbox. */
  everyMs?: number;
}

const minute = 60_000;
const usualDelaysMs = [minute, 5 * minute, 30 * minute, 120 * minute, 480 * minute];

/** How long one email may take, and how long a stop waits for it. */
const maxSendMs = 2 * minute;
const maxStopMs = 4000;

/**
 * Sends the outbox when emails are announced, and every half minute. Several nodes share the work.
 * The returned function stops the sender. Emails that are unfinished by then are retried later.
 */
export function startMailSender(options: MailSenderOptions): () => Promise<void> {
  const ending = new AbortController();
  const cutOff = new AbortController();
  const { wake, stop } = repeat(options.everyMs ?? 30_000, () =>
    sendDueMails(options, ending.signal, cutOff.signal),
  );
  options.mails.onAnnounced(wake);
  wake();

  return async () => {
    ending.abort();
    const patience = setTimeout(() => {
      cutOff.abort();
    }, maxStopMs);
    await stop();
    clearTimeout(patience);
  };
}

async function sendDueMails(
  options: MailSenderOptions,
  ending: AbortSignal,
  cutOff: AbortSignal,
): Promise<void> {
  // Organizations take turns, so that many emails of one do not delay the others.
  const served = new Set<string>();
  try {
    while (!ending.aborted) {
      const mail = await claimMail(options.db, [...served]);
      if (mail === undefined && served.size === 0) return;
      if (mail === undefined) served.clear();
      else {
        if (mail.organization_id !== null) served.add(mail.organization_id);
        await within(maxSendMs, cutOff, (signal) => deliver(options, mail, signal));
      }
    }
  } catch (error) {
    options.log.error({ err: error }, "emails in the outbox could not be sent");
  }
}

/** In Node 20, `AbortSignal.any` loses timeouts to garbage collection. */
async function within(
  ms: number,
  cutOff: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const end = new AbortController();
  const abort = () => {
    end.abort();
  };
  const timeout = setTimeout(abort, ms);
  cutOff.addEventListener("abort", abort);
  if (cutOff.aborted) abort();
  await work(end.signal).finally(() => {
    clearTimeout(timeout);
    cutOff.removeEventListener("abort", abort);
  });
}

/** No transaction is open while the mail server responds. */
async function deliver(
  options: MailSenderOptions,
  mail: ClaimedMail,
  signal: AbortSignal,
): Promise<void> {
  const { db, send, log, baseUrl } = options;
  const { id, attempts, recipient: to, body_encrypted: encrypted } = mail;
  const content = await compose(options, mail).catch((error: unknown) => {
    log.error({ err: error, mail: id }, "an email could not be written");
    return "unwritten" as const;
  });
  if (content === "unwritten") {
    const reason = "It couldn't be written. The server's log has the details.";
    await giveUpOrPostpone(options, mail, { permanent: false, reason });
    return;
  }
  if (content === "unreadable") {
    const reason = "It was encrypted with a key that's no longer in SECRET_KEYS.";
    log.warn({ mail: id, reason }, "an email could not be sent");
    mailTries.inc({ outcome: "failed" });
    await recordFailure(db, mail, reason);
    return;
  }
  if (content === "nothing") {
    log.info({ mail: id }, "an email had nothing left to say");
    await withdrawMail(db, mail);
    return;
  }
  const { hostname } = new URL(baseUrl);
  const messageId = `<${createHash("sha256").update(encrypted).digest("hex").slice(0, 32)}@${hostname}>`;
  try {
    await send({ ...content, to, messageId }, signal);
  } catch (error) {
    await giveUpOrPostpone(options, mail, toSmtpProblem(error));
    return;
  }
  await recordSent(db, mail);
  log.info({ mail: id, attempts }, "an email was sent");
  mailTries.inc({ outcome: "sent" });
}

async function giveUpOrPostpone(
  { db, log, delaysMs = usualDelaysMs }: MailSenderOptions,
  mail: ClaimedMail,
  { permanent, reason }: SmtpProblem,
): Promise<void> {
  const { id, attempts } = mail;
  const delayMs = permanent ? undefined : delaysMs[attempts - 1];
  const givenUp = delayMs === undefined;
  log.warn({ mail: id, attempts, reason, givenUp }, "an email could not be sent");
  mailTries.inc({ outcome: givenUp ? "failed" : "postponed" });
  if (givenUp) await recordFailure(db, mail, reason);
  else await postponeMail(db, mail, { reason, delayMs });
}

/** In the language of the reader or, without one, of the person who caused the email. */
async function compose(
  { db, mails, baseUrl }: MailSenderOptions,
  { kind, body_encrypted: encrypted, locale }: ClaimedMail,
): Promise<MailContent | "unreadable" | "nothing"> {
  if (kind === "invitation") {
    const letter = mails.decryptInvitation(encrypted);
    if (letter === undefined) return "unreadable";
    return inLocale(toLocale(locale ?? letter.locale ?? ""), () => composeInvitation(letter));
  }
  if (notificationKinds.some((one) => one === kind)) {
    const mail = mails.decryptNotification(encrypted);
    if (mail === undefined) return "unreadable";
    const letter = await readLetter(db, baseUrl, mail, "email");
    if (letter === undefined) return "nothing";
    const unsubscribe = `${baseUrl}/unsubscribe/${mails.writeUnsubscribeToken(mail)}`;
    return inLocale(toLocale(locale ?? ""), () => composeLetter(letter, unsubscribe));
  }
  const notice = mails.decryptNotice(encrypted);
  if (notice === undefined) return "unreadable";
  return inLocale(toLocale(locale ?? notice.locale ?? ""), () => composeNotice(notice));
}
