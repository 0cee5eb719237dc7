import type { Pool } from "pg";
import {
  dayIn,
  daysBetween,
  monthsBetween,
  toTimestamp,
} from "../../server/src/domain/shared/dates.js";

/*
 * The product's answers to the measured calls, written as directly as possible: unnamed copies of
 * the product's statements, and rows mapped by hand. The bench compares the answers of both.
 */

export interface Person {
  organization_id: string;
  time_zone: string;
  currency: string;
  user_id: string;
  user_name: string;
  client_id: string;
  client_name: string;
}

type Row = Record<string, unknown>;

/** Runs the product's look-up of the person, on every call. */
export async function findPerson(pool: Pool, tokenHash: Buffer): Promise<Person | undefined> {
  const { rows } = await pool.query<Person>(
    `SELECT c.id AS connection_id, t.scopes, c.resource, c.client_id, k.name AS client_name,
       u.id AS user_id, u.name AS user_name, u.email::text AS user_email,
       o.id AS organization_id, o.name AS organization_name, m.role AS organization_role,
       o.time_zone, o.currency
     FROM oauth_access_tokens t
     JOIN oauth_connections c ON c.organization_id = t.organization_id AND c.id = t.connection_id
       AND c.revoked_at IS NULL
     JOIN oauth_clients k ON k.id = c.client_id
     JOIN users u ON u.id = c.user_id AND u.deactivated_at IS NULL
     JOIN organization_members m ON m.organization_id = c.organization_id AND m.user_id = c.user_id
       AND m.removed_at IS NULL
     JOIN organizations o ON o.id = c.organization_id
     WHERE t.token_hash = $1 AND t.revoked_at IS NULL AND t.expires_at > clock_timestamp()`,
    [tokenHash],
  );
  return rows[0];
}

export async function listAssets(pool: Pool, person: Person, limit: number): Promise<Row> {
  const [page, count] = await Promise.all([
    pool.query<Row>(
      `SELECT a.id, a.inventory_number, a.name, a.state, c.name::text AS category, a.workspace_id,
         w.name::text AS workspace_name, a.location, a.assigned_to_user_id, u.name AS assigned_to,
         CASE WHEN a.criticality IN ('high', 'critical') THEN a.criticality END AS criticality,
         (SELECT min(t.due_date) FROM maintenance_tasks t
          WHERE t.organization_id = $1 AND t.asset_id = a.id AND NOT t.hidden
            AND t.state IN ('scheduled', 'in_progress', 'on_hold')) AS next_due_date,
         (SELECT nullif(count(*)::int, 0) FROM maintenance_tasks t
          WHERE t.organization_id = $1 AND t.asset_id = a.id AND NOT t.hidden
            AND t.state IN ('scheduled', 'in_progress', 'on_hold') AND t.due_date < $3) AS overdue_tasks,
         a.tags, a.deleted_at, a.deletion_reason
       FROM assets a
       LEFT JOIN asset_categories c ON c.organization_id = a.organization_id AND c.id = a.category_id
       LEFT JOIN workspaces w ON w.organization_id = a.organization_id AND w.id = a.workspace_id
       LEFT JOIN users u ON u.id = a.assigned_to_user_id
       WHERE a.organization_id = $1 AND a.state <> 'deleted'
       ORDER BY a.name_key ASC, a.id ASC LIMIT $2`,
      [person.organization_id, limit + 1, dayIn(person.time_zone)],
    ),
    pool.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM (SELECT 1 FROM assets a
       WHERE a.organization_id = $1 AND a.state <> 'deleted' LIMIT 10001) found`,
      [person.organization_id],
    ),
  ]);
  const total = count.rows[0]?.total ?? 0;
  const assets = page.rows.slice(0, limit);
  const last = assets.at(-1);
  return {
    assets: assets.map(withoutEmpty),
    total_count: Math.min(total, 10_000),
    ...(total > 10_000 && { total_is_minimum: true }),
    ...(page.rows.length > limit && {
      next_cursor: Buffer.from(JSON.stringify([last?.["name"], last?.["id"]])).toString(
        "base64url",
      ),
    }),
  };
}

interface AssetRow extends Row {
  id: string;
  warranty_expires_on: string | null;
  in_service_date: string | null;
  state_changed_at: Date;
  created_at: Date;
  updated_at: Date;
}

export async function getAsset(
  pool: Pool,
  person: Person,
  id: string,
  baseUrl: string,
): Promise<Row> {
  const [found, events] = await Promise.all([
    pool.query<AssetRow>(
      `SELECT a.id, a.inventory_number, a.name, a.description, c.name::text AS category,
         a.workspace_id, w.name::text AS workspace_name, a.state, a.state_changed_at,
         a.criticality, a.condition, a.manufacturer, a.model, a.serial_number, a.location,
         a.parent_asset_id, p.name AS parent_asset, a.assigned_to_user_id, u.name AS assigned_to,
         a.supplier, a.purchase_date, a.purchase_cost::float8 AS purchase_cost,
         a.currency::text AS currency, a.warranty_expires_on, a.in_service_date, a.end_of_life_on,
         a.last_seen_at, a.tags, a.deleted_at, a.deletion_reason, a.state_before_deletion,
         creator.name AS created_by, a.created_at, a.updated_at, a.version
       FROM assets a
       LEFT JOIN asset_categories c ON c.organization_id = a.organization_id AND c.id = a.category_id
       LEFT JOIN workspaces w ON w.organization_id = a.organization_id AND w.id = a.workspace_id
       LEFT JOIN assets p ON p.organization_id = a.organization_id AND p.id = a.parent_asset_id
       LEFT JOIN users u ON u.id = a.assigned_to_user_id
       JOIN users creator ON creator.id = a.created_by
       WHERE a.organization_id = $1 AND a.id = $2`,
      [person.organization_id, id],
    ),
    pool.query<Row & { occurred_at: Date }>(
      `SELECT id, occurred_at, recorded_at, type, actor_name AS actor, actor_user_id, source,
         client_name AS client, changes, note
       FROM history_events WHERE organization_id = $1 AND asset_id = $2
       ORDER BY occurred_at DESC, sequence DESC LIMIT 5`,
      [person.organization_id, id],
    ),
  ]);
  const asset = found.rows[0];
  if (asset === undefined) throw new Error(`no asset ${id}`);
  const today = dayIn(person.time_zone);
  const { warranty_expires_on: warranty, in_service_date: inService } = asset;
  return {
    asset: withoutEmpty({
      ...asset,
      age_months: inService && monthsBetween(inService, today),
      warranty_status: warranty && warrantyStatus(warranty, today),
      state_changed_at: toTimestamp(asset.state_changed_at),
      created_at: toTimestamp(asset.created_at),
      updated_at: toTimestamp(asset.updated_at),
      url: `${baseUrl}/assets/${asset.id}`,
    }),
    recent_history: events.rows.map((event) =>
      withoutEmpty({ ...event, recorded_at: null, occurred_at: toTimestamp(event.occurred_at) }),
    ),
  };
}

function warrantyStatus(endsOn: string, today: string): string {
  if (endsOn < today) return "expired";
  return daysBetween(today, endsOn) <= 90 ? "ending" : "active";
}

function withoutEmpty(row: Row): Row {
  const kept: Row = {};
  for (const [name, value] of Object.entries(row)) {
    if (value !== null && !(Array.isArray(value) && value.length === 0)) kept[name] = value;
  }
  return kept;
}
