import type { Database } from "../../../server/src/db/database.js";
import { aMember, type Member } from "../../support/builders.js";

/** People who read the organization: the owner sees everything, the viewer sees one workspace. */
export interface SizedOrganization {
  owner: Member;
  viewer: Member;
}

const workspaces = 20;
const technicians = 40;
const categories = 30;
/** More than any organization has of any record, so ids of two organizations never collide. */
const idsOfOrganization = 100_000_000;
const tables = ["assets", "maintenance_tasks", "history_events", "asset_state_periods"];

/**
 * Adds an organization with this many assets. Per asset there are two tasks, ten events and 3.5
 * state periods, spread over two years. SQL statements generate them without indexes, foreign keys
 * or triggers, except the triggers that fill the search columns.
 */
export async function seedSized(
  db: Database,
  assets: number,
  offset: number,
): Promise<SizedOrganization> {
  const organization = `${assets} assets`;
  const owner = await aMember(db, { organization, email: `owner-${assets}@example.com` });
  const viewer = await aMember(db, {
    organization,
    email: `viewer-${assets}@example.com`,
    workspace: "Site 1",
    workspaceRole: "viewer",
  });
  const { organizationId, userId } = owner;
  const present = await db.maybe<unknown>(
    "SELECT 1 FROM assets WHERE organization_id = $1 LIMIT 1",
    [organizationId],
  );
  if (present !== undefined) return { owner, viewer };
  const values = [
    organizationId,
    userId,
    offset * idsOfOrganization,
    assets,
    workspaces,
    technicians,
    categories,
  ];
  const run = async (statement: string) => {
    // Literals, because none of these statements uses all values, as parameters would require.
    await db.query(
      statement.replaceAll(/\$(\d)/g, (_, place) => literal(values[Number(place) - 1])),
    );
  };
  for (const statement of [workspacesSql, peopleSql, membersSql, categoriesSql])
    await run(statement);
  await withoutIndexes(db, async () => {
    for (const statement of [assetsSql, tasksSql, eventsSql, periodsSql]) await run(statement);
  });
  await db.query("SELECT recount_figures($1)", [organizationId]);
  await run("UPDATE assets a SET awaits_work = true WHERE organization_id = $1 AND awaits_work(a)");
  for (const table of tables) await db.query(`ALTER TABLE ${table} ENABLE TRIGGER ALL`);
  await run("UPDATE organizations SET next_task_number = 2 * $4 + 1 WHERE id = $1");
  return { owner, viewer };
}

function literal(value: string | number | undefined): string {
  return typeof value === "number" ? `${value}::bigint` : `'${value ?? ""}'`;
}

/** Returns SQL for an id like `ast_00c1f2…`. Distinct numbers give distinct ids in no order. */
function idSql(prefix: string, number: string): string {
  return `'${prefix}_' || lpad(to_hex((${number})::bigint * 2654435761 & 281474976710655), 12, '0')`;
}

/** Returns SQL for the id of one of the workspaces. The first was created with the viewer. */
function placeSql(number: string): string {
  return `CASE WHEN ${number} % $5 = 0 THEN (SELECT id FROM workspaces
    WHERE organization_id = $1 AND name = 'Site 1') ELSE ${idSql("wsp", `$3 + ${number} % $5 + 1`)} END`;
}

const workspacesSql = `INSERT INTO workspaces (id, organization_id, name, created_by)
  SELECT ${idSql("wsp", "$3 + i")}, $1, 'Site ' || i, $2 FROM generate_series(2::bigint, $5) i`;

const peopleSql = `INSERT INTO users (id, email, name)
  SELECT ${idSql("usr", "$3 + i")}, 'technician-' || i || '@' || $4 || '.example.com', 'Technician ' || i
  FROM generate_series(1::bigint, $6) i`;

const membersSql = `INSERT INTO organization_members (organization_id, user_id, role)
  SELECT $1, ${idSql("usr", "$3 + i")}, 'member' FROM generate_series(1::bigint, $6) i`;

const categoriesSql = `INSERT INTO asset_categories (id, organization_id, name)
  SELECT ${idSql("cat", "$3 + i")}, $1, 'Category ' || i FROM generate_series(1::bigint, $7) i`;

const kinds =
  "{Pump,Fan,Boiler,Chiller,Lift,Compressor,Extinguisher,Laptop,Printer,Truck,Forklift,Crane," +
  "Valve,Conveyor,Generator,Battery,Lamp,Door,Sensor,Camera,Mixer,Oven,Press,Drill,Robot}";

