import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
} from "node:crypto";

/** The part of a browser: makes a subscription and decrypts messages (RFC 8291, RFC 8188). */
export function aSubscription(endpoint = "https://push.example.com/send/1") {
  const pair = createECDH("prime256v1");
  const ownKey = pair.generateKeys();
  const auth = randomBytes(16);
  const keys = { p256dh: ownKey.toString("base64url"), auth: auth.toString("base64url") };

  function decrypt(message: Buffer): unknown {
    const salt = message.subarray(0, 16);
    const idLength = message.readUInt8(20);
    const serverKey = message.subarray(21, 21 + idLength);
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), ownKey, serverKey]);
    const secret = hkdfSync("sha256", pair.computeSecret(serverKey), auth, info, 32);
    const derive = (name: string, length: number) =>
      Buffer.from(
        hkdfSync("sha256", Buffer.from(secret), salt, `Content-Encoding: ${name}\0`, length),
      );
    const decipher = createDecipheriv("aes-128-gcm", derive("aes128gcm", 16), derive("nonce", 12));
    const body = message.subarray(21 + idLength);
    decipher.setAuthTag(body.subarray(-16));
    const padded = Buffer.concat([decipher.update(body.subarray(0, -16)), decipher.final()]);
    // The last record ends with the delimiter 2 and padding of zeros.
    return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString());
  }

  return { subscription: { endpoint, keys }, decrypt };
}

/** Verifies the sender's signature (RFC 8292). Returns its claims. */
export function readVapid(authorization: string, publicKey: string): Record<string, unknown> {
  const [, token = "", key] = /^vapid t=([^,]+), ?k=(.+)$/.exec(authorization) ?? [];
  if (key !== publicKey) throw new Error(`The key is ${key}.`);
  const [head = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(publicKey, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) =>
    part.toString("base64url"),
  );
  const jwk = {
    kty: "EC",
    crv: "P-256",
    ...(x !== undefined && { x }),
    ...(y !== undefined && { y }),
  };
  const isSigned = verify(
    "sha256",
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (!isSigned) throw new Error("The signature is wrong.");
  return JSON.parse(Buffer.from(claims, "base64url").toString()) as Record<string, unknown>;
}
