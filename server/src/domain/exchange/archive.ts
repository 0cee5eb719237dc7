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

/** Decides when each piece may be read. */
export type InTurns = <Piece>(pieces: AsyncIterable<Piece>) => AsyncIterable<Piece>;

interface Part {
  name: string;
  compress: boolean;
  open: () => AsyncIterable<string | Uint8Array> | Promise<Readable>;
}

/**
 * Returns the memory, in bytes, that the archive's file list takes until the archive ends. The
 * formula is based on measurements. Throws if there are too many files. The operator's command has
 * no limit.
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
 * Returns the caller's whole organization as a ZIP file, created while it is read. It contains
 * lists for spreadsheets, files, and every table as JSON Lines without secrets. Concurrent changes
 * appear as before or after. The archive reads ahead of its reader, so its rows are read in their
 * own turns.
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
  // The reader gets the error when it continues to read.
  output.on("error", () => undefined);
  let content: Readable | undefined;
  output.once("close", () => content?.destroy());
  // One function for all, because the ZIP file keeps it with each part.
  const give = (receive: (error: unknown, content: Readable) => void) => {
    if (content !== undefined) receive(null, content);
  };
  const addAll = async () => {
    for await (const { name, compress, open } of partsOf(db, caller, objects, inTurns)) {
      // The ZIP file doesn't listen for errors in its parts.
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
