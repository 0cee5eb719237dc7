import { In, type Database } from "../../db/database.js";
import { StoredFile } from "../../db/entities/files.js";
import { commit } from "../history/transactions.js";
import { toObjectKey } from "./file-contents.js";
import type { ObjectStore } from "./object-store.js";

/** Of objects that were just put there, those of which there is no file. */
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
 * Removes objects that no file is left of: of files, assets, tasks and organizations that were
 * deleted, and of what was put there for a file that was then refused. An hour later, because a file
 * is known only some time after its object.
 */
export async function cleanUpFileObjects(db: Database, objects: ObjectStore): Promise<void> {
  for (let last = ""; ;) {
    const rows = await db.query<{ key: string }>(
      `SELECT o.key FROM file_objects o
       WHERE o.key > $1 AND o.created_at < fettle_now() - interval '1 hour'
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
