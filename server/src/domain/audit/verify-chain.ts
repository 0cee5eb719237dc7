import type { DataSource, EntityManager } from "typeorm";
import type { AuditSigner } from "./audit-signer.js";
import { isGenuine, listCheckpoints, type Checkpoint } from "./checkpoints.js";
import { chainOf, hashOf, noHash, readChain, toHashedText, type Chain } from "./read-chain.js";

export interface ChainReport {
  chain: string;
  organization: string | null;
  /** The entries that are there. */
  entries: number;
  /** The last entry under a genuine signature; what comes after it is only chained. */
  signed_to: number;
  ok: boolean;
  /** The first of what is wrong. */
  problems: string[];
}

const maxProblems = 20;

/**
 * Walks one chain from its start to its end. `kept` are checkpoints that were exported before and lie
 * where whoever changes the database cannot reach them.
 */
export function verifyChain(
  db: DataSource,
  signer: AuditSigner,
  chain: Chain,
  kept: readonly Checkpoint[] = [],
): Promise<ChainReport> {
  // All of it as of one moment, while the server goes on writing.
  return db.transaction("REPEATABLE READ", (tx) => walk(tx, signer, chain, kept));
}

async function walk(
  tx: EntityManager,
  signer: AuditSigner,
  { id: chain, organization }: Chain,
  kept: readonly Checkpoint[],
): Promise<ChainReport> {
  const problems: string[] = [];
  const stored = await listCheckpoints(tx, chain);
  const isOurs = (one: Checkpoint) => signer.publicKeys.includes(one.public_key) && isGenuine(one);
  const trusted = [
    ...stored.filter(isOurs),
    ...kept.filter((one) => one.checkpoint.chain === chain && isGenuine(one)),
  ].map(({ checkpoint }) => checkpoint);
  for (const one of stored.filter((checkpoint) => !isOurs(checkpoint))) {
    problems.push(
      `the checkpoint at ${one.checkpoint.sequence} is not signed with a key of this server`,
    );
  }
  const start = trusted
    .filter(({ kind }) => kind === "start")
    .reduce((last, one) => (one.sequence > last.sequence ? one : last), {
      sequence: 0,
      hash: noHash,
    });
  const signed = new Map<number, Checkpoint["checkpoint"][]>();
  for (const one of trusted.filter(({ sequence }) => sequence >= start.sequence)) {
    signed.set(one.sequence, [...(signed.get(one.sequence) ?? []), one]);
  }
  const compare = (sequence: number, hash: string) => {
    const differs = signed.get(sequence)?.find((one) => one.hash !== hash);
    if (differs === undefined) return;
    problems.push(`entry ${sequence} is not the one that was signed at ${differs.created_at}`);
  };

  let [last, previous, entries] = [start.sequence, start.hash, 0];
  compare(last, previous);
  for await (const entry of readChain(tx, chain, start.sequence)) {
    const { sequence } = entry.content;
    entries += 1;
    if (sequence > last + 1) problems.push(`${range(last + 1, sequence - 1)} missing`);
    else if (sequence === last) problems.push(`entry ${sequence} is there twice`);
    else if (hashOf(toHashedText(entry, previous)) !== entry.hash) {
      problems.push(`entry ${sequence} was changed or is in another's place`);
    }
    compare(sequence, entry.hash);
    [last, previous] = [sequence, entry.hash];
  }

  const ends: { sequence: string; hash: Buffer }[] = await tx.query(
    "SELECT sequence, hash FROM audit_chains WHERE id = $1",
    [chain],
  );
  const end = { sequence: Number(ends[0]?.sequence ?? 0), hash: ends[0]?.hash.toString("hex") };
  const signedTo = Math.max(0, ...signed.keys());
  const expected = Math.max(end.sequence, signedTo);
  if (expected > last) problems.push(`${range(last + 1, expected)} missing at the end`);
  else if (end.sequence !== last || (end.hash ?? noHash) !== previous) {
    problems.push(`the chain's end, ${end.sequence}, is not its last entry, ${last}`);
  }
  problems.push(...(await findOutside(tx, chain)));
  return {
    chain,
    organization,
    entries,
    signed_to: signedTo,
    ok: problems.length === 0,
    problems: problems.slice(0, maxProblems),
  };
}

/** Entries without a place, other than lines that still count. */
async function findOutside(tx: EntityManager, chain: string): Promise<string[]> {
  const rows: { id: string }[] = await tx.query(
    `SELECT id FROM activity_log WHERE ${chainOf} = $1 AND (sequence < 1 OR hash IS NULL AND (
       sequence IS NOT NULL OR counted_until IS NULL
       OR counted_until > created_at + interval '61 minutes'))
     ORDER BY id LIMIT ${maxProblems}`,
    [chain],
  );
  return rows.map(({ id }) => `the entry with the id ${id} has no place in the chain`);
}

function range(from: number, to: number): string {
  return from === to ? `entry ${from} is` : `entries ${from} to ${to} are`;
}
