import { z } from "zod";
import { Not, type Tx } from "../../db/database.js";
import { PushSubscription } from "../../db/entities/messaging.js";
import { hashSecret } from "../shared/secrets.js";
import type { PushKeys } from "./push-keys.js";

const base64url = (bytes: number) =>
  z.string().refine((text) => /^[\w-]+={0,2}$/.test(text) && toBytes(text) === bytes);
const toBytes = (text: string) => Buffer.from(text, "base64url").length;

/** As browsers write it. The target network is checked at each delivery. */
const subscriptionSchema = z.object({
  endpoint: z.url({ protocol: /^https$/ }).max(1000),
  keys: z.object({ p256dh: base64url(65), auth: base64url(16) }),
});

export type GivenSubscription = z.infer<typeof subscriptionSchema>;

/** With the public key that the browser got from us. */
export interface StoredSubscription extends GivenSubscription {
  publicKey: string;
}

/** Undefined if it isn't a browser's subscription. */
export function readSubscription(text: string): GivenSubscription | undefined {
  try {
    return subscriptionSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Per person. The oldest is replaced. */
const maxSubscriptions = 10;

/** A browser that another person used before is now this person's. Returns the browser's mark. */
export async function addSubscription(
  tx: Tx,
  userId: string,
  keys: PushKeys,
  given: GivenSubscription,
): Promise<string> {
  const hash = hashSecret(given.endpoint);
  const stored: StoredSubscription = { ...given, publicKey: keys.newest.publicKey };
  await tx.query("DELETE FROM push_subscriptions WHERE endpoint_hash = $1", [hash]);
  await tx.insert(PushSubscription, {
    endpoint_hash: hash,
    user_id: userId,
    subscription_encrypted: keys.secrets.encrypt(stored),
  });
  await tx.query(
    `DELETE FROM push_subscriptions WHERE endpoint_hash IN (
       SELECT endpoint_hash FROM push_subscriptions WHERE user_id = $1 AND endpoint_hash <> $2
       ORDER BY created_at DESC OFFSET ${maxSubscriptions - 1})`,
    [userId, hash],
  );
  return hash.toString("base64url");
}

/** True if the browser with this mark shows the person's notifications. */
export async function isSubscribed(db: Tx, userId: string, mark: string): Promise<boolean> {
  return db.exists(PushSubscription, { endpoint_hash: toHash(mark), user_id: userId });
}

/** Ends the person's subscription in the browser with this mark. */
export async function endSubscription(tx: Tx, userId: string, mark: string): Promise<void> {
  await tx.delete(PushSubscription, { endpoint_hash: toHash(mark), user_id: userId });
}

/** Ends another person's subscription in a browser that this person has signed in to. */
export async function endOthersSubscription(tx: Tx, userId: string, mark: string): Promise<void> {
  await tx.delete(PushSubscription, { endpoint_hash: toHash(mark), user_id: Not(userId) });
}

const toHash = (mark: string) => Buffer.from(mark, "base64url");
