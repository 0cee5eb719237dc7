import { randomBytes } from "node:crypto";
import type { Database, Tx, FindOneOptions } from "../../db/database.js";
import {
  sampleUntil,
  Webhook,
  WebhookDelivery,
  webhookEvents,
  webhookTest,
  type WebhookEvent,
} from "../../db/entities/messaging.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { assertUnchanged, contentHash } from "../history/content-hash.js";
import { requireOrganizationAdmin } from "../access/roles.js";
import { recordCallerActivity, type ActivityType } from "../audit/record-activity.js";
import { lockOrganization } from "../../db/locks.js";
import { renewSecrets } from "../shared/renew-secrets.js";
import type { JsonCipher } from "../shared/encryption.js";
import { createId } from "../shared/ids.js";
import { omit } from "../shared/omit.js";
import { cleanText } from "../shared/text.js";

/** A webhook as admins see it. The secret is never shown again. */
export interface ShownWebhook extends Omit<Webhook, "secret_encrypted" | "busy_until"> {
  /** True for a webhook of the demo, whose address doesn't exist. Nothing is sent to it. */
  is_sample: boolean;
}

export interface GivenWebhook {
  url: string;
  events: readonly WebhookEvent[];
}

const maxWebhooks = 10;
const maxUrl = 500;

export const requireWebhookAdmin = (db: Tx, caller: Caller) =>
  requireOrganizationAdmin(db, caller, "manage webhooks");

export async function listWebhooks(db: Tx, caller: Caller): Promise<ShownWebhook[]> {
  await requireWebhookAdmin(db, caller);
  const { organizationId: organization_id } = caller;
  const found = await db.find(Webhook, {
    where: { organization_id },
    order: { created_at: "ASC", id: "ASC" },
  });
  return found.map(show);
}

export async function getWebhook(
  db: Tx,
  caller: Caller,
  id: string,
  options: Pick<FindOneOptions<Webhook>, "lock"> = {},
): Promise<ShownWebhook> {
  await requireWebhookAdmin(db, caller);
  const where = { organization_id: caller.organizationId, id };
  const found = await db.findOne(Webhook, { where, ...options });
  if (found === undefined) throw new AppError("not_found", "no_such_webhook");
  return show(found);
}

const lockWebhook = (tx: Tx, caller: Caller, id: string) =>
  getWebhook(tx, caller, id, { lock: { mode: "for_no_key_update" } });

const show = (row: Webhook): ShownWebhook => ({
  ...omit(row, "secret_encrypted", "busy_until"),
  is_sample: row.busy_until >= sampleUntil,
});

export interface WithSecret {
  id: string;
  /** Returned only once. */
  secret: string;
}

export async function addWebhook(
  tx: Tx,
  caller: Caller,
  secrets: JsonCipher,
  given: GivenWebhook,
): Promise<WithSecret> {
  await requireWebhookAdmin(tx, caller);
  const { organizationId: organization_id, userId: created_by } = caller;
  const clean = cleanWebhook(given);
  await lockOrganization(tx, organization_id);
  if ((await tx.count(Webhook, { organization_id })) >= maxWebhooks) {
    throw new AppError("invalid_transition", "too_many_webhooks", { max: maxWebhooks });
  }
  const id = createId("webhook");
  const secret = createWebhookSecret();
  const secret_encrypted = secrets.encrypt(secret);
  await tx.insert(Webhook, { ...clean, organization_id, id, secret_encrypted, created_by });
  await record(tx, caller, "webhook_added", { id, url: clean.url });
  return { id, secret };
}

/** For the response to the creation form, which may be submitted twice. */
export async function readWebhookSecret(
  db: Tx,
  caller: Caller,
  secrets: JsonCipher,
  id: string,
): Promise<string> {
  await requireWebhookAdmin(db, caller);
  const where = { organization_id: caller.organizationId, id };
  const found = await db.findOne(Webhook, { where });
  const secret = found === undefined ? undefined : secrets.decrypt(found.secret_encrypted);
  if (secret === undefined) throw new AppError("not_found", "no_such_webhook");
  return secret as string;
}

/** A hash of the values that a webhook change is based on. */
export function readingOfWebhook(webhook: WebhookValues): number {
  return contentHash(pickValues(webhook));
}

