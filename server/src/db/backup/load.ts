import { QueryFailedError } from "typeorm";
import { noTimeLimit, type Database, type Tx } from "../database.js";
import { updateRows, type FunctionHashes } from "../functions.js";
import { DatabaseError } from "../open-database.js";
import { readTables } from "./dump.js";
import { checkPieces, compareSums, Tally, type Manifest, type Piece, type Rows } from "./pieces.js";

/**
 * Fills an empty database of the same version in one transaction. Reads the result again and
 * compares it before the commit. Triggers don't run, because the rows already contain their
 * results.
 */
export function load(db: Database, pieces: AsyncIterable<Piece>): Promise<Manifest> {
  return db.transaction(async (tx) => {
    await tx.query(noTimeLimit);
    const { manifest, functions } = await fill(tx, pieces).catch(explain);
    const tally = new Tally();
    for await (const rows of readTables(tx)) tally.add(rows);
    compareSums(tally.sums(), manifest, "The database does not hold what was backed up");
    await updateRows(tx, functions);
    return manifest;
  });
}

/** Undamaged rows can still violate the database's constraints. */
function explain(error: unknown): never {
  if (!(error instanceof QueryFailedError)) throw error;
  const reason = `The database does not take what was backed up: ${error.message}`;
  throw new DatabaseError(`${reason}. Nothing was changed.`, error);
}

async function fill(
  tx: Tx,
  pieces: AsyncIterable<Piece>,
): Promise<{ manifest: Manifest; functions: FunctionHashes }> {
  const tables = tx.tables.map(({ tableName }) => tableName);
  await tx.query(`LOCK TABLE ${tables.join(", ")} IN ACCESS EXCLUSIVE MODE`);
  await requireEmpty(tx);
  const rebuild = await takeDown(tx, tables);
  let manifest: Manifest | undefined;
  let functions: FunctionHashes = {};
  for await (const piece of checkPieces(pieces)) {
    if ("header" in piece) ({ functions } = piece.header);
    if ("manifest" in piece) ({ manifest } = piece);
    if ("rows" in piece) await insert(tx, piece);
  }
  if (manifest === undefined) throw new Error("Pieces that were checked have a manifest.");
  for (const statement of rebuild) await tx.query(statement);
  for (const [sequence, last] of Object.entries(manifest.sequences)) {
    await tx.query("SELECT setval($1::regclass, $2::bigint)", [sequence, last]);
  }
  await tx.query(`ANALYZE ${tables.join(", ")}`);
  return { manifest, functions };
}

async function requireEmpty(tx: Tx): Promise<void> {
  const [found]: { people: number; organizations: number }[] = await tx.query(
    `SELECT (SELECT count(*)::int FROM users) AS people,
       (SELECT count(*)::int FROM organizations) AS organizations`,
  );
  if (found?.people === 0 && found.organizations === 0) return;
  throw new DatabaseError(
    `The database is not empty: it has ${found?.people ?? 0} accounts and ${found?.organizations ?? 0} organizations. Give an empty one (DATABASE_URL) or another folder (DATA_DIR).`,
  );
}

/**
 * Empties tables, drops foreign keys and indexes, and disables triggers. Loading is then fast and
 * needs no order. Returns the statements that restore them.
 */
async function takeDown(tx: Tx, tables: string[]): Promise<string[]> {
  const rows: { down: string; up: string }[] = await tx.query(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS down,
       format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname,
         pg_get_constraintdef(oid)) AS up
     FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
     UNION ALL
     SELECT format('DROP INDEX %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
     FROM pg_index i WHERE i.indrelid = ANY ($1::regclass[])
       AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)`,
    [tables],
  );
  const [disabled, enabled] = ["DISABLE", "ENABLE"].map((how) =>
    tables.map((table) => `ALTER TABLE ${table} ${how} TRIGGER USER`),
  );
  // ALTER before DROP, and CREATE before ALTER: foreign keys need the indexes.
  for (const down of rows.map((row) => row.down).sort()) await tx.query(down);
  for (const statement of disabled ?? []) await tx.query(statement);
  await tx.query(`TRUNCATE ${tables.join(", ")}`);
  const rebuild = rows.map(({ up }) => up).sort();
  return [...rebuild.reverse(), ...(enabled ?? [])];
}

/** The table must be known: its name becomes part of the statement. */
async function insert(tx: Tx, { table, rows }: Rows): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1::json)`,
    [`[${rows.join(",")}]`],
  );
}
