import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { AppError } from "../../errors.js";
import { hashJson } from "./canonical-json.js";

/** The list that a cursor belongs to. Other lists reject the cursor. */
export interface CursorScope {
  organizationId: string;
  list: string;
  sort: string;
  /** All arguments that decide which rows are in the list. */
  filters: unknown;
}

export interface Position {
  /** Absent if it is too long for a cursor. It is then read from the row. */
  value?: string | undefined;
  id: string;
}

export interface CursorCodec {
  encode: (scope: CursorScope, position: Position) => string;
  decode: (scope: CursorScope, text: string) => Position;
}

const version = 1;
const macLength = 16;
/** Keeps a cursor under the 512 characters that the tools accept. */
const maxPayload = 360;

/** Signs with the newest key and verifies with any key. */
export function createCursorCodec(secretKeys: readonly string[]): CursorCodec {
  const keys = secretKeys.map((key) =>
    Buffer.from(hkdfSync("sha256", key, "", "fettle cursor", 32)),
  );
  const newest = keys[0];
  if (newest === undefined) throw new Error("Cursors need at least one secret key.");
  return {
    encode(scope, { value, id }) {
      const hash = hashOf(scope.filters);
      let payload = Buffer.from(JSON.stringify([version, scope.sort, hash, id, value]));
      if (payload.length > maxPayload) {
        payload = Buffer.from(JSON.stringify([version, scope.sort, hash, id]));
      }
      return Buffer.concat([sign(newest, scope, payload), payload]).toString("base64url");
    },
    decode(scope, text) {
      const bytes = Buffer.from(text, "base64url");
      const mac = bytes.subarray(0, macLength);
      const payload = bytes.subarray(macLength);
      const genuine =
        mac.length === macLength &&
        keys.some((key) => timingSafeEqual(sign(key, scope, payload), mac));
      if (!genuine) throw wrongCursor();
      // The payload is verified, so its shape is known.
      const [madeBy, sort, hash, id, value] = JSON.parse(payload.toString()) as [
        number,
        string,
        string,
        string,
        string?,
      ];
      if (madeBy !== version || sort !== scope.sort || hash !== hashOf(scope.filters)) {
        throw wrongCursor();
      }
      return { id, value };
    },
  };
}

export function wrongCursor(): AppError {
  return new AppError("validation_failed", "foreign_cursor", { field: "cursor" });
}

function sign(key: Buffer, scope: CursorScope, payload: Buffer): Buffer {
  return createHmac("sha256", key)
    .update(`${scope.organizationId}\n${scope.list}\n`)
    .update(payload)
    .digest()
    .subarray(0, macLength);
}

function hashOf(filters: unknown): string {
  return hashJson(filters).toString("base64url").slice(0, 12);
}
