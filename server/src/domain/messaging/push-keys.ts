import { createECDH, hkdfSync } from "node:crypto";
import { createJsonCipher, type JsonCipher } from "../shared/encryption.js";

/** The order of the curve P-256. */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** Identifies this server to push services (VAPID, RFC 8292). In base64url. */
export interface PushKey {
  publicKey: string;
  privateKey: string;
}

export interface PushKeys {
  /** For new subscriptions. */
  newest: PushKey;
  /** The key that a subscription was made for. Undefined if it is no longer in SECRET_KEYS. */
  find: (publicKey: string) => PushKey | undefined;
  secrets: JsonCipher;
}

/**
 * Derived, so all nodes have the same and none is stored. A subscription works only with the key
 * that it was made for.
 */
export function createPushKeys(secretKeys: readonly string[]): PushKeys {
  const keys = secretKeys.map(deriveKey);
  const [newest] = keys;
  if (newest === undefined) throw new Error("Push messages need at least one secret key.");
  return {
    newest,
    find: (publicKey) => keys.find((key) => key.publicKey === publicKey),
    secrets: createJsonCipher(secretKeys, "fettle push subscription"),
  };
}

/** With 48 bytes, the remainder is as good as evenly distributed (FIPS 186-5, A.2.1). */
function deriveKey(secretKey: string): PushKey {
  const bytes = Buffer.from(hkdfSync("sha256", secretKey, "", "fettle vapid", 48));
  const scalar = (BigInt(`0x${bytes.toString("hex")}`) % (order - 1n)) + 1n;
  const privateKey = Buffer.from(scalar.toString(16).padStart(64, "0"), "hex");
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(privateKey);
  return {
    publicKey: pair.getPublicKey("base64url"),
    privateKey: privateKey.toString("base64url"),
  };
}
