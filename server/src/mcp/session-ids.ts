import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

/**
 * The forms capability from a client's session. "unknown": the id was not issued to this
 * connection.
 */
export type Session = "forms" | "noForms" | "unknown";

export interface SessionIds {
  /** Issues a session id, which contains the client's declaration. */
  issue: (connectionId: string, declaresForms: boolean) => string;
  /** Clients without a session count as having declared nothing. */
  read: (id: string | undefined, connectionId: string) => Session;
}

const macLength = 16;
const nonceLength = 12;

/** Sessions are not stored: every node verifies signatures of all keys. */
export function createSessionIds(secretKeys: readonly string[]): SessionIds {
  const keys = secretKeys.map((key) =>
    Buffer.from(hkdfSync("sha256", key, "", "fettle mcp session", 32)),
  );
  const newest = keys[0];
  if (newest === undefined) throw new Error("Session ids need at least one secret key.");
  return {
    issue(connectionId, declaresForms) {
      const payload = Buffer.from([declaresForms ? 1 : 0, ...randomBytes(nonceLength)]);
      return Buffer.concat([sign(newest, payload, connectionId), payload]).toString("base64url");
    },
    read(id, connectionId) {
      if (id === undefined) return "noForms";
      const bytes = Buffer.from(id, "base64url");
      const mac = bytes.subarray(0, macLength);
      const payload = bytes.subarray(macLength);
      const isGenuine =
        mac.length === macLength &&
        keys.some((key) => timingSafeEqual(sign(key, payload, connectionId), mac));
      if (!isGenuine) return "unknown";
      return payload[0] === 1 ? "forms" : "noForms";
    },
  };
}

function sign(key: Buffer, payload: Buffer, connectionId: string): Buffer {
  const mac = createHmac("sha256", key).update(payload).update(connectionId).digest();
  return mac.subarray(0, macLength);
}
