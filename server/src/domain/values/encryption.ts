import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const ivLength = 12;
const tagLength = 16;

/** AES-256-GCM under a key of 32 bytes: nonce, tag, ciphertext. */
export function encrypt(key: Buffer, text: string): Buffer {
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}

/** Throws when the blob was not encrypted under this key, or changed since. */
export function decrypt(key: Buffer, encrypted: Buffer): string {
  const decipher = createDecipheriv("aes-256-gcm", key, encrypted.subarray(0, ivLength), {
    authTagLength: tagLength,
  });
  decipher.setAuthTag(encrypted.subarray(ivLength, ivLength + tagLength));
  const body = encrypted.subarray(ivLength + tagLength);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
}
