import { createHash } from "node:crypto";
import type { Tx } from "../../db/database.js";
import type { ActivityEntry } from "../../db/entities/audit.js";
import { canonicalJson } from "../shared/canonical-json.js";
import { formerMember } from "../shared/former-member.js";

/** The chain of entries without an organization, such as accounts and sign-ins. */
export const serverChain = "server";

export const chainOf = `coalesce(organization_id, '${serverChain}')`;

/** The previous hash of a chain's first entry. */
export const noHash = "0".repeat(64);

export interface Chain {
  id: string;
  /** The organization's name. Null for the server and for deleted organizations. */
  organization: string | null;
}

/**
 * Returns all chains that exist or should exist, or only the chain of an id: an organization's, or
 * `server`.
 */
export function findChains(db: Tx, id?: string): Promise<Chain[]> {
  return db.query<Chain>(
    `SELECT c.id, o.name AS organization FROM (
       SELECT id FROM audit_chains UNION SELECT chain FROM audit_checkpoints
       UNION SELECT ${chainOf} FROM activity_log UNION SELECT id FROM organizations
       UNION (SELECT '${serverChain}' FROM users LIMIT 1)) c
     LEFT JOIN organizations o ON o.id = c.id
     WHERE $1::text IS NULL OR c.id = $1 ORDER BY c.id COLLATE "C"`,
    [id ?? null],
  );
}

/** Returns chains deleted with their organization, according to the server's chain. */
export async function findDeletedChains(db: Tx): Promise<string[]> {
  const rows = await db.query<{
    id: string;
  }>(`SELECT details ->> 'organization_id' AS id FROM activity_log
     WHERE organization_id IS NULL AND type = 'organization_deleted' AND sequence IS NOT NULL`);
  return rows.map(({ id }) => id);
}

/** Details of an entry that may name a person. `audit_personal` lists them too. */
const personalDetails = ["name", "former_name", "email", "former_email", "break_glass_owner"];

/**
 * The hashed content of an entry, besides the previous hash: everything that readers see. Values
 * that may name a person are digests under `personal`, which remain after erasure.
 */
type Content = Pick<ActivityEntry, "organization_id" | "user_id" | "type" | "details"> & {
  id: number;
  sequence: number;
  personal: Record<string, string>;
  created_at: string;
};

export interface ChainedEntry {
  content: Content;
  /** As stored, in hexadecimal. */
  hash: string;
  /** The existing values behind `personal`. */
  values: Record<string, unknown>;
  /** Salts of the digests. Erasing a value deletes its salt. */
  salts: Record<string, string>;
}

const batchSize = 500;

/** Yields the entries after one position of the chain up to another, in batches. */
export async function* readChain(
  db: Tx,
  chain: string,
  after: number,
  to = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<ChainedEntry> {
  let [sequence, id] = [after, Number.MAX_SAFE_INTEGER];
  for (;;) {
    const rows = await db.query<ChainedEntry>(
      `SELECT json_build_object('id', id, 'sequence', sequence, 'organization_id', organization_id,
         'user_id', user_id, 'type', type, 'details', details, 'personal', coalesce(digests, '{}'),
         'created_at',
         to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) AS content,
         coalesce(encode(hash, 'hex'), '') AS hash, coalesce(salts, '{}') AS salts,
         json_build_object('actor_name', actor_name, 'ip_address', ip_address,
           'user_agent', user_agent) AS values
       FROM activity_log
       WHERE ${chainOf} = $1 AND (sequence, id) > ($2::bigint, $3::bigint) AND sequence <= $4::bigint
       ORDER BY ${chainOf}, sequence, id LIMIT ${batchSize}`,
      [chain, sequence, id, to],
    );
    for (const row of rows) {
      yield toEntry(row);
      ({ sequence, id } = row.content);
    }
    if (rows.length < batchSize) return;
  }
}

function toEntry({ content, hash, values, salts }: ChainedEntry): ChainedEntry {
  const details = Object.entries(content.details);
  const isPersonal = ([name]: [string, unknown]) => personalDetails.includes(name);
  const named = details
    .filter(isPersonal)
    .map(([name, value]) => [`details.${name}`, value] as const);
  const all = [...Object.entries(values), ...named];
  return {
    content: {
      ...content,
      details: Object.fromEntries(details.filter((detail) => !isPersonal(detail))),
    },
    hash,
    values: Object.fromEntries(all.filter(([, value]) => value !== null)),
    salts,
  };
}

/** Returns the existing values as exported: the SHA-256 of each is its digest. */
export function toSalted({ values, salts }: ChainedEntry): Record<string, object> {
  return Object.fromEntries(
    Object.entries(salts).map(([name, salt]) => [name, { salt, value: values[name] }]),
  );
}

/**
 * Returns the number of erased values. Returns undefined if a value isn't as written, or exists
 * although it was erased.
 */
export function countErased(entry: ChainedEntry): number | undefined {
  const { personal } = entry.content;
  const salted = Object.entries(toSalted(entry));
  const erased = Object.keys(personal).filter((name) => entry.salts[name] === undefined);
  const isWritten = salted.every(([name, one]) => hashOf(canonicalJson(one)) === personal[name]);
  const isErased = Object.entries(entry.values).every(
    ([name, value]) =>
      entry.salts[name] !== undefined ||
      (name === "actor_name" && value === formerMember && erased.includes(name)),
  );
  return isWritten && isErased ? erased.length : undefined;
}

/** The text whose SHA-256 is the entry's hash: canonical JSON (RFC 8785). */
export function toHashedText({ content }: ChainedEntry, previous: string): string {
  return canonicalJson({ ...content, previous });
}

export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
