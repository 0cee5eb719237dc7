import type { Database } from "../../db/database.js";
import { PushMessage, PushSubscription } from "../../db/entities/messaging.js";
import { commit } from "../history/transactions.js";

export interface ClaimedPush extends Pick<
  PushMessage,
  "id" | "organization_id" | "endpoint_hash" | "body_encrypted" | "attempts"
> {
  subscription_encrypted: Buffer;
  locale: string;
}

/** Longer than any attempt to send. If a node dies, another node retries after this time. */
const claimedFor = "1 minute";

/** Claims the next due message for this node, of an organization that isn't in `served`. */
export async function claimPush(
  db: Database,
  served: readonly string[],
): Promise<ClaimedPush | undefined> {
  return db.maybe<ClaimedPush>(
    `UPDATE push_messages m SET attempts = m.attempts + 1,
       next_attempt_at = app_now() + interval '${claimedFor}'
     FROM push_subscriptions s JOIN users u ON u.id = s.user_id
     WHERE s.endpoint_hash = m.endpoint_hash AND m.id = (
       SELECT d.id FROM push_messages d
       WHERE d.next_attempt_at <= app_now() AND d.expires_at > app_now()
         AND d.organization_id <> ALL ($1)
       ORDER BY d.next_attempt_at, d.id LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING m.id, m.organization_id, m.endpoint_hash, m.body_encrypted, m.attempts,
       s.subscription_encrypted, u.locale`,
    [served],
  );
}

/**
 * "over": sent, or nothing is left to say. "gone": the browser no longer wants messages. Otherwise
 * the delay before the next attempt.
 */
export type PushOutcome = "over" | "gone" | { delayMs: number };

/** Does nothing if another node has claimed the message meanwhile. */
export async function concludePush(
  db: Database,
  { id, attempts, endpoint_hash }: ClaimedPush,
  outcome: PushOutcome,
): Promise<void> {
  await commit({ db, caller: null }, async (tx) => {
    if (outcome === "gone") await tx.delete(PushSubscription, { endpoint_hash });
    else if (outcome === "over") await tx.delete(PushMessage, { id, attempts });
    else {
      await tx.update(
        PushMessage,
        { id, attempts },
        { next_attempt_at: () => `app_now() + interval '${outcome.delayMs} milliseconds'` },
      );
    }
  });
}
