import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const cipher = "aes-256-gcm";
const saltBytes = 16;
const ivBytes = 12;
const tagBytes = 16;

/**
 * Makes a text readable only for holders of a refresh token: AES-256-GCM under a key derived from
 * it with HKDF-SHA-256. The purpose is bound in, so that a record cannot stand in for another.
 */
export function seal(text: string, refreshToken: string, purpose: string): string {
  const salt = randomBytes(saltBytes);
  const iv = randomBytes(ivBytes);
  const encryption = createCipheriv(cipher, toKey(refreshToken, salt, purpose), iv);
  const sealed = Buffer.concat([encryption.update(text, "utf8"), encryption.final()]);
  return Buffer.concat([salt, iv, encryption.getAuthTag(), sealed]).toString("base64url");
}

/** Undefined when the record is damaged, or was sealed with another token or for another purpose. */
export function unseal(record: string, refreshToken: string, purpose: string): string | undefined {
  const bytes = Buffer.from(record, "base64url");
  const [salt, iv, tag, sealed] = cut(bytes, saltBytes, ivBytes, tagBytes);
  if (tag.length < tagBytes) return undefined;
  try {
    const decryption = createDecipheriv(cipher, toKey(refreshToken, salt, purpose), iv);
    decryption.setAuthTag(tag);
    return Buffer.concat([decryption.update(sealed), decryption.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}

function toKey(refreshToken: string, salt: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", refreshToken, salt, `fettle-bridge ${purpose}`, 32));
}

function cut(bytes: Buffer, first: number, second: number, third: number) {
  const ends = [first, first + second, first + second + third] as const;
  return [
    bytes.subarray(0, ends[0]),
    bytes.subarray(ends[0], ends[1]),
    bytes.subarray(ends[1], ends[2]),
    bytes.subarray(ends[2]),
  ] as const;
}
