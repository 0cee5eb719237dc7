import { hash, verify } from "@node-rs/argon2";
import { AppError } from "../../errors.js";
import { toAddressKey } from "../shared/address-key.js";
import { rateLimited } from "../../traffic/rate-limited.js";
import type { Origin } from "../audit/record-activity.js";
import { createFairQueue } from "../../traffic/slots.js";
import { toNfkc } from "../shared/text.js";
import { slots } from "../../traffic/bounds.js";

const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const currentPrefix = "$argon2id$v=19$m=19456,t=2,p=1$";

const leastCharacters = 10;
const maxBytes = 1024;

/** Hash of a random, unused password. Verifying against it takes as long as against a real one. */
const nobodysHash =
  "$argon2id$v=19$m=19456,t=2,p=1$2kD8xal1Q7+3I3kSokhiLg$iybvPDLYI+FfKyKrg7UMlZT2Ty/aokzJVDm0t9lJ7Cg";

/** libuv has four threads for file reads, compression and name lookups. Two stay free for them. */
export const passwordTurns = createFairQueue(slots.passwords.most, {
  maxWaitMs: slots.passwords.waitMs,
  giveUp: () => rateLimited("passwords", 10_000),
});

/** The queue that a password waits in: its network's, or else the account's. */
export function lineOf(origin: Origin | undefined, account: string): string {
  return origin?.ipAddress === undefined ? account : toAddressKey(origin.ipAddress);
}

/** Throws if a password is too short, too long or easy to guess. */
export function checkPassword(password: string, email: string): void {
  const field = "password";
  const characters = Array.from(password);
  if (characters.length < leastCharacters) {
    throw new AppError("validation_failed", "too_short", { field, min: leastCharacters });
  }
  if (isTooLong(password)) {
    throw new AppError("validation_failed", "too_many_bytes", { field, max: maxBytes });
  }
  if (new Set(characters).size < 4) {
    throw new AppError("validation_failed", "too_uniform", { field });
  }
  if (password.toLowerCase() === email.toLowerCase()) {
    throw new AppError("validation_failed", "is_the_email", { field });
  }
}

/**
 * Hashes with Argon2id. The parameters are part of the hash. Characters that can be typed in
 * several ways are normalized. Waits for the turn of `line`, so call it before a transaction.
 */
export async function hashPassword(password: string, line: string): Promise<string> {
  return passwordTurns(line, () => hash(toNfkc(password), parameters));
}

/**
 * Returns true if the password is right. Without a hash it takes equally long and returns false, so
 * timing doesn't reveal accounts. Waits like `hashPassword`.
 */
export async function verifyPassword(
  passwordHash: string | undefined,
  password: string,
  line: string,
): Promise<boolean> {
  const candidate = isTooLong(password) ? "" : toNfkc(password);
  const matches = await passwordTurns(line, () => verify(passwordHash ?? nobodysHash, candidate));
  return matches && passwordHash !== undefined && candidate !== "";
}

/** Returns true if a hash was made with outdated parameters. */
export function isOutdated(passwordHash: string): boolean {
  return !passwordHash.startsWith(currentPrefix);
}

function isTooLong(password: string): boolean {
  return Buffer.byteLength(password) > maxBytes;
}
