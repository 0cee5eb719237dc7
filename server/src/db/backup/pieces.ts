import { createHash, type Hash } from "node:crypto";
import { z } from "zod";
import { allEntities } from "../entities.js";
import { migrationNames } from "../migrations.js";
import { DatabaseError } from "../open-database.js";

export const headerShape = z.object({
  /** Version of the backup format. */
  fettle_backup: z.literal(1),
  /** Version of the program that wrote the backup. */
  program: z.string().regex(/^[\w.+-]{1,50}$/),
  created_at: z.string(),
  /** Names of the schema's migrations, in order. */
  migrations: z.array(z.string()),
  /** Hashes of the functions that wrote the rows. */
  functions: z.record(z.string(), z.string()).default({}),
  /** Total over all tables, to show progress. */
  rows: z.number(),
});
export type Header = z.infer<typeof headerShape>;

const tableSum = z.object({
  rows: z.number(),
  /** Hash of the rows as JSON in primary key order, each with a line break. */
  sha256: z.string(),
});
type TableSum = z.infer<typeof tableSum>;

/** The last piece of a backup, used to verify all tables. */
export const manifestShape = z.object({
  tables: z.record(z.string(), tableSum),
  /** The last value of each sequence. */
  sequences: z.record(z.string(), z.string()),
});
export type Manifest = z.infer<typeof manifestShape>;

/** A batch of rows of one table, as JSON. */
export interface Rows {
  table: string;
  rows: string[];
}

export type Piece = { header: Header } | Rows | { manifest: Manifest };

export class Tally {
  readonly #tables = new Map<string, { rows: number; hash: Hash }>();

  add({ table, rows }: Rows): void {
    const sum = this.#tables.get(table) ?? { rows: 0, hash: createHash("sha256") };
    this.#tables.set(table, sum);
    sum.rows += rows.length;
    for (const row of rows) sum.hash.update(row).update("\n");
  }

  /** Finalizes the hashes, so `add` can't be called afterwards. */
  sums(): Record<string, TableSum> {
    const sums = [...this.#tables].map(
      ([table, { rows, hash }]) => [table, { rows, sha256: hash.digest("hex") }] as const,
    );
    return Object.fromEntries(sums);
  }
}

/** Throws an error that names the first table that differs from the manifest. */
export function compareSums(
  found: Record<string, TableSum>,
  { tables }: Manifest,
  what: string,
): void {
  const names = new Set([...Object.keys(found), ...Object.keys(tables)]);
  for (const name of names) {
    const [is, shall] = [found[name], tables[name]];
    if (is?.sha256 === shall?.sha256 && is?.rows === shall?.rows) continue;
    throw new DatabaseError(
      `${what}: the table ${name} has ${is?.rows ?? "no"} rows, and not the ${shall?.rows ?? "none"} that were backed up or with other content.`,
    );
  }
}

const tables = new Set(allEntities.map(({ options }) => options.tableName));

/**
 * Passes the pieces on. Throws if the schema is another version's, or if pieces are missing or
 * damaged.
 */
export async function* checkPieces(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  const tally = new Tally();
  let [isBegun, isComplete] = [false, false];
  for await (const piece of pieces) {
    if ("header" in piece === isBegun || isComplete) {
      throw damaged(isBegun ? "it has more rows than expected" : "its beginning is missing");
    }
    if ("header" in piece) requireSameSchema(piece.header);
    isBegun = true;
    if ("rows" in piece) {
      if (!tables.has(piece.table)) throw damaged("it names a table that there is not");
      tally.add(piece);
    }
    if ("manifest" in piece) {
      compareSums(tally.sums(), piece.manifest, "The back-up is damaged");
      isComplete = true;
    }
    yield piece;
  }
  if (!isComplete) throw damaged("its end is missing");
}

function damaged(how: string): DatabaseError {
  return new DatabaseError(`The back-up is damaged: ${how}.`);
}

function requireSameSchema({ migrations, program }: Header): void {
  const own = migrationNames;
  if (own.length === migrations.length && own.every((name, n) => name === migrations[n])) return;
  throw new DatabaseError(
    `The back-up was made by Fettle ${program} with another schema (${migrations.length} migrations, this version has ${own.length}). Restore it with that version, then upgrade.`,
  );
}
