import { randomBytes } from "node:crypto";
import type { Tx } from "../../db/database.js";
import { RecoveryCode } from "../../db/entities/accounts.js";
import { hashSecret } from "../shared/secrets.js";

const recoveryCodesAtATime = 10;

/** 80 random bits in Crockford base 32: too many to recover from the hash. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const length = 16;

/**
 * Replaces all recovery codes with ten new ones. They are returned only once and stored as hashes.
 */
export async function makeRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodesAtATime }, createCode);
  const stored = codes.map((code) => ({ user_id: userId, code_hash: hashCode(userId, code) }));
  await tx.delete(RecoveryCode, { user_id: userId });
  await tx.insert(RecoveryCode, stored);
  return codes.map((code) => code.match(/.{4}/g)?.join("-") ?? code);
}

/** Consumes a code. If two requests send it at once, one gets true. */
export async function useRecoveryCode(tx: Tx, userId: string, typed: string): Promise<boolean> {
  const code = typed.replaceAll("o", "0").replace(/[il]/g, "1");
  if (code.length !== length) return false;
  const affected = await tx.delete(RecoveryCode, {
    user_id: userId,
    code_hash: hashCode(userId, code),
  });
  return affected === 1;
}

function createCode(): string {
  return Array.from(randomBytes(length), (byte) => alphabet.charAt(byte & 31)).join("");
}

/** Includes the person, so a guess tests only one account. */
function hashCode(userId: string, code: string): Buffer {
  return hashSecret(`${userId} ${code}`);
}