const assetsSql = `INSERT INTO assets (id, organization_id, workspace_id, inventory_number, name,
    category_id, description, state, criticality, condition, manufacturer, model, serial_number, location,
    assigned_to_user_id, purchase_date, purchase_cost, currency, warranty_expires_on, tags, qr_token,
    last_seen_at, created_by, created_at, updated_at, deleted_at, state_before_deletion)
  SELECT ${idSql("ast", "$3 + i")}, $1,
    CASE WHEN i % 50 > 0 THEN ${placeSql("i")} END, 'F-' || lpad(i::text, 7, '0'),
    ('${kinds}'::text[])[i % 25 + 1] || ' unit ' || substr(md5(i::text), 1, 5),
    CASE WHEN i % 20 > 0 THEN ${idSql("cat", "$3 + i / 3 % $7 + 1")} END, 'Serves line ' || i % 400 || '.', state,
    (ARRAY['low', 'medium', 'medium', 'medium', 'high', 'critical'])[i / 7 % 6 + 1], 'good', 'Norda',
    'NP-' || i % 90, 'SN' || substr(md5('s' || i), 1, 10), 'Hall ' || i % 9 || ', bay ' || i % 30,
    CASE WHEN i % 3 = 0 THEN ${idSql("usr", "$3 + i % $6 + 1")} END,
    current_date - 900 - (i % 700)::int, 100 + i % 5000, 'EUR', current_date - 800 + (i % 1600)::int,
    CASE WHEN i % 100 = 0 THEN '{rented,line}' ELSE '{line}' END::text[],
    substr(md5('q' || $3 + i), 1, 24),
    CASE WHEN i % 25 > 0 THEN now() - make_interval(hours => (i % 9000)::int) END, $2, created, created + (now() - created) * (i % 97) / 97.0,
    CASE WHEN state = 'deleted' THEN now() END, CASE WHEN state = 'deleted' THEN 'available' END
  FROM (SELECT i, now() - make_interval(mins => (i * 7919 % 1051200)::int) AS created,
      CASE WHEN i % 100 < 50 THEN 'in_use' WHEN i % 100 < 85 THEN 'available'
        WHEN i % 100 < 92 THEN 'stored' WHEN i % 100 < 95 THEN 'in_maintenance'
        WHEN i % 100 < 97 THEN 'out_of_service' ELSE 'deleted' END AS state
    FROM generate_series(1::bigint, $4) i) asset`;

/** Eight of ten tasks are completed. The others are due between a month ago and a year ahead. */
const tasksSql = `INSERT INTO maintenance_tasks (id, organization_id, task_number, workspace_id,
    asset_id, title, type, priority, state, hidden, due_date, assigned_to_user_id, downtime_minutes,
    estimated_minutes, actual_minutes, labor_cost, currency, started_at, completed_at, completed_by, cancelled_at, in_time,
    criticality, category_id, created_by, created_at, updated_at)
  SELECT ${idSql("tsk", "$3 + i")}, $1, i, a.workspace_id, a.id,
    (ARRAY['Inspect', 'Lubricate', 'Replace filter of', 'Repair', 'Calibrate'])[i % 5 + 1] || ' '
      || split_part(a.name, ' ', 1) || ' ' || i % 1000,
    (ARRAY['inspection', 'preventive', 'preventive', 'corrective', 'calibration'])[i % 5 + 1],
    (ARRAY['low', 'medium', 'medium', 'high', 'urgent'])[i / 5 % 5 + 1], t.state,
    a.state = 'deleted', day,
    CASE WHEN i % 4 > 0 THEN ${idSql("usr", "$3 + i % $6 + 1")} END,
    CASE WHEN i % 5 = 3 THEN i % 480 END, 30 + i % 90,
    CASE WHEN t.state = 'completed' THEN 20 + i % 120 END, i % 400, 'EUR',
    CASE WHEN t.state IN ('completed', 'in_progress') THEN at END,
    CASE WHEN t.state = 'completed' THEN at + interval '2 hours' END,
    CASE WHEN t.state = 'completed' THEN $2 END, CASE WHEN t.state = 'cancelled' THEN at END,
    CASE WHEN t.state = 'completed' AND i % 5 <> 3 THEN true WHEN t.state = 'cancelled' AND at >= day
      THEN false END, a.criticality, a.category_id, $2, at - interval '30 days', at
  FROM (SELECT i, now() - make_interval(mins => (i * 6271 % 1051200)::int) AS at,
      CASE WHEN i % 50 < 40 THEN 'completed' WHEN i % 50 < 48 THEN 'scheduled'
        WHEN i % 50 < 49 THEN 'in_progress' ELSE 'cancelled' END AS state,
      CASE WHEN i % 50 < 40 THEN (now() - make_interval(mins => (i * 6271 % 1051200)::int))::date
        ELSE current_date - 30 + (i / 50 % 395)::int END AS day
    FROM generate_series(1::bigint, 2 * $4) i) t
  JOIN assets a ON a.organization_id = $1 AND a.id = ${idSql("ast", "$3 + i % $4 + 1")}`;

