import type { DataSource } from "typeorm";
import { commit } from "../changes/transactions.js";
import type { ObjectStore } from "./object-store.js";

const batchSize = 100;

/**
 * Removes objects that no file is left of: of files, assets, tasks and organizations that were
 * deleted, and of what was put there for a file that was then refused. An hour later, because a file
 * is known only some time after its object.
 */
export async function cleanUpFileObjects(db: DataSource, objects: ObjectStore): Promise<void> {
  for (let last = ""; ;) {
    const rows: { key: string }[] = await db.query(
      `SELECT o.key FROM file_objects o
       WHERE o.key > $1 AND o.created_at < fettle_now() - interval '1 hour'
         AND NOT EXISTS (SELECT 1 FROM files f
           WHERE f.organization_id = split_part(o.key, '/', 1)
             AND f.id = split_part(o.key, '/', 2))
       ORDER BY o.key LIMIT ${batchSize}`,
      [last],
    );
    for (const { key } of rows) {
      await objects.remove(key);
      await commit({ db, caller: null }, (tx) =>
        tx.query("DELETE FROM file_objects WHERE key = $1", [key]),
      );
    }
    if (rows.length < batchSize) return;
    last = rows.at(-1)?.key ?? "";
  }
}
