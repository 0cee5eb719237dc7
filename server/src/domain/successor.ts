import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { Scope } from "fettle-shared";
import { toScopes } from "./scopes.js";

/** What one use of a code or refresh token issues. */
export interface TokenPair {
  accessToken: string;
  refreshToken: string;
  /** What the access token may do. */
  scopes: Scope[];
}

const ivLength = 12;
const tagLength = 16;

/**
 * Seals the successor of a refresh token under a key that only the presented token yields, so the
 * database alone reveals nothing (HKDF-SHA-256, then AES-256-GCM: nonce, tag, ciphertext).
 */
export function sealSuccessor(presented: string, pair: TokenPair): Buffer {
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv("aes-256-gcm", keyOf(presented), iv);
  const text = JSON.stringify([pair.accessToken, pair.refreshToken, pair.scopes]);
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}

/** Throws when the blob was not sealed under this token. */
export function openSuccessor(presented: string, sealed: Buffer): TokenPair {
  const decipher = createDecipheriv("aes-256-gcm", keyOf(presented), sealed.subarray(0, ivLength));
  decipher.setAuthTag(sealed.subarray(ivLength, ivLength + tagLength));
  const body = sealed.subarray(ivLength + tagLength);
  const text = Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
  const [accessToken, refreshToken, scopes] = JSON.parse(text) as [string, string, string[]];
  return { accessToken, refreshToken, scopes: toScopes(scopes) };
}

function keyOf(presented: string): Buffer {
  return Buffer.from(hkdfSync("sha256", presented, "", "fettle refresh successor", 32));
}
