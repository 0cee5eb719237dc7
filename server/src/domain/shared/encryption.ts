import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const ivLength = 12;
const tagLength = 16;

/** AES-256-GCM with a 32-byte key. Returns nonce, tag, ciphertext. */
export function encrypt(key: Buffer, text: string): Buffer {
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}

/** Throws if the data was encrypted with another key or modified. */
export function decrypt(key: Buffer, encrypted: Buffer): string {
  const decipher = createDecipheriv("aes-256-gcm", key, encrypted.subarray(0, ivLength), {
    authTagLength: tagLength,
  });
  decipher.setAuthTag(encrypted.subarray(ivLength, ivLength + tagLength));
  const body = encrypted.subarray(ivLength + tagLength);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
}

/** Encrypts values as JSON, for one purpose. */
export interface JsonCipher {
  encrypt: (value: unknown) => Buffer;
  /** Undefined if no key decrypts it, or it was modified. */
  decrypt: (encrypted: Buffer) => unknown;
  /**
   * Re-encrypts with the newest key. Undefined if that is already its key, or no key decrypts it.
   */
  renew: (encrypted: Buffer) => Buffer | undefined;
}

/** Encrypts with the newest key and decrypts with any key. */
export function createJsonCipher(secretKeys: readonly string[], purpose: string): JsonCipher {
  const keys = secretKeys.map((key) => Buffer.from(hkdfSync("sha256", key, "", purpose, 32)));
  const newest = keys[0];
  if (newest === undefined) throw new Error(`${purpose} needs at least one secret key.`);
  const open = (encrypted: Buffer) => {
    for (const key of keys) {
      try {
        return { key, text: decrypt(key, encrypted) };
      } catch {
        // Encrypted with another key.
      }
    }
    return undefined;
  };
  return {
    encrypt: (value) => encrypt(newest, JSON.stringify(value)),
    decrypt(encrypted) {
      const opened = open(encrypted);
      return opened === undefined ? undefined : (JSON.parse(opened.text) as unknown);
    },
    renew(encrypted) {
      const opened = open(encrypted);
      return opened === undefined || opened.key === newest
        ? undefined
        : encrypt(newest, opened.text);
    },
  };
}
