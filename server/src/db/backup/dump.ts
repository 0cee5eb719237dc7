import type { DataSource, QueryRunner } from "typeorm";
import { readFunctionHashes } from "../functions.js";
import { compareSchema } from "../migrate.js";
import { migrationNames } from "../migrations.js";
import { DatabaseError } from "../open-database.js";
import { Tally, type Header, type Piece, type Rows } from "./pieces.js";

/** Rows that are read at once, fewer where each is large. */
export const batchSizeOf = (table: string) => (table === "file_pieces" ? 20 : 500);

/** The role may have one, where a pooler takes none from connections. */
export const noTimeLimit = "SET LOCAL statement_timeout = 0";

/**
 * All that the database holds, as of one moment, while others go on writing. On the embedded database,
 * which does one transaction at a time, they wait.
 */
export async function* dump(db: DataSource, program: string): AsyncGenerator<Piece> {
  const { missing, unknown } = await compareSchema(db);
  if (missing.length + unknown.length > 0) {
    throw new DatabaseError(
      "The database is of another version than this program. Make the back-up with the version that uses it.",
    );
  }
  const runner = db.createQueryRunner();
  try {
    await runner.startTransaction("REPEATABLE READ");
    await runner.manager.query("SET TRANSACTION READ ONLY");
    await runner.manager.query(noTimeLimit);
    yield { header: await makeHeader(db, runner, program) };
    const tally = new Tally();
    for await (const rows of readTables(db, runner)) {
      tally.add(rows);
      yield rows;
    }
    yield { manifest: { tables: tally.sums(), sequences: await readSequences(runner) } };
  } finally {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    await runner.release();
  }
}

async function makeHeader(db: DataSource, runner: QueryRunner, program: string): Promise<Header> {
  const counts = db.entityMetadatas.map(({ tableName }) => `(SELECT count(*) FROM ${tableName})`);
  const [row]: { rows: string; created_at: Date }[] = await runner.manager.query(
    `SELECT ${counts.join(" + ")} AS rows, fettle_now() AS created_at`,
  );
  return {
    fettle_backup: 1,
    program,
    created_at: row?.created_at.toISOString() ?? "",
    migrations: migrationNames,
    functions: await readFunctionHashes(runner.manager),
    rows: Number(row?.rows),
  };
}

/** The rows of all tables by their primary keys, which makes them comparable; at least one batch of each. */
export async function* readTables(db: DataSource, runner: QueryRunner): AsyncGenerator<Rows> {
  await runner.manager.query("SET LOCAL TIME ZONE 'UTC'");
  await runner.manager.query("SET LOCAL bytea_output = 'hex'");
  for (const { tableName: table, primaryColumns } of db.entityMetadatas) {
    // Databases sort texts each in their own way.
    const order = primaryColumns.map(({ databaseName, type }) =>
      type === "text" ? `t.${databaseName} COLLATE "C"` : `t.${databaseName}`,
    );
    await runner.manager.query(
      `DECLARE backed_up NO SCROLL CURSOR FOR
       SELECT to_json(t)::text AS row FROM ${table} t ORDER BY ${order.join(", ")}`,
    );
    const batchSize = batchSizeOf(table);
    for (let count = batchSize; count === batchSize;) {
      const found: { row: string }[] = await runner.manager.query(
        `FETCH ${batchSize} FROM backed_up`,
      );
      count = found.length;
      yield { table, rows: found.map(({ row }) => row) };
    }
    await runner.manager.query("CLOSE backed_up");
  }
}

async function readSequences(runner: QueryRunner): Promise<Record<string, string>> {
  const rows: { name: string; last: string }[] = await runner.manager.query(
    `SELECT sequencename AS name, last_value AS last FROM pg_sequences
     WHERE schemaname = current_schema() AND last_value IS NOT NULL ORDER BY sequencename`,
  );
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]));
}
