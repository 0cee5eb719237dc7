import { createHash } from "node:crypto";
import type { EntityManager } from "typeorm";
import type { ActivityEntry } from "../../db/entities/activity-entry.js";
import { canonicalJson } from "../values/canonical-json.js";

/** In SQL, the chain of an entry; `server` has what belongs to no organization, such as sign-ins. */
export const chainOf = "coalesce(organization_id, 'server')";

/** What comes before the first entry of a chain. */
export const noHash = "0".repeat(64);

export interface Chain {
  id: string;
  /** The organization's name; null for the server, and when the organization is gone. */
  organization: string | null;
}

/** All chains, or the one of an id, which is that of an organization or `server`. */
export function findChains(db: EntityManager, id?: string): Promise<Chain[]> {
  return db.query<Chain[]>(
    `SELECT c.id, o.name AS organization FROM (
       SELECT id FROM audit_chains UNION SELECT chain FROM audit_checkpoints
       UNION SELECT ${chainOf} FROM activity_log UNION SELECT id FROM organizations) c
     LEFT JOIN organizations o ON o.id = c.id
     WHERE $1::text IS NULL OR c.id = $1 ORDER BY c.id COLLATE "C"`,
    [id ?? null],
  );
}

/** What is hashed of an entry, beside the hash of the one before it: all that readers see. */
type Content = Pick<
  ActivityEntry,
  "organization_id" | "user_id" | "actor_name" | "type" | "details" | "ip_address" | "user_agent"
> & { id: number; sequence: number; created_at: string };

export interface ChainedEntry {
  content: Content;
  /** As it is stored, in hexadecimal. */
  hash: string;
}

const batchSize = 500;

/** The entries after one place of the chain up to another, a few at a time in memory. */
export async function* readChain(
  db: EntityManager,
  chain: string,
  after: number,
  to = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<ChainedEntry> {
  let [sequence, id] = [after, Number.MAX_SAFE_INTEGER];
  for (;;) {
    const rows: { content: Content; hash: string }[] = await db.query(
      `SELECT json_build_object('id', id, 'sequence', sequence, 'organization_id', organization_id,
         'user_id', user_id, 'actor_name', actor_name, 'type', type, 'details', details,
         'ip_address', ip_address, 'user_agent', user_agent, 'created_at',
         to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) AS content,
         coalesce(encode(hash, 'hex'), '') AS hash
       FROM activity_log
       WHERE ${chainOf} = $1 AND (sequence, id) > ($2::bigint, $3::bigint) AND sequence <= $4::bigint
       ORDER BY ${chainOf}, sequence, id LIMIT ${batchSize}`,
      [chain, sequence, id, to],
    );
    for (const row of rows) {
      yield row;
      ({ sequence, id } = row.content);
    }
    if (rows.length < batchSize) return;
  }
}

/** The text whose SHA-256 is the hash of the entry: canonical JSON (RFC 8785). */
export function toHashedText({ content }: ChainedEntry, previous: string): string {
  return canonicalJson({ ...content, previous });
}

export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