const eventsSql = `INSERT INTO history_events (id, organization_id, workspace_id, asset_id, task_id,
    occurred_at, recorded_at, type, actor_user_id, actor_name, source, client_id, client_name,
    changes, note, visible_in)
  SELECT ${idSql("evt", "$3 + i")}, $1, a.workspace_id, a.id,
    CASE WHEN kind IN (5, 6) THEN ${idSql("tsk", "$3 + i % (2 * $4) + 1")} END, at, at,
    (ARRAY['asset_created', 'asset_updated', 'asset_updated', 'asset_updated', 'asset_state_changed',
      'task_completed', 'task_created', 'asset_state_changed', 'asset_moved', 'note_added'])[kind + 1],
    ${idSql("usr", "$3 + i % $6 + 1")}, 'Technician ' || (i % $6 + 1),
    CASE WHEN i % 13 = 0 THEN 'mcp' ELSE 'web' END, CASE WHEN i % 13 = 0 THEN 'client-' || i % 3 END,
    CASE WHEN i % 13 = 0 THEN (ARRAY['Claude', 'Cursor', 'Inspector'])[i % 3 + 1] END,
    CASE kind WHEN 1 THEN '[{"field":"location","from":"Hall 1","to":"Hall 2"}]'
      WHEN 2 THEN '[{"field":"condition","from":"good","to":"fair"}]'
      WHEN 3 THEN '[{"field":"supplier","to":"Norda"}]'
      WHEN 4 THEN '[{"field":"state","from":"in_use","to":"in_maintenance"}]'
      WHEN 7 THEN '[{"field":"state","from":"in_maintenance","to":"in_use"}]'
      WHEN 8 THEN jsonb_build_array(jsonb_build_object('field', 'workspace_id', 'from',
        ${placeSql("i / 10")}, 'to', a.workspace_id)) ELSE '[]' END::jsonb,
    CASE WHEN kind = 9 THEN CASE WHEN i % 10000 = 9 THEN 'Vibrates at night' ELSE 'Cleaned' END END,
    coalesce(a.workspace_id, '')
  FROM (SELECT i, i % 10 AS kind, now() - make_interval(secs => i * 3571 % 63072000::bigint) AS at
    FROM generate_series(1::bigint, 10 * $4) i) e
  JOIN assets a ON a.organization_id = $1 AND a.id = ${idSql("ast", "$3 + i / 10 % $4 + 1")}`;

/** Each asset is up, down for some hours, and up again. Every second asset was down twice. */
const periodsSql = `INSERT INTO asset_state_periods
    (organization_id, asset_id, workspace_id, category_id, hidden, state, started_at, ended_at, downtime_kind,
      idle_since, is_failure)
  SELECT $1, a.id, a.workspace_id, a.category_id, a.state = 'deleted', p.state, started, ended,
    CASE WHEN p.state = 'out_of_service' THEN 'unplanned' END,
    CASE WHEN p.state = 'stored' THEN started END, p.state = 'out_of_service'
  FROM generate_series(1::bigint, $4) i,
    LATERAL (SELECT now() - make_interval(mins => (i * 7919 % 1051200)::int) AS broken) b,
    LATERAL (VALUES ('in_use', broken - interval '90 days', broken),
      ('out_of_service', broken, broken + (now() - broken) * 0.01),
      ('in_use', broken + (now() - broken) * 0.01,
        CASE WHEN i % 2 = 0 THEN broken + (now() - broken) * 0.5 END),
      ('stored', broken + (now() - broken) * 0.5, NULL)) p (state, started, ended),
    LATERAL (SELECT * FROM assets WHERE organization_id = $1 AND id = ${idSql("ast", "$3 + i")}) a
  WHERE i % 2 = 0 OR p.state <> 'stored'`;

/** Runs bulk writes and creates the indexes afterwards, which is several times as fast. */
async function withoutIndexes(db: Database, write: () => Promise<void>): Promise<void> {
  const indexes = await db.query<{ name: string; definition: string }>(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
     FROM pg_index i WHERE i.indrelid = ANY ($1::text[]::regclass[])
       AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.indexrelid)`,
    [tables],
  );
  for (const { name } of indexes) await db.query(`DROP INDEX ${name}`);
  for (const table of tables) await db.query(`ALTER TABLE ${table} DISABLE TRIGGER ALL`);
  for (const table of tables.slice(0, 3)) {
    await db.query(`ALTER TABLE ${table} ENABLE TRIGGER ${table}_fill_search`);
  }
  await write();
  await db.query("SET maintenance_work_mem = '1GB'");
  for (const { definition } of indexes) await db.query(definition);
}
