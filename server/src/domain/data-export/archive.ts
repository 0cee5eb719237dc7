import { Readable } from "node:stream";
import type { DataSource } from "typeorm";
import { ZipFile } from "yazl";
import type { StoredFile } from "../../db/entities/file.js";
import type { Caller } from "../access/caller.js";
import { readContent } from "../files/file-contents.js";
import type { ObjectStore } from "../files/object-store.js";
import {
  exportAssets,
  exportPeople,
  exportTasks,
  exportWorkspaces,
} from "../sheets/export-lists.js";
import {
  assetColumns,
  peopleColumns,
  taskColumns,
  toHeading,
  workspaceColumns,
} from "../sheets/headings.js";
import { writeCsv } from "../sheets/write-csv.js";
import { readRows, tablesOf } from "./data-export.js";

type Content = AsyncIterable<string | Uint8Array>;

/**
 * All of the caller's organization as a ZIP file, which is made while it is read: its lists for
 * spreadsheets, its files, and every table as JSON Lines without secrets. What changes meanwhile is in it
 * as it was before or after.
 */
export async function openArchive(
  db: DataSource,
  caller: Caller,
  objects: ObjectStore | undefined,
): Promise<Readable> {
  const { manager } = db;
  const subject = { organizationId: caller.organizationId };
  const files: Pick<StoredFile, "organization_id" | "id" | "name" | "storage">[] = await db.query(
    "SELECT organization_id, id, name, storage FROM files WHERE organization_id = $1 ORDER BY id",
    [caller.organizationId],
  );
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const breakOff = (error: Error) => output.destroy(error);
  zip.on("error", breakOff);
  // Who reads is told when they go on to read.
  output.on("error", () => undefined);
  let part: Readable | undefined;
  output.once("close", () => part?.destroy());
  const add = (name: string, compress: boolean, open: () => Content | Promise<Content>) => {
    zip.addReadStreamLazy(name, { compress }, (give) => {
      Promise.resolve(open()).then(
        (content) => {
          // The ZIP file does not listen to what goes wrong in its parts.
          part = Readable.from(content).on("error", breakOff);
          if (output.destroyed) part.destroy();
          give(null, part);
        },
        (error: unknown) => {
          give(error, output);
        },
      );
    });
  };
  for (const [name, columns, rows] of [
    ["assets", assetColumns, () => exportAssets(manager, caller, { state: "all" })],
    ["tasks", taskColumns, () => exportTasks(manager, caller, { state: "all" })],
    ["members", peopleColumns, () => exportPeople(manager, caller, {})],
    ["workspaces", workspaceColumns, () => exportWorkspaces(manager, caller, undefined)],
  ] as const) {
    add(`${name}.csv`, true, () => writeCsv(columns.map(toHeading), rows()));
  }
  for (const file of files) {
    add(`files/${file.id}/${file.name}`, false, () => readContent(manager, objects, file));
  }
  for (const table of tablesOf(db, subject)) {
    if (table.tableName === "file_pieces") continue;
    add(`tables/${table.tableName}.jsonl`, true, () => toLines(readRows(manager, table, subject)));
  }
  zip.end();
  return output;
}

async function* toLines(rows: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const row of rows) yield `${row}\n`;
}
