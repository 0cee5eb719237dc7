import type { Database, Tx } from "../../db/database.js";
import { Webhook, WebhookDelivery, webhookTest } from "../../db/entities/messaging.js";
import { deleteInBatches } from "../history/batches.js";
import { commit } from "../history/transactions.js";
import { recordActivity, serverName } from "../audit/record-activity.js";
import { giveUpWaiting } from "./webhooks.js";

export interface ClaimedDelivery extends Pick<
  WebhookDelivery,
  "organization_id" | "webhook_id" | "id" | "type" | "data" | "attempts" | "created_at"
> {
  url: string;
  secret_encrypted: Buffer;
  /** True if it has waited long. The endpoint may be too slow for the event rate. */
  is_late: boolean;
}

/** Longer than any delivery takes. If a node dies, another node retries after this time. */
const claimedFor = "1 minute";

/** Pause after a failure, so an unreachable endpoint doesn't occupy senders. */
const restsFor = "20 seconds";

/** An endpoint with more queued deliveries is stopped. It is unreachable or too slow. */
const maxWaiting = 20_000;

/** A burst of changes may keep a healthy endpoint busy this long. Afterwards it must keep up. */
const lateAfter = "1 hour";

/**
 * Limit for endpoints that respond successfully and in time. Failing more deliveries would exceed
 * the statement timeout.
 */
const maxWaitingInTime = 200_000;

const keepDays = 7;

const isDue = `w.busy_until <= app_now() AND EXISTS (
  SELECT FROM webhook_deliveries d WHERE d.organization_id = w.organization_id
    AND d.webhook_id = w.id AND d.state = 'queued' AND d.next_attempt_at <= app_now()
    AND (w.is_active OR d.type = '${webhookTest}'))`;

/** Per organization, so that many endpoints don't get an organization more turns. */
const lastTurn = `(SELECT max(o.busy_until) FROM webhooks o WHERE o.organization_id = w.organization_id)`;

/**
 * Claims a due delivery at an endpoint that no other node delivers to. Each endpoint gets one
 * delivery at a time. Organizations take turns, and organizations in `served` wait.
 */
export async function claimDelivery(
  db: Database,
  served: readonly string[] = [],
): Promise<ClaimedDelivery | undefined> {
  return commit({ db, caller: null }, async (tx) => {
    const webhook = await tx.maybe<
      Pick<Webhook, "organization_id" | "id" | "url" | "is_active" | "secret_encrypted">
    >(
      `UPDATE webhooks SET busy_until = app_now() + interval '${claimedFor}'
         WHERE (organization_id, id) = (
           SELECT w.organization_id, w.id FROM webhooks w
           WHERE w.organization_id <> ALL ($1) AND ${isDue}
           ORDER BY ${lastTurn}, w.busy_until, w.id LIMIT 1 FOR NO KEY UPDATE OF w SKIP LOCKED)
         RETURNING organization_id, id, url, is_active, secret_encrypted`,
      [served],
    );
    if (webhook === undefined) return undefined;
    const { organization_id, id: webhook_id, url, is_active, secret_encrypted } = webhook;
    const delivery = await tx.maybe<Omit<ClaimedDelivery, "url" | "secret_encrypted">>(
      `UPDATE webhook_deliveries SET attempts = attempts + 1
         WHERE organization_id = $1 AND webhook_id = $2 AND id = (
           SELECT d.id FROM webhook_deliveries d
           WHERE d.organization_id = $1 AND d.webhook_id = $2 AND d.state = 'queued'
             AND d.next_attempt_at <= app_now() AND ($3 OR d.type = '${webhookTest}')
           ORDER BY d.next_attempt_at, d.id LIMIT 1)
         RETURNING organization_id, webhook_id, id, type, data, attempts, created_at,
           created_at < app_now() - interval '${lateAfter}' AS is_late`,
      [organization_id, webhook_id, is_active],
    );
    return delivery && { ...delivery, url, secret_encrypted };
  });
}

/** The outcome of a delivery, in our own words. */
export interface Outcome {
  result: string;
  /** Delay before the next attempt. Undefined if there is none. */
  delayMs?: number | undefined;
  isDelivered: boolean;
  /** True if the endpoint responded 410 Gone. */
  isGone: boolean;
}

/**
 * Records the outcome. If a delivery finally failed, stops the webhook and fails its queued
 * deliveries, unless its URL changed meanwhile.
 */
export async function concludeDelivery(
  db: Database,
  { organization_id, webhook_id, id, type, attempts, url, is_late: isLate }: ClaimedDelivery,
  { result, delayMs, isDelivered, isGone }: Outcome,
): Promise<void> {
  const isOver = isDelivered || isGone || delayMs === undefined;
  const isFailed = isOver && !isDelivered;
  const max = isDelivered && !isLate ? maxWaitingInTime : maxWaiting;
  await commit({ db, caller: null }, async (tx) => {
    const rest = isDelivered || type === webhookTest ? "0 seconds" : restsFor;
    await tx.update(
      Webhook,
      { organization_id, id: webhook_id },
      { busy_until: () => `app_now() + interval '${rest}'` },
    );
    const affected = await tx.update(
      WebhookDelivery,
      { organization_id, webhook_id, id, attempts, state: "queued" },
      {
        last_result: result,
        ...(isOver
          ? { state: isDelivered ? "delivered" : "failed", finished_at: () => "app_now()" }
          : { next_attempt_at: () => `app_now() + interval '${delayMs} milliseconds'` }),
      },
    );
    if (type === webhookTest || affected === 0) return;
    const beyond = await tx.query(
      `SELECT FROM webhook_deliveries
       WHERE organization_id = $1 AND webhook_id = $2 AND state = 'queued' OFFSET $3 LIMIT 1`,
      [organization_id, webhook_id, max],
    );
    if (isFailed || beyond.length > 0) await stopFailing(tx, organization_id, webhook_id, url);
  });
}

async function stopFailing(
  tx: Tx,
  organization_id: string,
  id: string,
  url: string,
): Promise<void> {
  const affected = await tx.update(
    Webhook,
    { organization_id, id, url, is_active: true },
    { is_active: false, failing_since: () => "app_now()" },
  );
  if (affected === 0) return;
  await giveUpWaiting(tx, organization_id, id);
  await recordActivity(tx, {
    organizationId: organization_id,
    actorName: serverName,
    type: "webhook_failed",
    details: { webhook_id: id, host: new URL(url).host },
  });
}

export async function cleanUpDeliveries(db: Database): Promise<void> {
  await deleteInBatches(
    db,
    "webhook_deliveries",
    `finished_at < app_now() - interval '${keepDays} days'`,
  );
}
