import type { FastifyBaseLogger } from "fastify";
import { Webhook } from "standardwebhooks";
import type { Database } from "../db/database.js";
import { webhookTest } from "../db/entities/messaging.js";
import { assetUrl, taskUrl } from "../domain/access/urls.js";
import type { JsonCipher } from "../domain/shared/encryption.js";
import {
  claimDelivery,
  concludeDelivery,
  type ClaimedDelivery,
  type Outcome,
} from "../domain/messaging/webhook-deliveries.js";
import { webhookTries } from "../metrics.js";
import { createFairQueue } from "../traffic/slots.js";
import { repeat } from "../domain/shared/repeat.js";
import { createPost, findPrivateAddress, type DocumentNetwork } from "../oauth/read-document.js";

export interface WebhookSenderOptions {
  db: Database;
  secrets: JsonCipher;
  network: DocumentNetwork;
  log: Pick<FastifyBaseLogger, "info" | "error">;
  baseUrl: string;
  /** Delays after failed attempts. After the last one the delivery is given up. */
  delaysMs?: readonly number[];
  everyMs?: number;
}

const minute = 60_000;
const hour = 60 * minute;
/** A little more than a day in total. */
const usualDelaysMs = [minute, 5 * minute, 30 * minute, 2 * hour, 4 * hour, 8 * hour, 10 * hour];

/** Number of organizations that a node delivers to at the same time. */
const lanes = 4;

/** Lanes for organizations with a slow address, so others needn't wait for them. */
const lanesOfSlow = 2;
const slowMs = 1000;
const slowForMs = 10 * minute;

/**
 * Delivers webhooks. Every node polls every five seconds. Returns a function that stops the sender.
 */
export function startWebhookSender(options: WebhookSenderOptions): () => Promise<void> {
  const ending = new AbortController();
  const post = createPost(options.network);
  const next = createLanes(options.db);
  const tell = async (delivery: ClaimedDelivery) => {
    const outcome = await send(options, post, delivery);
    await concludeDelivery(options.db, delivery, outcome);
    note(options, delivery, outcome);
  };
  const running = Array.from({ length: lanes }, () =>
    repeat(options.everyMs ?? 5000, async () => {
      try {
        while (!ending.signal.aborted && (await next(tell)));
      } catch (error) {
        options.log.error({ err: error }, "webhooks could not be delivered");
      }
    }),
  );
  return async () => {
    ending.abort();
    await Promise.all(running.map(({ stop }) => stop()));
  };
}

/**
 * Delivers a lane's next webhook and returns true if there was one. An organization has one lane
 * for all its addresses, so slow ones delay only their organization.
 */
function createLanes(db: Database) {
  const served = new Set<string>();
  const slow = createSlow();
  const oneByOne = createFairQueue(1);
  return async (tell: (delivery: ClaimedDelivery) => Promise<void>): Promise<boolean> => {
    const delivery = await oneByOne("claim", async () => {
      const areSlow = slow.list();
      const isFull = areSlow.filter((id) => served.has(id)).length >= lanesOfSlow;
      const claimed = await claimDelivery(db, [...served, ...(isFull ? areSlow : [])]);
      if (claimed !== undefined) served.add(claimed.organization_id);
      return claimed;
    });
    if (delivery === undefined) return false;
    const began = performance.now();
    try {
      await tell(delivery);
    } finally {
      served.delete(delivery.organization_id);
      if (performance.now() - began > slowMs) slow.add(delivery.organization_id);
    }
    return true;
  };
}

/** Organizations that recently had a slow address. */
function createSlow() {
  const since = new Map<string, number>();
  return {
    add: (organizationId: string) => since.set(organizationId, performance.now()),
    list: (): string[] => {
      const earliest = performance.now() - slowForMs;
      for (const [id, at] of since) if (at < earliest) since.delete(id);
      return [...since.keys()];
    },
  };
}

function note(
  { log }: WebhookSenderOptions,
  { organization_id: organization, webhook_id: webhook, id, attempts }: ClaimedDelivery,
  { isDelivered, delayMs, result }: Outcome,
): void {
  const failed = delayMs === undefined ? "failed" : "postponed";
  const outcome = isDelivered ? "delivered" : failed;
  webhookTries.inc({ outcome });
  log.info({ organization, webhook, id, attempts, outcome, result }, "a webhook was tried");
}

/** No transaction is open while the request runs. */
async function send(
  { secrets, baseUrl, delaysMs = usualDelaysMs }: WebhookSenderOptions,
  post: ReturnType<typeof createPost>,
  delivery: ClaimedDelivery,
): Promise<Outcome> {
  const { id, type, attempts, url } = delivery;
  // A test isn't retried. The sender sees the result and can send another.
  const delayMs = type === webhookTest ? undefined : delaysMs[attempts - 1];
  const failed = { isDelivered: false, isGone: false, delayMs };
  const secret = secrets.decrypt(delivery.secret_encrypted);
  if (typeof secret !== "string") {
    return {
      ...failed,
      result: "The signing secret can't be decrypted. Create a new secret.",
    };
  }
  const body = toBody(delivery, baseUrl);
  const at = new Date();
  const headers = {
    "content-type": "application/json",
    "user-agent": "Fettle",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign(id, at, body),
  };
  try {
    const status = await post(url, headers, body);
    const result = `It returned status ${status}.`;
    if (status >= 200 && status < 300) return { ...failed, isDelivered: true, result };
    return { ...failed, isGone: status === 410, result };
  } catch (error) {
    // Network errors must not reveal details to the person who provided the URL.
    const result =
      findPrivateAddress(error)?.message ?? "It couldn't be reached, or took too long to respond.";
    return { ...failed, result };
  }
}

function toBody({ type, created_at, organization_id, data }: ClaimedDelivery, baseUrl: string) {
  return JSON.stringify({
    type,
    timestamp: created_at.toISOString(),
    data: { organization_id, ...data, ...toLink(data, baseUrl) },
  });
}

function toLink({ asset_id, task_id, report_id }: ClaimedDelivery["data"], baseUrl: string) {
  if (report_id !== undefined) return { url: `${baseUrl}/reports` };
  if (task_id !== undefined) return { url: taskUrl({ baseUrl }, task_id) };
  return asset_id === undefined ? {} : { url: assetUrl({ baseUrl }, asset_id) };
}
