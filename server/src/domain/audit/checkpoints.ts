import type { Database, Tx } from "../../db/database.js";
import { AuditCheckpoint } from "../../db/entities/audit.js";
import { momentOf } from "../access/clock.js";
import { commit } from "../history/transactions.js";
import { forEachInOwnTransaction } from "../../db/for-each-in-own-transaction.js";
import { canonicalJson } from "../shared/canonical-json.js";
import { isSignedBy, type AuditSigner } from "./audit-signer.js";
import { chainOf } from "./read-chain.js";

/** A signed end or start of a chain, as exported. */
export interface Checkpoint {
  checkpoint: {
    chain: string;
    sequence: number;
    kind: AuditCheckpoint["kind"];
    /** Hash of the entry with this sequence, in hexadecimal. */
    hash: string;
    created_at: string;
  };
  public_key: string;
  signature: string;
}

type Signed = Pick<AuditCheckpoint, "chain" | "sequence" | "hash">;

/** Limits after which a chain that has grown gets its next checkpoint. */
const everyEntries = 1000;
const everyHours = 1;

/** Appends lines to the chain once their counting hour is over. */
export async function chainCountedLines(db: Database): Promise<void> {
  const batchSize = 500;
  const chain = (tx: Tx) =>
    tx.one<{ count: number }>(
      `SELECT count(*)::int AS count, audit_append(array_agg(id)) FROM (SELECT id FROM activity_log
       WHERE sequence IS NULL AND counted_until <= app_now()
       ORDER BY ${chainOf}, id LIMIT ${batchSize}) l`,
    );
  while ((await commit({ db, caller: null }, chain)).count === batchSize);
}

/**
 * Signs the ends of chains that have grown, also if the last signature is in the future because the
 * clock was set back. Renews signatures whose key is about to be dropped.
 */
export async function signChains(db: Database, signer: AuditSigner): Promise<void> {
  const grown =
    await db.query<Signed>(`SELECT h.id AS chain, h.sequence, h.hash FROM audit_chains h LEFT JOIN LATERAL (
       SELECT sequence, created_at FROM audit_checkpoints WHERE chain = h.id
       ORDER BY sequence DESC LIMIT 1) c ON TRUE
     WHERE h.sequence > coalesce(c.sequence, 0) AND (c.sequence IS NULL
       OR h.sequence >= c.sequence + ${everyEntries}
       OR c.created_at NOT BETWEEN app_now() - interval '${everyHours} hours' AND app_now())`);
  await forEachInOwnTransaction(grown, (end) => store(db, signer, end, "end"));
  const [newest, ...older] = signer.publicKeys;
  const rows = await db.query<AuditCheckpoint>(
    "SELECT * FROM audit_checkpoints WHERE public_key = ANY ($1) LIMIT 1000",
    [older],
  );
  for (const row of rows) {
    if (!isGenuine(toCheckpoint(row))) continue;
    const { chain, sequence, kind } = row;
    const signature = signer.sign(toText(toCheckpoint(row)));
    await db.update(
      AuditCheckpoint,
      { chain, sequence, kind },
      { public_key: newest ?? "", signature },
    );
  }
}

/** Signs the current end of the chain. Returns undefined for a chain without entries. */
export async function signEnd(
  db: Tx,
  signer: AuditSigner,
  chain: string,
): Promise<number | undefined> {
  const end = await db.maybe<Signed>(
    "SELECT id AS chain, sequence, hash FROM audit_chains WHERE id = $1",
    [chain],
  );
  if (end === undefined) return undefined;
  await store(db, signer, end, "end");
  return Number(end.sequence);
}

/** Signs a new start of the chain. Earlier entries may then be removed. */
export function signStart(db: Tx, signer: AuditSigner, last: Signed): Promise<void> {
  return store(db, signer, last, "start");
}

/**
 * Stores nothing for a chain deleted with its organization. A concurrent deletion waits and then
 * removes the checkpoint too.
 */
async function store(
  db: Tx,
  signer: AuditSigner,
  { chain, sequence, hash }: Signed,
  kind: AuditCheckpoint["kind"],
): Promise<void> {
  const created_at = new Date(await momentOf(db));
  const row = { chain, sequence, kind, hash, created_at, public_key: signer.publicKeys[0] ?? "" };
  const signature = signer.sign(toText(toCheckpoint({ ...row, signature: "" })));
  await db.query(
    `INSERT INTO audit_checkpoints (chain, sequence, kind, hash, created_at, public_key, signature)
     SELECT $1, $2, $3, $4, $5, $6, $7 FROM (SELECT FROM audit_chains WHERE id = $1 FOR KEY SHARE) present
     ON CONFLICT ON CONSTRAINT audit_checkpoints_pkey DO NOTHING`,
    [chain, sequence, kind, hash, created_at, row.public_key, signature],
  );
}

export async function listCheckpoints(db: Tx, chain: string): Promise<Checkpoint[]> {
  const rows = await db.query<AuditCheckpoint>(
    "SELECT * FROM audit_checkpoints WHERE chain = $1 ORDER BY sequence, kind",
    [chain],
  );
  return rows.map(toCheckpoint);
}

function toCheckpoint(row: AuditCheckpoint): Checkpoint {
  const { chain, sequence, kind, hash, created_at, public_key, signature } = row;
  const checkpoint = {
    chain,
    sequence: Number(sequence),
    kind,
    hash: hash.toString("hex"),
    created_at: created_at.toISOString(),
  };
  return { checkpoint, public_key, signature };
}

/** The signed text: canonical JSON (RFC 8785). */
function toText({ checkpoint }: Checkpoint): string {
  return canonicalJson(checkpoint);
}

/** Returns true if the checkpoint is signed with the key it names. */
export function isGenuine(checkpoint: Checkpoint): boolean {
  return isSignedBy(checkpoint.public_key, toText(checkpoint), checkpoint.signature);
}