/** Returns undefined if nothing changes, e.g. after a double submit. */
export async function changeWebhook(
  tx: Tx,
  caller: Caller,
  id: string,
  given: GivenWebhook & { expected?: number | undefined },
): Promise<WebhookValues | undefined> {
  const webhook = await lockWebhook(tx, caller, id);
  const present = pickValues(webhook);
  const clean = cleanWebhook(given);
  if (contentHash(clean) === contentHash(present)) return undefined;
  assertUnchanged("organization", present, given.expected);
  // The new address of a sample may exist.
  const isReal = webhook.is_sample && clean.url !== present.url;
  await update(tx, caller, id, { ...clean, ...(isReal && { busy_until: new Date() }) });
  await record(tx, caller, "webhook_changed", { id, url: clean.url });
  return clean;
}

/** The previous secret stops working at once. */
export async function renewWebhookSecret(
  tx: Tx,
  caller: Caller,
  secrets: JsonCipher,
  id: string,
): Promise<WithSecret> {
  const webhook = await lockWebhook(tx, caller, id);
  const secret = createWebhookSecret();
  await update(tx, caller, id, { secret_encrypted: secrets.encrypt(secret) });
  await record(tx, caller, "webhook_changed", webhook);
  return { id, secret };
}

/** Stops deliveries. Events during the pause are never delivered. */
export async function stopWebhook(tx: Tx, caller: Caller, id: string): Promise<void> {
  const webhook = await lockWebhook(tx, caller, id);
  await update(tx, caller, id, { is_active: false, failing_since: null });
  await giveUpWaiting(tx, caller.organizationId, id);
  await record(tx, caller, "webhook_stopped", webhook);
}

export async function resumeWebhook(tx: Tx, caller: Caller, id: string): Promise<void> {
  const webhook = await lockWebhook(tx, caller, id);
  // Queued by changes that were in progress when the webhook was stopped.
  if (!webhook.is_active) await giveUpWaiting(tx, caller.organizationId, id);
  await update(tx, caller, id, { is_active: true, failing_since: null });
  await record(tx, caller, "webhook_resumed", webhook);
}

export async function removeWebhook(tx: Tx, caller: Caller, id: string): Promise<void> {
  const webhook = await lockWebhook(tx, caller, id);
  await tx.delete(Webhook, { organization_id: caller.organizationId, id });
  await record(tx, caller, "webhook_removed", webhook);
}

/** Sends a test delivery. Works while the webhook is stopped. */
export async function sendTest(tx: Tx, caller: Caller, id: string): Promise<ShownWebhook> {
  const webhook = await lockWebhook(tx, caller, id);
  await tx.insert(WebhookDelivery, {
    organization_id: caller.organizationId,
    webhook_id: id,
    id: createId("event"),
    type: webhookTest,
    data: { actor_user_id: caller.userId },
    ...(webhook.is_sample && {
      state: "failed",
      last_result: "Nothing is sent to a sample address.",
      finished_at: () => "app_now()",
    }),
  });
  return webhook;
}

/** Why deliveries to a webhook fail at present. */
export interface WebhookTrouble {
  id: string;
  /** The last result, as stored. Undefined if it was deleted meanwhile. */
  cause?: string;
  /** Time of the next attempt. Undefined if the webhook was stopped. */
  next_attempt_at?: Date;
}

/** The given-up events of a webhook that was stopped have this result. */
const pausedResult = "Webhook paused.";

