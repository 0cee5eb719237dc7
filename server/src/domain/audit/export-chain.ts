import type { Tx } from "../../db/database.js";
import type { AuditSigner } from "./audit-signer.js";
import { listCheckpoints, signEnd, type Checkpoint } from "./checkpoints.js";
import { canonicalJson } from "../shared/canonical-json.js";
import { noHash, readChain, toHashedText, toSalted } from "./read-chain.js";

/**
 * Yields the lines of a chain as JSON: its entries, then its checkpoints, the last of which is made
 * now. An entry's hash is the SHA-256 of its exported `entry`. A digest under `personal` is the
 * SHA-256 of its item in `values`, unless erased. A signature covers `checkpoint`. Entries that
 * expire before they are read are missing, and the checkpoint that says so is included.
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

function startOf(checkpoints: readonly Checkpoint[]): Checkpoint | undefined {
  return checkpoints.findLast(({ checkpoint }) => checkpoint.kind === "start");
}
