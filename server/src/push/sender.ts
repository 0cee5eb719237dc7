import type { FastifyBaseLogger } from "fastify";
import webPush from "web-push";
import type { Database } from "../db/database.js";
import { notificationAddress } from "../domain/messaging/app-notifications.js";
import type { MailCipher, MailedNotification } from "../domain/messaging/mail-cipher.js";
import { readLetter } from "../domain/messaging/notification-letters.js";
import {
  claimPush,
  concludePush,
  type ClaimedPush,
  type PushOutcome,
} from "../domain/messaging/push-deliveries.js";
import type { PushKeys } from "../domain/messaging/push-keys.js";
import type { StoredSubscription } from "../domain/messaging/push-subscriptions.js";
import { inLocale, toLocale } from "../language/locale.js";
import { subjectOf } from "../mail/letter-mail.js";
import { pushTries } from "../metrics.js";
import { createPost, type DocumentNetwork } from "../oauth/read-document.js";
import { startLanes } from "../traffic/lanes.js";

export interface PushSenderOptions {
  db: Database;
  mails: MailCipher;
  keys: PushKeys;
  network: DocumentNetwork;
  log: Pick<FastifyBaseLogger, "info" | "error">;
  baseUrl: string;
  /** Delays after failed attempts. After the last one, the message is given up. */
  delaysMs?: readonly number[];
  everyMs?: number;
}

const minute = 60_000;
const usualDelaysMs = [minute, 5 * minute, 30 * minute, 120 * minute];

/** How long a push service keeps a message for a device that is off, in seconds. */
const keptFor = 12 * 60 * 60;

/** Sends push messages. Every node polls. The returned function stops it. */
export function startPushSender(options: PushSenderOptions): () => Promise<void> {
  const { db, log, everyMs } = options;
  const post = createPost(options.network);
  return startLanes({
    lanes: 3,
    lanesOfSlow: 2,
    everyMs,
    claim: (excluded) => claimPush(db, excluded),
    serve: async (message) => {
      await concludePush(db, message, await deliver(options, post, message));
    },
    onError: (error) => {
      log.error({ err: error }, "push messages could not be sent");
    },
  });
}

/** No transaction is open while the push service responds. */
async function deliver(
  options: PushSenderOptions,
  post: ReturnType<typeof createPost>,
  message: ClaimedPush,
): Promise<PushOutcome> {
  const { keys, log, delaysMs = usualDelaysMs } = options;
  const subscription = keys.secrets.decrypt(message.subscription_encrypted) as
    StoredSubscription | undefined;
  const key = subscription && keys.find(subscription.publicKey);
  // SECRET_KEYS changed. The person can turn notifications on again.
  if (subscription === undefined || key === undefined) return "gone";
  const payload = await compose(options, message);
  if (payload === undefined) return "over";
  const { endpoint, headers, body } = webPush.generateRequestDetails(
    subscription,
    JSON.stringify(payload),
    { vapidDetails: { subject: contactOf(options.baseUrl), ...key }, TTL: keptFor },
  );
  const status = await post(endpoint, toTexts(headers), Buffer.from(body)).catch(() => 0);
  const outcome = toOutcome(status, delaysMs[message.attempts - 1]);
  const isSent = status >= 200 && status < 300;
  const failed = typeof outcome === "object" ? "postponed" : "failed";
  const says = isSent ? "delivered" : failed;
  pushTries.inc({ outcome: says });
  log.info({ push: message.id, attempts: message.attempts, status, outcome: says }, "push tried");
  return outcome;
}

/** Status 0: no answer. Push services answer 404 or 410 once a browser has unsubscribed. */
function toOutcome(status: number, delayMs: number | undefined): PushOutcome {
  if (status === 404 || status === 410) return "gone";
  const mayPass = status === 0 || status === 429 || status >= 500;
  return mayPass && delayMs !== undefined ? { delayMs } : "over";
}

/** Title and address, as visible to the reader now. Undefined if there is nothing left to say. */
async function compose(
  { db, mails, baseUrl }: PushSenderOptions,
  { body_encrypted: encrypted, locale }: ClaimedPush,
): Promise<{ title: string; url: string } | undefined> {
  const told = mails.decryptNotification(encrypted);
  if (told === undefined) return undefined;
  const letter = await readLetter(db, baseUrl, told, "push");
  if (letter === undefined) return undefined;
  return { title: inLocale(toLocale(locale), () => subjectOf(letter)), url: toAddress(told) };
}

function toAddress({ kind, subjects }: MailedNotification): string {
  const [subject = "", ...others] = subjects;
  return others.length > 0 ? "/notifications" : notificationAddress({ kind, subject });
}

/** How push services can reach the operator (RFC 8292, 2.1). They refuse http. */
function contactOf(baseUrl: string): string {
  return baseUrl.startsWith("https:") ? baseUrl : `mailto:fettle@${new URL(baseUrl).hostname}`;
}

/** Without the length, which the connection adds. */
function toTexts(headers: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name.toLowerCase() === "content-length" ? [] : [[name, String(value)]],
    ),
  );
}
