import type { EntityManager } from "typeorm";
import type { AuditSigner } from "./audit-signer.js";
import { listCheckpoints, signEnd } from "./checkpoints.js";
import { canonicalJson } from "../values/canonical-json.js";
import { noHash, readChain, toHashedText, toSalted } from "./read-chain.js";

/**
 * The lines of a chain as JSON: its entries, then its checkpoints, of which the last is made now. The
 * hash of an entry is the SHA-256 of its `entry` as it stands there, and a digest under `personal` that
 * of its place in `values`, where it is not erased; a signature is over `checkpoint`.
 */
export async function* exportChain(
  db: EntityManager,
  signer: AuditSigner,
  chain: string,
): AsyncGenerator<string> {
  const end = await signEnd(db, signer, chain);
  if (end === undefined) return;
  const checkpoints = (await listCheckpoints(db, chain)).filter(
    ({ checkpoint }) => checkpoint.sequence <= end,
  );
  const start = checkpoints.findLast(({ checkpoint }) => checkpoint.kind === "start")?.checkpoint;
  let previous = start?.hash ?? noHash;
  for await (const entry of readChain(db, chain, start?.sequence ?? 0, end)) {
    const values = canonicalJson(toSalted(entry));
    yield `{"entry":${toHashedText(entry, previous)},"hash":"${entry.hash}","values":${values}}\n`;
    previous = entry.hash;
  }
  for (const checkpoint of checkpoints) yield `${JSON.stringify(checkpoint)}\n`;
}
