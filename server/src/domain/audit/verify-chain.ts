import type { Database, Tx } from "../../db/database.js";
import type { AuditSigner } from "./audit-signer.js";
import { isGenuine, listCheckpoints, type Checkpoint } from "./checkpoints.js";
import {
  chainOf,
  countErased,
  hashOf,
  noHash,
  readChain,
  serverChain,
  toHashedText,
  type Chain,
  type ChainedEntry,
} from "./read-chain.js";

export interface ChainReport {
  chain: string;
  organization: string | null;
  entries: number;
  /** The last entry under a genuine signature. Later entries are only chained. */
  signed_to: number;
  ok: boolean;
  problems: string[];
}

const maxProblems = 20;

/**
 * Walks one chain from start to end. `kept` are checkpoints exported earlier and stored out of
 * reach of anyone who can change the database.
 */
export function verifyChain(
  db: Database,
  signer: AuditSigner,
  chain: Chain,
  kept: readonly Checkpoint[] = [],
): Promise<ChainReport> {
  // Reads one snapshot while the server keeps writing.
  return db.transaction(async (tx) => {
    await tx.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
    return walk(tx, signer, chain, kept);
  });
}

type SignedPlace = Checkpoint["checkpoint"];

interface Place {
  sequence: number;
  hash: string;
}

async function walk(
  tx: Tx,
  signer: AuditSigner,
  { id: chain, organization }: Chain,
  kept: readonly Checkpoint[],
): Promise<ChainReport> {
  const stored = await listCheckpoints(tx, chain);
  const isOurs = signedBy(signer);
  const trusted = [
    ...stored.filter(isOurs),
    ...kept.filter((one) => one.checkpoint.chain === chain && isGenuine(one)),
  ].map(({ checkpoint }) => checkpoint);
  const { start, signed } = fromStart(trusted);
  const signedTo = Math.max(0, ...signed.map(({ sequence }) => sequence));
  const { entries, last, unexplained, problems } = await checkEntries(tx, chain, start, signed);
  if (unexplained > 0)
    problems.push(`no erasure tells of ${unexplained} values that were taken out`);
  const all = [
    ...stored.filter((one) => !isOurs(one)).map(toForgery),
    ...problems,
    ...(await checkEnd(tx, chain, last, signedTo)),
    ...(await findOutside(tx, chain, start.sequence)),
  ];
  // A chain's first entry records the creation of the organization or the first account. Removal by
  // age leaves a signature.
  const hasToBe = organization !== null || chain === serverChain;
  if (hasToBe && entries === 0 && stored.length === 0) all.push("all of it is missing");
  return {
    chain,
    organization,
    entries,
    signed_to: signedTo,
    ok: all.length === 0,
    problems: all.slice(0, maxProblems),
  };
}

function signedBy({ publicKeys }: AuditSigner): (one: Checkpoint) => boolean {
  return (one) => publicKeys.includes(one.public_key) && isGenuine(one);
}

/** Returns the start of a chain by its signatures, and the signatures from there on. */
function fromStart(trusted: readonly SignedPlace[]): { start: Place; signed: SignedPlace[] } {
  const start = trusted
    .filter(({ kind }) => kind === "start")
    .reduce<Place>((last, one) => (one.sequence > last.sequence ? one : last), {
      sequence: 0,
      hash: noHash,
    });
  return { start, signed: trusted.filter(({ sequence }) => sequence >= start.sequence) };
}

/**
 * Returns the start of a chain by this server's signatures, and a check of the entries up to a
 * later position.
 */
export async function openBeginning(tx: Tx, signer: AuditSigner, chain: string) {
  const stored = (await listCheckpoints(tx, chain)).filter(signedBy(signer));
  const trusted = stored.map(({ checkpoint }) => checkpoint);
  const { start, signed } = fromStart(trusted);
  return {
    start,
    /** Leaves out unexplained erasures, because the entries that explain them may come later. */
    findProblems: async (to: number) => (await checkEntries(tx, chain, start, signed, to)).problems,
  };
}

function toForgery({ checkpoint }: Checkpoint): string {
  return `the checkpoint at ${checkpoint.sequence} is not signed with a key of this server`;
}

async function checkEntries(
  tx: Tx,
  chain: string,
  start: Place,
  signed: readonly SignedPlace[],
  to?: number,
): Promise<{ entries: number; last: Place; unexplained: number; problems: string[] }> {
  const problems: string[] = [];
  const signedAt = new Map<number, SignedPlace[]>();
  for (const one of signed) {
    signedAt.set(one.sequence, [...(signedAt.get(one.sequence) ?? []), one]);
  }
  const compare = ({ sequence, hash }: Place) => {
    const differs = signedAt.get(sequence)?.find((one) => one.hash !== hash);
    if (differs === undefined) return;
    problems.push(`entry ${sequence} is not the one that was signed at ${differs.created_at}`);
  };
  let [last, entries, unexplained] = [start, 0, 0];
  compare(last);
  for await (const entry of readChain(tx, chain, start.sequence, to)) {
    const { sequence } = entry.content;
    const erased = countErased(entry);
    entries += 1;
    unexplained = Math.max(0, unexplained - explainedBy(entry)) + (erased ?? 0);
    if (sequence > last.sequence + 1) {
      problems.push(`${range(last.sequence + 1, sequence - 1)} missing`);
    } else if (sequence === last.sequence) {
      problems.push(`entry ${sequence} is there twice`);
    } else if (erased === undefined || hashOf(toHashedText(entry, last.hash)) !== entry.hash) {
      problems.push(`entry ${sequence} was changed or is in another's place`);
    }
    last = { sequence, hash: entry.hash };
    compare(last);
  }
  return { entries, last, unexplained, problems };
}

/** Number of values that an erasure removed from earlier entries. */
function explainedBy({ content: { type, details } }: ChainedEntry): number {
  return type === "person_erased" ? Number(details["values"] ?? 0) : 0;
}

async function checkEnd(tx: Tx, chain: string, last: Place, signedTo: number): Promise<string[]> {
  const [end = { sequence: 0, hash: noHash }] = await tx.query<Place>(
    "SELECT sequence::float8 AS sequence, encode(hash, 'hex') AS hash FROM audit_chains WHERE id = $1",
    [chain],
  );
  const expected = Math.max(end.sequence, signedTo);
  if (expected > last.sequence) {
    return [`${range(last.sequence + 1, expected)} missing at the end`];
  }
  if (end.sequence === last.sequence && end.hash === last.hash) return [];
  return [`the chain's end, ${end.sequence}, is not its last entry, ${last.sequence}`];
}

/** Returns entries before the start, and entries without a position that aren't counting lines. */
async function findOutside(tx: Tx, chain: string, start: number): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT id FROM activity_log WHERE ${chainOf} = $1 AND (sequence <= $2::bigint OR hash IS NULL AND (
       sequence IS NOT NULL OR counted_until IS NULL
       OR counted_until > created_at + interval '61 minutes'))
     ORDER BY id LIMIT ${maxProblems}`,
    [chain, start],
  );
  return rows.map(({ id }) => `the entry with the id ${id} has no place in the chain`);
}

function range(from: number, to: number): string {
  return from === to ? `entry ${from} is` : `entries ${from} to ${to} are`;
}
