import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

/** What a client's session says about it. "unknown": the id was not issued to this connection. */
export type Session = "forms" | "noForms" | "unknown";

export interface SessionIds {
  /** The id of a new session, which carries what its client declared. */
  issue: (connectionId: string, declaresForms: boolean) => string;
  /** Clients without a session are those that declared nothing. */
  read: (id: string | undefined, connectionId: string) => Session;
}

const macLength = 16;
const nonceLength = 12;

/** Nothing about a session is stored: every node verifies what any of the keys signed. */
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
