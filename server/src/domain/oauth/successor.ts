import { hkdfSync } from "node:crypto";
import type { Scope } from "fettle-shared";
import { toScopes } from "./scopes.js";
import { encrypt, decrypt } from "../shared/encryption.js";

export interface TokenPair {
  accessToken: string;
  refreshToken: string;
  scopes: Scope[];
}

/**
 * Encrypts a refresh token's successor under a key derived from the presented token (HKDF-SHA-256,
 * then AES-256-GCM). Without the keys, the database reveals nothing.
 */
export function encryptSuccessor(presented: string, pair: TokenPair): Buffer {
  return encrypt(
    keyOf(presented),
    JSON.stringify([pair.accessToken, pair.refreshToken, pair.scopes]),
  );
}

/** Throws if the data was not encrypted under this token. */
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
