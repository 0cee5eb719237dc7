import type { DataSource, EntityManager } from "typeorm";
import type { OnProgress } from "./replay.js";

/** Large is the demo and 99 copies of its assets, with their tasks and history. */
const copies = 99;
/** In one transaction. */
const copiesAtOnce = 9;

/**
 * Multiplies the assets of a sample organization with everything that belongs to them, within the
 * database: replaying 300,000 events would take hours. People and workspaces stay as they are.
 */
export async function enlargeSample(
  db: DataSource,
  organizationId: string,
  onProgress: OnProgress = () => {},
): Promise<void> {
  const source = await readSource(db, organizationId);
  for (let from = 1; from <= copies; from += copiesAtOnce) {
    const to = Math.min(copies, from + copiesAtOnce - 1);
    await db.transaction((tx) => addCopies(tx, source, { from, to }));
    onProgress(to, copies);
  }
}

/** Which rows are the originals, and the numbers that the copies go on from. */
interface Source {
  organizationId: string;
  assets: number;
  tasks: number;
  lastAsset: number;
  lastTask: number;
  lastEvent: string;
  lastPeriod: string;
}

async function readSource(db: DataSource, organizationId: string): Promise<Source> {
  const rows: Omit<Source, "organizationId">[] = await db.query(
    `SELECT (SELECT count(*)::int FROM assets WHERE organization_id = o.id) AS assets,
       (SELECT count(*)::int FROM maintenance_tasks WHERE organization_id = o.id) AS tasks,
       (SELECT greatest(o.next_inventory_seq - 1,
            max(substr(inventory_number, length(o.inventory_prefix) + 2)::int))::int FROM assets
          WHERE organization_id = o.id
            AND inventory_number ~ ('^' || o.inventory_prefix || '-[0-9]{6}$')) AS "lastAsset",
       (o.next_task_number - 1)::int AS "lastTask",
       (SELECT max(sequence)::text FROM history_events
          WHERE organization_id = o.id) AS "lastEvent",
       (SELECT max(id)::text FROM asset_state_periods
          WHERE organization_id = o.id) AS "lastPeriod"
     FROM organizations o WHERE o.id = $1`,
    [organizationId],
  );
  const row = rows[0];
  if (row === undefined) throw new Error(`The organization ${organizationId} is gone.`);
  return { organizationId, ...row };
}

/** A copy of an id: the right form, always the same, so that references need no lookup. */
const copyFunction = `
CREATE OR REPLACE FUNCTION pg_temp.copy_of(id text, copy integer) RETURNS text
LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT substr(id, 1, 4) || string_agg(
    substr('0123456789abcdefghjkmnpqrstvwxyz', (get_byte(bytes, i) & 31) + 1, 1), '' ORDER BY i)
  FROM decode(md5(id || ' ' || copy), 'hex') AS bytes, generate_series(0, 11) AS i
$$`;

interface Table {
  name: string;
  /** Numbers the originals, as `s.nth`. */
  order: string;
  /** A condition on the originals, and what its $4 is. */
  where: string;
  upTo: "lastTask" | "lastPeriod" | "lastEvent";
  /** What a copy has instead; `s` is the original and `c` the number of the copy. */
  changes: Record<string, string>;
  /** Filled by the database. */
  without: readonly string[];
}

const own = "organization_id = $1";
const oldTasks = `SELECT id FROM maintenance_tasks WHERE ${own} AND task_number <= $4::bigint`;

async function addCopies(
  tx: EntityManager,
  source: Source,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await tx.query(copyFunction);
  for (const table of tablesOf(source)) {
    const { name, order, where, upTo, changes, without } = table;
    const columns = (await readColumns(tx, name)).filter((column) => !without.includes(column));
    const values = columns.map((column) => changes[column] ?? `s.${column}`);
    await tx.query(
      `INSERT INTO ${name} (${columns.join(", ")})
       SELECT ${values.join(", ")}
       FROM (SELECT *, row_number() OVER (ORDER BY ${order}) AS nth FROM ${name}
             WHERE ${own} AND ${where}) s, generate_series($2::int, $3::int) c
       ORDER BY c, s.nth`,
      [source.organizationId, from, to, source[upTo]],
    );
  }
  await tx.query(
    `UPDATE organizations SET next_inventory_seq = $2, next_task_number = $3 WHERE id = $1`,
    [
      source.organizationId,
      source.lastAsset + to * source.assets + 1,
      source.lastTask + to * source.tasks + 1,
    ],
  );
}

async function readColumns(tx: EntityManager, table: string): Promise<string[]> {
  const rows: { name: string }[] = await tx.query(
    `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
     ORDER BY attnum`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/** In the order in which rows refer to others. */
function tablesOf(source: Source): Table[] {
  return [assetTable(source), ...taskTables(source), ...eventTables];
}

function assetTable({ assets, lastAsset }: Source): Table {
  return {
    name: "assets",
    order: "created_at, id",
    where: `id IN (SELECT asset_id FROM asset_state_periods WHERE ${own} AND id <= $4::bigint)`,
    upTo: "lastPeriod",
    changes: {
      id: "pg_temp.copy_of(s.id, c)",
      inventory_number: `(SELECT o.inventory_prefix FROM organizations o WHERE o.id = $1) || '-'
          || lpad((${lastAsset} + (c - 1) * ${assets} + s.nth)::text, 6, '0')`,
      name: "left(s.name, 190) || ' · ' || (c + 1)",
      serial_number: "s.serial_number || '-' || (c + 1)",
      parent_asset_id: "pg_temp.copy_of(s.parent_asset_id, c)",
      qr_token: "substr(pg_temp.copy_of('qr: ' || s.qr_token, c), 5)",
    },
    without: ["search"],
  };
}

function taskTables({ tasks, lastTask }: Source): Table[] {
  return [
    {
      name: "maintenance_plans",
      order: "id",
      where: `id IN (SELECT plan_id FROM maintenance_tasks
        WHERE ${own} AND task_number <= $4::bigint)`,
      upTo: "lastTask",
      changes: { id: "pg_temp.copy_of(s.id, c)" },
      without: [],
    },
    {
      name: "maintenance_tasks",
      order: "task_number",
      where: "task_number <= $4::bigint",
      upTo: "lastTask",
      changes: {
        id: "pg_temp.copy_of(s.id, c)",
        task_number: `${lastTask} + (c - 1) * ${tasks} + s.nth`,
        asset_id: "pg_temp.copy_of(s.asset_id, c)",
        plan_id: "pg_temp.copy_of(s.plan_id, c)",
      },
      without: ["search"],
    },
    {
      name: "task_checklist_items",
      order: "task_id, position",
      where: `task_id IN (${oldTasks})`,
      upTo: "lastTask",
      changes: { task_id: "pg_temp.copy_of(s.task_id, c)" },
      without: [],
    },
  ];
}

const eventTables: readonly Table[] = [
  {
    name: "asset_state_periods",
    order: "id",
    where: "id <= $4::bigint",
    upTo: "lastPeriod",
    changes: {
      asset_id: "pg_temp.copy_of(s.asset_id, c)",
      task_id: "pg_temp.copy_of(s.task_id, c)",
    },
    without: ["id"],
  },
  {
    name: "history_events",
    order: "sequence",
    where: "sequence <= $4::bigint",
    upTo: "lastEvent",
    changes: {
      id: "pg_temp.copy_of(s.id, c)",
      asset_id: "pg_temp.copy_of(s.asset_id, c)",
      task_id: "pg_temp.copy_of(s.task_id, c)",
      request_id: "s.request_id || '-' || c",
    },
    without: ["sequence", "search"],
  },
];
