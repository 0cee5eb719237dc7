import type { Tx } from "../db/database.js";
import type { OnProgress } from "./ledger.js";

/** The large sample is the demo and 99 copies of its assets, with their tasks and history. */
const copies = 99;

/**
 * Derives a copy's id from the original's, so references need no lookup. The result has the format
 * of an id.
 */
const copyOf = `
CREATE OR REPLACE FUNCTION pg_temp.copy_of(id text, copy integer) RETURNS text
LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT substr(id, 1, 4) || string_agg(
    substr('0123456789abcdefghjkmnpqrstvwxyz', (get_byte(bytes, i) & 31) + 1, 1), '' ORDER BY i)
  FROM decode(md5(id || ' ' || copy), 'hex') AS bytes, generate_series(0, 11) AS i
$$`;

/** Columns with ids that must point to rows of the copy. */
const references = ["id", "asset_id", "parent_asset_id", "task_id", "plan_id"];

/**
 * Tables in dependency order, the order of their originals, and the columns that differ in a copy.
 * `s` is the original, `s.nth` its position, `s.total` the number of originals, `o` the
 * organization and `c` the number of the copy.
 */
const tables: [name: string, order: string, changes?: Record<string, string>][] = [
  [
    "assets",
    "created_at, id",
    {
      inventory_number: `o.inventory_prefix || '-' || lpad(
        (greatest(o.next_inventory_seq - 1, o.highest) + (c - 1) * s.total + s.nth)::text, 6, '0')`,
      name: "left(s.name, 190) || ' · ' || (c + 1)",
      serial_number: "s.serial_number || '-' || (c + 1)",
      qr_token: "substr(pg_temp.copy_of('qr: ' || s.qr_token, c), 5)",
    },
  ],
  ["maintenance_plans", "id"],
  [
    "maintenance_tasks",
    "task_number",
    { task_number: "o.next_task_number - 1 + (c - 1) * s.total + s.nth" },
  ],
  ["task_checklist_items", "task_id, position"],
  ["asset_state_periods", "id"],
  ["history_events", "sequence", { request_id: "s.request_id || '-' || c" }],
];

const highest = `SELECT max(substring(inventory_number from '-(\\d{6})$')::int) FROM assets
  WHERE organization_id = $1`;

/**
 * Copies the assets of a sample organization with everything that belongs to them, within the
 * database. Replaying 300,000 events would take hours. Doesn't copy people and workspaces.
 */
export async function copyAssets(
  tx: Tx,
  organizationId: string,
  onProgress: OnProgress = () => {},
): Promise<void> {
  await tx.query(copyOf);
  for (const [index, [table, order, changes = {}]] of tables.entries()) {
    const columns = await readColumns(tx, table);
    const values = columns.map((column) =>
      references.includes(column)
        ? `pg_temp.copy_of(s.${column}, c)`
        : (changes[column] ?? `s.${column}`),
    );
    await tx.query(
      `INSERT INTO ${table} (${columns.join(", ")}) SELECT ${values.join(", ")}
       FROM (SELECT *, row_number() OVER (ORDER BY ${order}) AS nth, count(*) OVER () AS total
             FROM ${table} WHERE organization_id = $1) s,
         (SELECT *, (${highest}) AS highest FROM organizations WHERE id = $1) o,
         generate_series(1, ${copies}) c
       ORDER BY c, s.nth`,
      [organizationId],
    );
    await onProgress(index + 1, tables.length);
  }
  await tx.query(
    `UPDATE organizations SET next_inventory_seq = (${highest}) + 1, next_task_number =
       (SELECT max(task_number) + 1 FROM maintenance_tasks WHERE organization_id = $1)
     WHERE id = $1`,
    [organizationId],
  );
}

/** Returns the columns that the database doesn't number or compute. */
async function readColumns(tx: Tx, table: string): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0
       AND NOT attisdropped AND attgenerated = '' AND attidentity = ''`,
    [table],
  );
  return rows.map(({ name }) => name);
}
