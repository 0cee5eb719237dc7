import { createHash, randomBytes } from "node:crypto";

/** 256 random bits in base64url, after a prefix that secret scanners and log redaction know. */
export function createSecret(prefix = ""): string {
  return prefix + randomBytes(32).toString("base64url");
}

/** SHA-256 is enough for secrets of 256 random bits. Only the hash is stored. */
export function hashSecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
