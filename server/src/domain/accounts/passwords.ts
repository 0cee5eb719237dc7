import { hash, verify } from "@node-rs/argon2";
import { AppError } from "../../errors.js";
import { toAddressKey } from "../shared/address-key.js";
import { tooMany } from "../../traffic/too-many.js";
import type { Origin } from "../audit/record-activity.js";
import { createFairTurns } from "../../traffic/slots.js";
import { toNfkc } from "../shared/text.js";
import { slots } from "../../traffic/bounds.js";

const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const currentPrefix = "$argon2id$v=19$m=19456,t=2,p=1$";

const leastCharacters = 10;
const maxBytes = 1024;

/** Of a random password nobody has: verifying against it takes as long as against a real one. */
const nobodysHash =
  "$argon2id$v=19$m=19456,t=2,p=1$2kD8xal1Q7+3I3kSokhiLg$iybvPDLYI+FfKyKrg7UMlZT2Ty/aokzJVDm0t9lJ7Cg";

/** libuv has four threads for all that reads files, packs and looks up names: two stay free for that. */
export const passwordTurns = createFairTurns(slots.passwords.most, {
  maxWaitMs: slots.passwords.waitMs,
  giveUp: () => tooMany("passwords", 10_000),
});

/** In whose line a password waits: that of the network it comes from, or else of the account. */
export function lineOf(origin: Origin | undefined, account: string): string {
  return origin?.ipAddress === undefined ? account : toAddressKey(origin.ipAddress);
}

/** Refuses a password that is too short, too long, or plain to guess. */
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
 * Argon2id; the parameters are part of the text. The same characters may be typed in several ways.
 * Waits for the turn of `line`, and so belongs before a transaction.
 */
export async function hashPassword(password: string, line: string): Promise<string> {
  return passwordTurns(line, () => hash(toNfkc(password), parameters));
}

/**
 * Whether the password is right. Without a hash to compare with, it takes as long and is wrong, so
 * that the time does not tell which accounts exist. Waits as `hashPassword` does.
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

/** Whether a hash was made with other parameters than today's. */
export function isOutdated(passwordHash: string): boolean {
  return !passwordHash.startsWith(currentPrefix);
}

function isTooLong(password: string): boolean {
  return Buffer.byteLength(password) > maxBytes;
}
