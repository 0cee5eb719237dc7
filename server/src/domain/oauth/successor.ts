import { hkdfSync } from "node:crypto";
import type { Scope } from "fettle-shared";
import { toScopes } from "./scopes.js";
import { encrypt, decrypt } from "../shared/encryption.js";

/** What one use of a code or refresh token issues. */
export interface TokenPair {
  accessToken: string;
  refreshToken: string;
  /** What the access token may do. */
  scopes: Scope[];
}

/**
 * Encrypts the successor of a refresh token under a key that only the presented token yields, so the
 * database alone reveals nothing (HKDF-SHA-256, then AES-256-GCM).
 */
export function encryptSuccessor(presented: string, pair: TokenPair): Buffer {
  return encrypt(
    keyOf(presented),
    JSON.stringify([pair.accessToken, pair.refreshToken, pair.scopes]),
  );
}

/** Throws when the blob was not encrypted under this token. */
export function decryptSuccessor(presented: string, encrypted: Buffer): TokenPair {
  const [accessToken, refreshToken, scopes] = JSON.parse(decrypt(keyOf(presented), encrypted)) as [
    string,
    string,
    string[],
  ];
  return { accessToken, refreshToken, scopes: toScopes(scopes) };
}

function keyOf(presented: string): Buffer {
  return Buffer.from(hkdfSync("sha256", presented, "", "fettle refresh successor", 32));
}
