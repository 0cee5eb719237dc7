import type { Database, Tx } from "../../db/database.js";
import { Webhook, WebhookDelivery, webhookTest } from "../../db/entities/messaging.js";
import { deleteInBatches } from "../history/batches.js";
import { commit } from "../history/transactions.js";
import { recordActivity, serverName } from "../audit/record-activity.js";
import { giveUpWaiting } from "./webhooks.js";

/** A delivery that this node shall make now, and where to. */
export interface ClaimedDelivery extends Pick<
  WebhookDelivery,
  "organization_id" | "webhook_id" | "id" | "type" | "data" | "attempts" | "created_at"
> {
  url: string;
  secret_encrypted: Buffer;
  /** It has waited for long: the address may be too slow for what happens. */
  is_late: boolean;
}

/** Longer than a delivery ever takes: when a node dies meanwhile, another one takes over after this. */
const claimedFor = "1 minute";

/** After a failure an address rests, so that one that is away keeps nobody busy. */
const restsFor = "20 seconds";

/** Who waits for more is stopped: it has been away for long, or is too slow for what happens. */
const maxWaiting = 20_000;

/** Many changes at once take an address that answers well so long; one that needs longer must keep up. */
const lateAfter = "1 hour";

/** Of an address that answers well and in time: to give up more takes longer than a statement may. */
const maxWaitingInTime = 200_000;

/** How long what is finished is shown. */
const keepDays = 7;

const isDue = `w.busy_until <= fettle_now() AND EXISTS (
  SELECT FROM webhook_deliveries d WHERE d.organization_id = w.organization_id
    AND d.webhook_id = w.id AND d.state = 'queued' AND d.next_attempt_at <= fettle_now()
    AND (w.is_active OR d.type = '${webhookTest}'))`;

/** Of its organization, so that one with many addresses has no more turns than others. */
const lastTurn = `(SELECT max(o.busy_until) FROM webhooks o WHERE o.organization_id = w.organization_id)`;

/**
 * Takes what is due at an address that no other node delivers to; each address has one delivery at a time.
 * Organizations have turns, and what is due for those that are served already waits.
 */
export async function claimDelivery(
  db: Database,
  served: readonly string[] = [],
): Promise<ClaimedDelivery | undefined> {
  return commit({ db, caller: null }, async (tx) => {
    const webhook = await tx.maybe<
      Pick<Webhook, "organization_id" | "id" | "url" | "is_active" | "secret_encrypted">
    >(
      `UPDATE webhooks SET busy_until = fettle_now() + interval '${claimedFor}'
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
             AND d.next_attempt_at <= fettle_now() AND ($3 OR d.type = '${webhookTest}')
           ORDER BY d.next_attempt_at, d.id LIMIT 1)
         RETURNING organization_id, webhook_id, id, type, data, attempts, created_at,
           created_at < fettle_now() - interval '${lateAfter}' AS is_late`,
      [organization_id, webhook_id, is_active],
    );
    return delivery && { ...delivery, url, secret_encrypted };
  });
}

/** How a delivery came out, in our words. */
export interface Outcome {
  result: string;
  /** Until the next try; undefined when there is none. */
  delayMs?: number | undefined;
  isDelivered: boolean;
  /** Whether the address asked for no more (410). */
  isGone: boolean;
}

/**
 * Keeps how it came out. An address at which something was given up is stopped, and what waits for it with it;
 * not one that took its place meanwhile.
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
      { busy_until: () => `fettle_now() + interval '${rest}'` },
    );
    const affected = await tx.update(
      WebhookDelivery,
      { organization_id, webhook_id, id, attempts, state: "queued" },
      {
        last_result: result,
        ...(isOver
          ? { state: isDelivered ? "delivered" : "failed", finished_at: () => "fettle_now()" }
          : { next_attempt_at: () => `fettle_now() + interval '${delayMs} milliseconds'` }),
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
    { is_active: false, failing_since: () => "fettle_now()" },
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
    `finished_at < fettle_now() - interval '${keepDays} days'`,
  );
}
