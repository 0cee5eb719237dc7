import { readFile } from "node:fs/promises";
import type { Database, Tx } from "../../db/database.js";
import { KeptPhoto } from "../../db/entities/files.js";
import { deleteInBatches } from "../history/batches.js";
import { commit } from "../history/transactions.js";
import { findType, isPicture } from "../files/file-types.js";
import type { GivenFile } from "../files/prepare-file.js";
import { createId } from "../shared/ids.js";

const lifeMinutes = 60;

/** Per organization. The oldest are deleted. */
const maxKept = 30;

/**
 * Stores the photos of a rejected report and returns their ids. Skips files that aren't pictures.
 */
export async function keepPhotos(
  db: Database,
  organization_id: string,
  given: readonly GivenFile[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const { name, path, field, isTooLarge } of given) {
    const content = await readFile(path);
    const type = await findType(content, { field, name }).catch(() => "");
    if (isTooLarge || !isPicture(type)) continue;
    const id = createId("file");
    const photo = { organization_id, id, name: Array.from(name).slice(0, 100).join(""), content };
    await commit({ db, caller: null }, async (tx) => {
      await tx.insert(KeptPhoto, photo);
      await tx.query(
        `DELETE FROM kept_photos WHERE organization_id = $1 AND id IN (
           SELECT id FROM kept_photos WHERE organization_id = $1
           ORDER BY created_at DESC, id OFFSET $2)`,
        [organization_id, maxKept],
      );
    });
    ids.push(id);
  }
  return ids;
}

export async function findKeptPhotos(
  db: Tx,
  organizationId: string,
  ids: readonly string[],
): Promise<Pick<KeptPhoto, "id" | "name">[]> {
  if (ids.length === 0) return [];
  return db.query(
    `SELECT id, name FROM kept_photos WHERE organization_id = $1 AND id = ANY($2)
       AND created_at > app_now() - interval '${lifeMinutes} minutes'
     ORDER BY array_position($2, id)`,
    [organizationId, ids],
  );
}

export async function readKeptPhoto(db: Tx, organization_id: string, id: string): Promise<Buffer> {
  const found = await db.findOneOrFail(KeptPhoto, { where: { organization_id, id } });
  return Buffer.from(found.content);
}

export async function cleanUpKeptPhotos(db: Database): Promise<void> {
  const isOver = `created_at < app_now() - interval '${lifeMinutes} minutes'`;
  await deleteInBatches(db, "kept_photos", isOver);
}
