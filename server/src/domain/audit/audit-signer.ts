import { createPrivateKey, createPublicKey, hkdfSync, sign, verify } from "node:crypto";

/** Signs with Ed25519 (RFC 8032), with keys derived from `SECRET_KEYS`. */
export interface AuditSigner {
  /** Base64url, like `x` of a JWK (RFC 8037). Newest key first. */
  readonly publicKeys: readonly string[];
  /** Signs with the newest key. Returns base64url. */
  sign: (text: string) => string;
}

/** PKCS #8 prefix of the 32 bytes of an Ed25519 key (RFC 8410). */
const pkcs8Head = Buffer.from("302e020100300506032b657004220420", "hex");

export function createAuditSigner(secretKeys: readonly string[]): AuditSigner {
  const keys = secretKeys.map((secret) => {
    const seed = Buffer.from(hkdfSync("sha256", secret, "", "fettle audit", 32));
    return createPrivateKey({
      key: Buffer.concat([pkcs8Head, seed]),
      format: "der",
      type: "pkcs8",
    });
  });
  const newest = keys[0];
  if (newest === undefined) throw new Error("The audit log needs at least one secret key.");
  return {
    publicKeys: keys.map((key) => createPublicKey(key).export({ format: "jwk" }).x ?? ""),
    sign: (text) => sign(null, Buffer.from(text), newest).toString("base64url"),
  };
}

export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  try {
    const key = createPublicKey({
      key: { kty: "OKP", crv: "Ed25519", x: publicKey },
      format: "jwk",
    });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, "base64url"));
  } catch {
    // Not a valid key.
    return false;
  }
}
