import { bigint, bytes, instant, oneOf, text } from "../columns.js";
import { table, type Row } from "../table.js";

/** A signature over the hash of one entry, and so over the chain up to there. */
export const AuditCheckpoint = table("audit_checkpoints", {
  chain: text().primary(),
  sequence: bigint().primary(),
  /** `end`: the chain ended there. `start`: it begins after that, as retention removed the entries. */
  kind: oneOf(["end", "start"]).primary(),
  hash: bytes(),
  created_at: instant(),
  /** Ed25519 (RFC 8032), in base64url as in a JWK. */
  public_key: text(),
  signature: text(),
});
export type AuditCheckpoint = Row<typeof AuditCheckpoint>;
