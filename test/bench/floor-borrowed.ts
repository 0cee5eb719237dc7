import type { Pool } from "pg";
import { Tx, type Send } from "../../server/src/db/database.js";
import type { Caller } from "../../server/src/domain/access/caller.js";
import { searchHistory as searchHistoryOf } from "../../server/src/domain/history/history-queries.js";
import { createCursorCodec } from "../../server/src/domain/shared/cursors.js";
import { getStats } from "../../server/src/domain/insight/organization-stats.js";
import { createId, createToken } from "../../server/src/domain/shared/ids.js";
import type { Person } from "./floor-answers.js";

/*
 * Answers of the floor whose statements would take hundreds of lines by hand. They use the
 * product's own functions with a bare connection and unnamed statements. Creation writes the
 * product's rows without its checks.
 */

const cursors = createCursorCodec(["floor-key-that-is-at-least-32-characters"]);

function bare(pool: Pool): Tx {
  const send: Send = async (text, values) => ({
    records: (await pool.query<object>(text, values)).rows,
  });
  return new Tx({} as never, send);
}

function callerOf(person: Person): Caller {
  return {
    userId: person.user_id,
    userName: person.user_name,
    userEmail: "",
    organizationId: person.organization_id,
    organizationName: "",
    organizationRole: "owner",
    timeZone: person.time_zone,
    currency: person.currency,
    accessEpoch: 0,
    source: "mcp",
    requestId: "",
    baseUrl: "",
  };
}

export async function searchHistory(
  pool: Pool,
  person: Person,
  asked: { query: string; limit: number },
): Promise<object> {
  const listing = { ...asked, order: "newest" as const };
  const page = await searchHistoryOf(bare(pool), callerOf(person), listing, cursors);
  return withoutEmpty(page);
}

export async function getOrganizationStats(
  pool: Pool,
  person: Person,
  days: number,
): Promise<object> {
  return withoutEmpty(await getStats(bare(pool), callerOf(person), { workspace: undefined, days }));
}

function withoutEmpty(answer: object): object {
  const text = JSON.stringify(answer, (_key, value: unknown) => {
    const isEmpty = typeof value === "object" && Object.keys(value ?? {}).length === 0;
    return isEmpty ? undefined : value;
  });
  return JSON.parse(text) as object;
}

export async function createAsset(
  pool: Pool,
  person: Person,
  name: string,
  baseUrl: string,
): Promise<object> {
  const client = await pool.connect();
  const id = createId("asset");
  try {
    await client.query("BEGIN");
    const { rows } = await client.query<{ number: string }>(
      `UPDATE organizations SET next_inventory_seq = next_inventory_seq + 1 WHERE id = $1
       RETURNING inventory_prefix || '-' || lpad((next_inventory_seq - 1)::text, 6, '0') AS number`,
      [person.organization_id],
    );
    const number = rows[0]?.number ?? "";
    const { rows: made } = await client.query<{ at: Date }>(
      `INSERT INTO assets (id, organization_id, inventory_number, name, state, qr_token, created_by)
       VALUES ($1, $2, $3, $4, 'available', $5, $6) RETURNING created_at AS at`,
      [id, person.organization_id, number, name, createToken(), person.user_id],
    );
    const at = made[0]?.at;
    await client.query(
      `INSERT INTO asset_state_periods (organization_id, asset_id, state, started_at)
       VALUES ($1, $2, 'available', $3)`,
      [person.organization_id, id, at],
    );
    await client.query(
      `INSERT INTO history_events (id, organization_id, asset_id, occurred_at, recorded_at, type,
         actor_user_id, actor_name, source, client_id, client_name, changes)
       VALUES ($1, $2, $3, $4, $4, 'asset_created', $5, $6, 'mcp', $7, $8, '[]')`,
      [
        ...[createId("event"), person.organization_id, id, at, person.user_id, person.user_name],
        ...[person.client_id, person.client_name],
      ],
    );
    await client.query("COMMIT");
    const url = `${baseUrl}/assets/${id}`;
    return { asset: { id, inventory_number: number, name, state: "available", version: 1, url } };
  } finally {
    client.release();
  }
}
