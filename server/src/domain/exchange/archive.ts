import { Readable } from "node:stream";
import { ZipFile } from "yazl";
import type { Database, Tx } from "../../db/database.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { readContent, readFiles } from "../files/file-contents.js";
import type { ObjectStore } from "../files/object-store.js";
import { exportAssets, exportPeople, exportTasks, exportWorkspaces } from "./export-lists.js";
import {
  assetColumns,
  peopleColumns,
  taskColumns,
  toHeading,
  workspaceColumns,
} from "./headings.js";
import { writeCsv } from "./write-csv.js";
import { readRows, tablesOf } from "./data-export.js";
import { maxListBytes } from "../../traffic/bounds.js";

/** When each of some pieces may be read. */
export type InTurns = <Piece>(pieces: AsyncIterable<Piece>) => AsyncIterable<Piece>;

interface Part {
  name: string;
  compress: boolean;
  open: () => AsyncIterable<string | Uint8Array> | Promise<Readable>;
}

/**
 * How many bytes the list of the archive's files takes until its end, as measured; refuses too many files. The
 * operator's command has no such bound.
 */
export async function measureList(db: Tx, { organizationId }: Caller): Promise<number> {
  const [{ bytes } = { bytes: 0 }] = await db.query<{ bytes: number }>(
    `SELECT coalesce(sum(1200 + 5 * octet_length(name)), 0)::float8 AS bytes FROM files
     WHERE organization_id = $1`,
    [organizationId],
  );
  if (bytes > maxListBytes) throw new AppError("conflict", "too_many_files");
  return bytes;
}

/**
 * All of the caller's organization as a ZIP file, which is made while it is read: its lists for
 * spreadsheets, its files, and every table as JSON Lines without secrets. What changes meanwhile is in it
 * as it was before or after. As it reads ahead of who reads it, its rows are read in turns of their own.
 */
export function openArchive(
  db: Database,
  caller: Caller,
  objects: ObjectStore | undefined,
  inTurns: InTurns,
): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const breakOff = (error: Error) => output.destroy(error);
  zip.on("error", breakOff);
  // Who reads is told when they go on to read.
  output.on("error", () => undefined);
  let content: Readable | undefined;
  output.once("close", () => content?.destroy());
  // One for all, because the ZIP file keeps it with each of them.
  const give = (receive: (error: unknown, content: Readable) => void) => {
    if (content !== undefined) receive(null, content);
  };
  const addAll = async () => {
    for await (const { name, compress, open } of partsOf(db, caller, objects, inTurns)) {
      // The ZIP file does not listen to what goes wrong in its parts.
      content = Readable.from(await open()).on("error", breakOff);
      const isOver = new Promise((resolve) => content?.once("close", resolve));
      if (output.destroyed) content.destroy();
      else zip.addReadStreamLazy(name, { compress }, give);
      await isOver;
      if (output.destroyed) return;
    }
    zip.end();
  };
  addAll().catch(breakOff);
  return output;
}

async function* partsOf(
  db: Database,
  caller: Caller,
  objects: ObjectStore | undefined,
  inTurns: InTurns,
): AsyncGenerator<Part> {
  for (const [name, columns, rows] of [
    ["assets", assetColumns, () => exportAssets(db, caller, { state: "all" })],
    ["tasks", taskColumns, () => exportTasks(db, caller, { state: "all" })],
    ["members", peopleColumns, () => exportPeople(db, caller, {})],
    ["workspaces", workspaceColumns, () => exportWorkspaces(db, caller, undefined)],
  ] as const) {
    const open = () => writeCsv(columns.map(toHeading), inTurns(rows()));
    yield { name: `${name}.csv`, compress: true, open };
  }
  for await (const file of readFiles(db, caller.organizationId)) {
    const open = () => readContent(db, objects, file);
    yield { name: `files/${file.id}/${file.name}`, compress: false, open };
  }
  const subject = { organizationId: caller.organizationId };
  for (const table of tablesOf(db, subject)) {
    if (table.tableName === "file_pieces") continue;
    const open = () => toLines(inTurns(readRows(db, table, subject)));
    yield { name: `tables/${table.tableName}.jsonl`, compress: true, open };
  }
}

async function* toLines(rows: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const row of rows) yield `${row}\n`;
}