/** The troubles by webhook. A stop's cause is recorded with it, but may have been deleted since. */
export async function findTroubles(
  db: Tx,
  caller: Caller,
): Promise<ReadonlyMap<string, WebhookTrouble>> {
  await requireWebhookAdmin(db, caller);
  const rows = await db.query<{ id: string; cause: string | null; next_attempt_at: Date | null }>(
    `SELECT w.id, coalesce(retried.last_result, ended.last_result) AS cause, retried.next_attempt_at
     FROM webhooks w
     LEFT JOIN LATERAL (SELECT d.last_result, d.next_attempt_at FROM webhook_deliveries d
       WHERE d.organization_id = w.organization_id AND d.webhook_id = w.id AND w.is_active
         AND d.state = 'queued' AND d.attempts > 0 AND d.last_result IS NOT NULL
       ORDER BY d.next_attempt_at LIMIT 1) retried ON true
     LEFT JOIN LATERAL (SELECT d.last_result FROM webhook_deliveries d
       WHERE d.organization_id = w.organization_id AND d.webhook_id = w.id
         AND d.state = 'failed' AND d.type <> '${webhookTest}'
         AND d.finished_at <= w.failing_since + interval '1 minute'
       ORDER BY (d.finished_at >= w.failing_since - interval '1 minute') DESC,
         (d.last_result = '${pausedResult}'), d.finished_at DESC LIMIT 1) ended ON true
     WHERE w.organization_id = $1 AND (w.failing_since IS NOT NULL OR retried.last_result IS NOT NULL)`,
    [caller.organizationId],
  );
  return new Map(
    rows.map(({ id, cause, next_attempt_at: next }) => [
      id,
      {
        id,
        // Nothing failed. The webhook was too slow for its events.
        ...(cause !== null && { cause: cause === pausedResult ? tooManyWaiting : cause }),
        ...(next !== null && { next_attempt_at: next }),
      },
    ]),
  );
}

const tooManyWaiting = "Too many events were waiting.";

const shownDeliveries = 20;

export async function findDeliveries(
  db: Tx,
  { organizationId: organization_id }: Caller,
  webhook_id: string,
): Promise<WebhookDelivery[]> {
  return db.find(WebhookDelivery, {
    where: { organization_id, webhook_id },
    order: { created_at: "DESC", id: "DESC" },
    take: shownDeliveries,
  });
}

/**
 * Older failed deliveries are deleted. No one reads them, and updating them all would take too
 * long.
 */
const keptOfWaiting = 1000;

export async function giveUpWaiting(
  tx: Tx,
  organization_id: string,
  webhook_id: string,
): Promise<void> {
  await tx.query(
    `DELETE FROM webhook_deliveries
     WHERE organization_id = $1 AND webhook_id = $2 AND state = 'queued' AND (created_at, id) < (
       SELECT d.created_at, d.id FROM webhook_deliveries d
       WHERE d.organization_id = $1 AND d.webhook_id = $2 AND d.state = 'queued'
       ORDER BY d.created_at DESC, d.id DESC OFFSET ${keptOfWaiting - 1} LIMIT 1)`,
    [organization_id, webhook_id],
  );
  await tx.update(
    WebhookDelivery,
    { organization_id, webhook_id, state: "queued" },
    {
      state: "failed",
      last_result: pausedResult,
      finished_at: () => "app_now()",
    },
  );
}

export async function renewWebhookSecrets(db: Database, secrets: JsonCipher): Promise<void> {
  const place = { keys: ["organization_id", "id"], secret: "secret_encrypted" };
  await renewSecrets(db, { table: "webhooks", ...place }, secrets);
}

/** The format of Standard Webhooks libraries. */
function createWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

type WebhookValues = Pick<Webhook, "url" | "events">;

const pickValues = ({ url, events }: WebhookValues): WebhookValues => ({ url, events });

/** The target network is checked at each delivery, because DNS changes. */
function cleanWebhook({ url, events }: GivenWebhook): WebhookValues {
  const field = { field: "url", label: "address" };
  const text = cleanText(url, { ...field, max: maxUrl });
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  const isProper =
    parsed?.protocol === "https:" &&
    parsed.username === "" &&
    parsed.password === "" &&
    parsed.hash === "" &&
    parsed.href.length <= maxUrl;
  if (!isProper) throw new AppError("validation_failed", "no_webhook_url", field);
  const chosen = webhookEvents.filter((event) => events.includes(event));
  if (chosen.length === 0) throw new AppError("validation_failed", "webhook_without_events");
  return { url: parsed.href, events: chosen };
}

async function update(
  tx: Tx,
  { organizationId: organization_id }: Caller,
  id: string,
  columns: Partial<Webhook>,
): Promise<void> {
  await tx.update(Webhook, { organization_id, id }, columns);
}

/** Logs only the host, because webhook paths often contain secrets. */
async function record(
  tx: Tx,
  caller: Caller,
  type: ActivityType,
  { id, url }: Pick<Webhook, "id" | "url">,
): Promise<void> {
  await recordCallerActivity(tx, caller, type, { webhook_id: id, host: new URL(url).host });
}
