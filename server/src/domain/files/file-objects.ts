import { In, type Database } from "../../db/database.js";
import { StoredFile } from "../../db/entities/files.js";
import { commit } from "../history/transactions.js";
import { toObjectKey } from "./file-contents.js";
import type { ObjectStore } from "./object-store.js";

/** Removes recently stored objects that have no file. */
export async function removeUnused(
  db: Database,
  objects: ObjectStore,
  organization_id: string,
  ids: readonly string[],
): Promise<void> {
  const files = await commit({ db, caller: null }, (tx) =>
    tx.find(StoredFile, { select: { id: true }, where: { organization_id, id: In([...ids]) } }),
  );
  const used = new Set(files.map(({ id }) => id));
  for (const id of ids) {
    if (!used.has(id)) await remove(db, objects, toObjectKey({ organization_id, id }));
  }
}

async function remove(db: Database, objects: ObjectStore, key: string): Promise<void> {
  await objects.remove(key);
  await commit({ db, caller: null }, (tx) =>
    tx.query("DELETE FROM file_objects WHERE key = $1", [key]),
  );
}

const batchSize = 100;

/**
 * Removes objects without a file: of deleted files, assets, tasks and organizations, and of refused
 * uploads. Waits an hour, because a file is recorded some time after its object.
 */
export async function cleanUpFileObjects(db: Database, objects: ObjectStore): Promise<void> {
  for (let last = ""; ;) {
    const rows = await db.query<{ key: string }>(
      `SELECT o.key FROM file_objects o
       WHERE o.key > $1 AND o.created_at < app_now() - interval '1 hour'
         AND NOT EXISTS (SELECT 1 FROM files f
           WHERE f.organization_id = split_part(o.key, '/', 1)
             AND f.id = split_part(o.key, '/', 2))
       ORDER BY o.key LIMIT ${batchSize}`,
      [last],
    );
    for (const { key } of rows) await remove(db, objects, key);
    if (rows.length < batchSize) return;
    last = rows.at(-1)?.key ?? "";
  }
}
