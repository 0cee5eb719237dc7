import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { NewEnd } from "./channel-end.js";

/** Bound into a proof, so that what one side said is no proof when it is sent back. */
type Side = "connects" | "listens";

/** Cannot be guessed, and does not come twice: for secrets and for nonces. */
export function createRandom(): string {
  return randomBytes(32).toString("base64url");
}

export function isRandom(value: unknown): value is string {
  return typeof value === "string" && /^[\w-]{43}$/.test(value);
}

/** For who connects: says nothing but a nonce until the listener has proved to know the secret. */
export async function greetListener(end: NewEnd, secret: string): Promise<boolean> {
  const own = createRandom();
  end.send({ nonce: own });
  const { nonce, proof } = await end.next();
  if (!isRandom(nonce) || !isProof(proof, prove(secret, "listens", own, nonce))) return false;
  end.send({ proof: prove(secret, "connects", own, nonce) });
  return (await end.next())["accepted"] === true;
}

/** For who listens. The last word is its own: nothing else arrives before it. */
export async function answerGreeting(end: NewEnd, secret: string): Promise<boolean> {
  const own = createRandom();
  const { nonce } = await end.next();
  if (!isRandom(nonce)) return false;
  end.send({ nonce: own, proof: prove(secret, "listens", nonce, own) });
  const { proof } = await end.next();
  if (!isProof(proof, prove(secret, "connects", nonce, own))) return false;
  end.send({ accepted: true });
  return true;
}

/** The nonces in one order on both sides: first that of who connects. */
function prove(secret: string, side: Side, connecting: string, listening: string): string {
  const text = JSON.stringify([side, connecting, listening]);
  return createHmac("sha256", secret).update(text).digest("base64url");
}

function isProof(given: unknown, expected: string): boolean {
  return isRandom(given) && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}
