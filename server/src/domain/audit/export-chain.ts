import type { Tx } from "../../db/database.js";
import type { AuditSigner } from "./audit-signer.js";
import { listCheckpoints, signEnd, type Checkpoint } from "./checkpoints.js";
import { canonicalJson } from "../shared/canonical-json.js";
import { noHash, readChain, toHashedText, toSalted } from "./read-chain.js";

/**
 * The lines of a chain as JSON: its entries, then its checkpoints, of which the last is made now. The
 * hash of an entry is the SHA-256 of its `entry` as it stands there, and a digest under `personal` that
 * of its place in `values`, where it is not erased; a signature is over `checkpoint`. What outlives its
 * time before it is read is missing, and the checkpoint that says so is there.
 */
export async function* exportChain(
  db: Tx,
  signer: AuditSigner,
  chain: string,
): AsyncGenerator<string> {
  const end = await signEnd(db, signer, chain);
  if (end === undefined) return;
  const checkpoints = (await listCheckpoints(db, chain)).filter(
    ({ checkpoint }) => checkpoint.sequence <= end,
  );
  let last = startOf(checkpoints)?.checkpoint ?? { sequence: 0, hash: noHash };
  for await (const entry of readChain(db, chain, last.sequence, end)) {
    const { sequence } = entry.content;
    if (sequence > last.sequence + 1) {
      const later = startOf(await listCheckpoints(db, chain));
      if (later?.checkpoint.sequence === sequence - 1) {
        checkpoints.unshift(later);
        last = later.checkpoint;
      }
    }
    const values = canonicalJson(toSalted(entry));
    yield `{"entry":${toHashedText(entry, last.hash)},"hash":"${entry.hash}","values":${values}}\n`;
    last = { sequence, hash: entry.hash };
  }
  for (const checkpoint of checkpoints) yield `${JSON.stringify(checkpoint)}\n`;
}

/** Where a chain begins, of its checkpoints in their order. */
function startOf(checkpoints: readonly Checkpoint[]): Checkpoint | undefined {
  return checkpoints.findLast(({ checkpoint }) => checkpoint.kind === "start");
}
