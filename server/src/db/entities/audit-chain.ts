import { bigint, bytes, text } from "../columns.js";
import { table } from "../table.js";

/** Where the chain of an organization's activity log ends, and that of the server (`server`). */
export const AuditChain = table("audit_chains", {
  id: text().primary(),
  /** How many entries it ever got. */
  sequence: bigint(),
  hash: bytes(),
});
