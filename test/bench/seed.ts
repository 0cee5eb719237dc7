import { randomBytes } from "node:crypto";
import type { Scope } from "fettle-shared";
import pg from "pg";
import { Database } from "../../server/src/db/database.js";
import { parseConfig } from "../../server/src/config.js";
import { rollUpFigures } from "../../server/src/domain/insight/roll-up-figures.js";
import { createDataSource } from "../../server/src/db/data-source.js";
import { migrate } from "../../server/src/db/migrate.js";
import { aMember } from "../support/builders.js";
import { aToken } from "../support/tokens.js";

export interface ScratchDatabase {
  url: string;
  drop: () => Promise<void>;
}

export interface Seed {
  db: Database;
  organization: string;
  createToken: (baseUrl: string) => Promise<string>;
  /** Assets of the first pass, for single reads. */
  assetIds: string[];
  grow: (count: number) => Promise<void>;
  close: () => Promise<void>;
}

export async function createScratchDatabase(adminUrl: string): Promise<ScratchDatabase> {
  const name = `fettle_bench_${randomBytes(4).toString("hex")}`;
  await runOnce(adminUrl, `CREATE DATABASE ${name}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => runOnce(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

async function runOnce(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** Creates one organization with an owner and the first assets with their history. */
export async function seed(url: string, count: number): Promise<Seed> {
  const db = new Database(await createDataSource({ url }, { poolSize: 2 }).initialize());
  await migrate(db);
  const { organizationId, userId } = await aMember(db, { organization: "Bench", role: "owner" });
  await addPlaces(db, organizationId, userId);
  await addAssets(db, { organizationId, userId, from: 1, to: count });
  await addHistory(db, organizationId, userId);
  await settle(db);
  const rows = await db.query<{ id: string }>("SELECT id FROM assets ORDER BY md5(id) LIMIT 100");
  return {
    db,
    organization: "Bench",
    createToken: async (baseUrl) => {
      const config = parseConfig({ BASE_URL: baseUrl });
      const scopes: Scope[] = ["mcp_read", "mcp_write"];
      return (await aToken(db, config, { userId, organizationId, scopes })).token;
    },
    assetIds: rows.map(({ id }) => id),
    grow: async (to) => {
      await addAssets(db, { organizationId, userId, from: count + 1, to });
      await settle(db);
    },
    close: () => db.source.destroy(),
  };
}

async function addPlaces(db: Database, organizationId: string, userId: string): Promise<void> {
  await db.query(
    `INSERT INTO workspaces (id, organization_id, name, created_by)
     SELECT 'wsp_' || substr(md5('w' || i), 1, 12), $1, 'Site ' || i, $2
     FROM generate_series(1, 8) i`,
    [organizationId, userId],
  );
  await db.query(
    `INSERT INTO asset_categories (id, organization_id, name)
     SELECT 'cat_' || substr(md5('c' || i), 1, 12), $1, 'Category ' || i
     FROM generate_series(1, 12) i`,
    [organizationId],
  );
}

async function addAssets(
  db: Database,
  {
    organizationId,
    userId,
    from,
    to,
  }: Record<"organizationId" | "userId", string> & Record<"from" | "to", number>,
): Promise<void> {
  await db.query(
    `INSERT INTO assets (id, organization_id, workspace_id, inventory_number, name, description,
       category_id, state, criticality, condition, manufacturer, model, serial_number, location,
       assigned_to_user_id, purchase_date, purchase_cost, currency, warranty_expires_on,
       in_service_date, tags, qr_token, created_by)
     SELECT 'ast_' || substr(md5('a' || i), 1, 12), $1, 'wsp_' || substr(md5('w' || i % 8 + 1), 1, 12),
       '434-' || lpad(i::text, 6, '0'), 'Pump ' || substr(md5('n' || i), 1, 6) || ' no. ' || i,
       'Feeds the cooling loop of line ' || i % 40 || '.',
       'cat_' || substr(md5('c' || i % 12 + 1), 1, 12),
       (ARRAY['available', 'in_use', 'in_use', 'in_maintenance', 'stored'])[i % 5 + 1],
       (ARRAY['low', 'medium', 'medium', 'high'])[i % 4 + 1], 'good', 'Norda', 'NP-' || i % 90,
       'SN' || substr(md5('s' || i), 1, 10), 'Hall ' || i % 9 || ', bay ' || i % 30,
       CASE WHEN i % 3 = 0 THEN $2 END, date '2023-01-09' + i % 700, 100 + i % 5000, 'EUR',
       date '2026-01-09' + i % 700, date '2023-02-01' + i % 700, '{cooling,line}',
       substr(md5('q' || i), 1, 24), $2
     FROM generate_series($3::int, $4::int) i`,
    [organizationId, userId, from, to],
  );
}

/** Four events for each asset, so the last five are a typical number. */
async function addHistory(db: Database, organizationId: string, userId: string): Promise<void> {
  await db.query(
    `INSERT INTO history_events (id, organization_id, workspace_id, asset_id, occurred_at,
       recorded_at, type, actor_user_id, actor_name, source, changes)
     SELECT 'evt_' || substr(md5(a.id || i), 1, 12), $1, a.workspace_id, a.id,
       now() - make_interval(days => i), now() - make_interval(days => i), 'asset_updated', $2,
       'Person 1', 'web', '[{"field":"location","from":"Hall 1","to":"Hall 2"}]'
     FROM assets a, generate_series(1, 4) i WHERE a.organization_id = $1`,
    [organizationId, userId],
  );
}

/**
 * Brings the database to the state that housekeeping and autovacuum leave: totals, statistics and a
 * visibility map.
 */
async function settle(db: Database): Promise<void> {
  await rollUpFigures(db);
  await db.query("VACUUM (ANALYZE)");
}
