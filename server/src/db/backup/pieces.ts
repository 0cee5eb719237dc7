import { createHash, type Hash } from "node:crypto";
import { DatabaseError } from "../open-database.js";

/** What stands at the beginning of a back-up. */
export interface Header {
  /** The version of the format. */
  fettle_backup: 1;
  /** The version of the program that made it. */
  program: string;
  created_at: string;
  /** What the schema was made by, in this order. */
  migrations: string[];
  /** Of all tables, to tell how far something is. */
  rows: number;
}

/** What stands at its end, by which the whole is checked. */
export interface Manifest {
  tables: Record<string, TableSum>;
  /** The last value that each sequence gave out. */
  sequences: Record<string, string>;
}

interface TableSum {
  rows: number;
  /** Of the rows as JSON by their primary key, each with a line break. */
  sha256: string;
}

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

/** The same pieces; throws at the end where they are not all, or not as they were written. */
export async function* checkPieces(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  const tally = new Tally();
  let isBegun = false;
  let isComplete = false;
  for await (const piece of pieces) {
    isBegun ||= "header" in piece;
    if (!isBegun) throw new DatabaseError("The back-up is damaged: its beginning is missing.");
    if ("rows" in piece) tally.add(piece);
    if ("manifest" in piece) {
      compareSums(tally.sums(), piece.manifest, "The back-up is damaged");
      isComplete = true;
    }
    yield piece;
  }
  if (!isComplete) throw new DatabaseError("The back-up is damaged: its end is missing.");
}
