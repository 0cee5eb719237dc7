import type { Database, Tx } from "../database.js";
import { readFunctionHashes } from "../functions.js";
import { compareSchema } from "../migrate.js";
import { migrationNames } from "../migrations.js";
import { DatabaseError } from "../open-database.js";
import { Tally, type Header, type Piece, type Rows } from "./pieces.js";

/** Rows per read. Fewer for tables with large rows. */
export const batchSizeOf = (table: string) => (table === "file_pieces" ? 20 : 500);

/** Reads the whole database as one snapshot. */
export async function* dump(db: Database, program: string): AsyncGenerator<Piece> {
  const { missing, unknown } = await compareSchema(db);
  if (missing.length + unknown.length > 0) {
    throw new DatabaseError(
      "The database is of another version than this program. Make the back-up with the version that uses it.",
    );
  }
  yield* db.snapshot(async function* (tx): AsyncGenerator<Piece> {
    yield { header: await makeHeader(tx, program) };
    const tally = new Tally();
    for await (const rows of readTables(tx)) {
      tally.add(rows);
      yield rows;
    }
    yield { manifest: { tables: tally.sums(), sequences: await readSequences(tx) } };
  });
}

async function makeHeader(tx: Tx, program: string): Promise<Header> {
  const counts = tx.tables.map(({ tableName }) => `(SELECT count(*) FROM ${tableName})`);
  const [row]: { rows: string; created_at: Date }[] = await tx.query(
    `SELECT ${counts.join(" + ")} AS rows, app_now() AS created_at`,
  );
  return {
    fettle_backup: 1,
    program,
    created_at: row?.created_at.toISOString() ?? "",
    migrations: migrationNames,
    functions: await readFunctionHashes(tx),
    rows: Number(row?.rows),
  };
}

/**
 * Reads the rows of all tables in primary key order, which makes dumps comparable. Yields at least
 * one batch per table.
 */
export async function* readTables(tx: Tx): AsyncGenerator<Rows> {
  await tx.query("SET LOCAL TIME ZONE 'UTC'");
  await tx.query("SET LOCAL bytea_output = 'hex'");
  for (const { tableName: table, primaryColumns } of tx.tables) {
    // Databases sort text differently, so the collation is fixed.
    const order = primaryColumns.map(({ databaseName, type }) =>
      type === "text" ? `t.${databaseName} COLLATE "C"` : `t.${databaseName}`,
    );
    await tx.query(
      `DECLARE backed_up NO SCROLL CURSOR FOR
       SELECT to_json(t)::text AS row FROM ${table} t ORDER BY ${order.join(", ")}`,
    );
    const batchSize = batchSizeOf(table);
    for (let count = batchSize; count === batchSize;) {
      const found: { row: string }[] = await tx.query(`FETCH ${batchSize} FROM backed_up`);
      count = found.length;
      yield { table, rows: found.map(({ row }) => row) };
    }
    await tx.query("CLOSE backed_up");
  }
}

async function readSequences(tx: Tx): Promise<Record<string, string>> {
  const rows: { name: string; last: string }[] = await tx.query(
    `SELECT sequencename AS name, last_value AS last FROM pg_sequences
     WHERE schemaname = current_schema() AND last_value IS NOT NULL ORDER BY sequencename`,
  );
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]));
}
