import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";
import type { CursorCodec, Position } from "../shared/cursors.js";
import {
  rowsAfterCursorSql,
  nextCursor,
  orderBy,
  positionOf,
  timeKey,
  type Order,
} from "../shared/keyset.js";
import { omit } from "../shared/omit.js";
import { toPage } from "../shared/page-rows.js";
import { liveConnectionSql } from "../../db/live-connection.js";
import { anywhere, createParameters, type Parameters } from "../../db/parameters.js";
import { requireOrganizationAdmin } from "../access/roles.js";
import { connectionColumns, connectionTables, type ConnectionRow } from "./connections.js";
import { toScopes } from "./scopes.js";

export interface ConnectionListing {
  /** Each word must occur in the person's name or email, or in the app's name. */
  query?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

export interface ConnectionPage {
  connections: ConnectionRow[];
  total_count: number;
  next_cursor?: string;
}

const connections = { table: "oauth_connections", alias: "c" };
const order: Order = { keys: [timeKey("c.created_at")], direction: "DESC" };

/** Lists other people's connections to the organization, newest first. For owners and admins. */
export async function listConnectionsOfOthers(
  db: Tx,
  caller: Caller,
  { query, limit, cursor }: ConnectionListing,
  cursors: CursorCodec,
): Promise<ConnectionPage> {
  await requireOrganizationAdmin(db, caller, "view other people's apps");
  const { organizationId } = caller;
  const scope = { organizationId, list: "connections", sort: "-created_at", filters: { query } };
  const after = cursor === undefined ? undefined : cursors.decode(scope, cursor);
  const [found, total_count] = await Promise.all([
    findRows(db, caller, query, { limit, after }),
    countRows(db, caller, query),
  ]);
  const { rows, last } = toPage(found, limit, (row) => omit(row, "position"));
  return {
    connections: rows.map((row) => ({ ...row, scopes: toScopes(row.scopes) })),
    total_count,
    ...nextCursor(cursors, scope, last),
  };
}

async function findRows(
  db: Tx,
  caller: Caller,
  query: string | undefined,
  { limit, after }: { limit: number; after: Position | undefined },
): Promise<(ConnectionRow & { position: string })[]> {
  const parameters = createParameters(caller.organizationId);
  const conditions = toConditions(caller, query, parameters);
  if (after !== undefined) {
    conditions.push(
      await rowsAfterCursorSql(db, caller, connections, { order, after, parameters }),
    );
  }
  return db.query(
    `SELECT ${connectionColumns}, ${positionOf(order)} AS position FROM ${connectionTables}
     WHERE ${conditions.join(" AND ")}
     ORDER BY ${orderBy(order, connections)} LIMIT ${parameters.add(limit + 1)}`,
    parameters.values,
  );
}

async function countRows(db: Tx, caller: Caller, query: string | undefined): Promise<number> {
  const parameters = createParameters(caller.organizationId);
  const conditions = toConditions(caller, query, parameters);
  const row = await db.maybe<{ total: number }>(
    `SELECT count(*)::int AS total FROM ${connectionTables} WHERE ${conditions.join(" AND ")}`,
    parameters.values,
  );
  return row?.total ?? 0;
}

function toConditions(caller: Caller, query: string | undefined, { add }: Parameters): string[] {
  const conditions = [
    `c.organization_id = $1 AND ${liveConnectionSql("c")}`,
    `c.user_id <> ${add(caller.userId)}`,
  ];
  if (query !== undefined) {
    const words = add((query.match(/\S+/g) ?? [query]).map(anywhere));
    conditions.push(`NOT EXISTS (SELECT 1 FROM unnest(${words}::text[]) AS word
      WHERE NOT (u.name ILIKE word OR u.email::text ILIKE word
        OR coalesce(k.name, k.id) ILIKE word))`);
  }
  return conditions;
}
