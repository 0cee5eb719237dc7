import { createHash, type Hash } from "node:crypto";
import { z } from "zod";
import { allEntities } from "../entities.js";
import { migrationNames } from "../migrations.js";
import { DatabaseError } from "../open-database.js";

/** What stands at the beginning of a back-up. */
export const headerShape = z.object({
  /** The version of the format. */
  fettle_backup: z.literal(1),
  /** The version of the program that made it. */
  program: z.string().regex(/^[\w.+-]{1,50}$/),
  created_at: z.string(),
  /** What the schema was made by, in this order. */
  migrations: z.array(z.string()),
  /** The hashes of the functions that wrote the rows. */
  functions: z.record(z.string(), z.string()).default({}),
  /** Of all tables, to tell how far something is. */
  rows: z.number(),
});
export type Header = z.infer<typeof headerShape>;

const tableSum = z.object({
  rows: z.number(),
  /** Of the rows as JSON by their primary key, each with a line break. */
  sha256: z.string(),
});
type TableSum = z.infer<typeof tableSum>;

/** What stands at its end, by which the whole is checked. */
export const manifestShape = z.object({
  tables: z.record(z.string(), tableSum),
  /** The last value that each sequence gave out. */
  sequences: z.record(z.string(), z.string()),
});
export type Manifest = z.infer<typeof manifestShape>;

/** Some rows of one table, as JSON. */
export interface Rows {
  table: string;
  rows: string[];
}

/** All that a database holds, a few rows at a time. */
export type Piece = { header: Header } | Rows | { manifest: Manifest };

/** Sums tables up, row by row. */
export class Tally {
  readonly #tables = new Map<string, { rows: number; hash: Hash }>();

  add({ table, rows }: Rows): void {
    const sum = this.#tables.get(table) ?? { rows: 0, hash: createHash("sha256") };
    this.#tables.set(table, sum);
    sum.rows += rows.length;
    for (const row of rows) sum.hash.update(row).update("\n");
  }

  /** Ends it. */
  sums(): Record<string, TableSum> {
    const sums = [...this.#tables].map(
      ([table, { rows, hash }]) => [table, { rows, sha256: hash.digest("hex") }] as const,
    );
    return Object.fromEntries(sums);
  }
}

/** Refuses where the tables are not what the manifest says, by the name of the first. */
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

/** The same pieces; throws where they are not of this version, not all, or not as they were written. */
export async function* checkPieces(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  const tally = new Tally();
  let [isBegun, isComplete] = [false, false];
  for await (const piece of pieces) {
    if ("header" in piece === isBegun || isComplete) {
      throw damaged(isBegun ? "there is more than it shall have" : "its beginning is missing");
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
