import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const cipher = "aes-256-gcm";
const saltBytes = 16;
const ivBytes = 12;
const tagBytes = 16;
const headerBytes = saltBytes + ivBytes + tagBytes;

/**
 * Makes a text readable only for holders of a refresh token: AES-256-GCM under a key derived from
 * it with HKDF-SHA-256. The purpose is bound in, so that a record cannot stand in for another.
 */
export function encrypt(text: string, refreshToken: string, purpose: string): string {
  const salt = randomBytes(saltBytes);
  const iv = randomBytes(ivBytes);
  const encryption = createCipheriv(cipher, toKey(refreshToken, salt, purpose), iv);
  const encrypted = Buffer.concat([encryption.update(text, "utf8"), encryption.final()]);
  return Buffer.concat([salt, iv, encryption.getAuthTag(), encrypted]).toString("base64url");
}

/** Undefined when the record is damaged, or was encrypted with another token or for another purpose. */
export function decrypt(record: string, refreshToken: string, purpose: string): string | undefined {
  const bytes = Buffer.from(record, "base64url");
  if (bytes.length < headerBytes) return undefined;
  const salt = bytes.subarray(0, saltBytes);
  const iv = bytes.subarray(saltBytes, saltBytes + ivBytes);
  try {
    const decryption = createDecipheriv(cipher, toKey(refreshToken, salt, purpose), iv);
    decryption.setAuthTag(bytes.subarray(saltBytes + ivBytes, headerBytes));
    const text = [decryption.update(bytes.subarray(headerBytes)), decryption.final()];
    return Buffer.concat(text).toString("utf8");
  } catch {
    return undefined;
  }
}

function toKey(refreshToken: string, salt: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", refreshToken, salt, `fettle-bridge ${purpose}`, 32));
}
