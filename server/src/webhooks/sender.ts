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
import { startLanes } from "../traffic/lanes.js";
import {
  createPost,
  PrivateAddress,
  UnknownHost,
  type DocumentNetwork,
} from "../oauth/read-document.js";

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

/** Delivers webhooks. Every node polls. Returns a function that stops the sender. */
export function startWebhookSender(options: WebhookSenderOptions): () => Promise<void> {
  const { db, log, everyMs } = options;
  const post = createPost(options.network);
  return startLanes({
    lanes: 4,
    lanesOfSlow: 2,
    everyMs,
    claim: (excluded) => claimDelivery(db, excluded),
    serve: async (delivery) => {
      const outcome = await send(options, post, delivery);
      await concludeDelivery(db, delivery, outcome);
      note(options, delivery, outcome);
    },
    onError: (error) => {
      log.error({ err: error }, "webhooks could not be delivered");
    },
  });
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
    return { ...failed, result: describeFailure(error) };
  }
}

const certificateCode = /CERT|SSL|TLS|SIGNATURE|EPROTO/;

/** Network errors must not reveal more than this to the person who provided the URL. */
function describeFailure(error: unknown): string {
  for (let within = error; within instanceof Error; within = within.cause) {
    if (within instanceof PrivateAddress) return within.message;
    if (within instanceof UnknownHost) return "Its host name wasn't found.";
    const code = "code" in within ? String(within.code) : "";
    if (within.name === "TimeoutError" || code.includes("TIMEOUT")) {
      return "It took too long to respond.";
    }
    if (certificateCode.test(code)) return "Its TLS certificate was rejected.";
  }
  return "It couldn't be reached.";
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
