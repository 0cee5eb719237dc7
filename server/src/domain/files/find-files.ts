import type { Tx } from "../../db/database.js";
import type { StoredFile } from "../../db/entities/files.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { maxToldFiles, tellFile } from "../assets/asset-files.js";
import { isVisibleAssetSql, isVisibleTaskSql, visibleFileSql } from "../access/visibility.js";
import { createParameters, type Parameters } from "../../db/parameters.js";
import { idKindOf } from "../shared/ids.js";

/** What lists and cards show of a file. */
export interface ShownFile extends Pick<
  StoredFile,
  "id" | "name" | "type" | "size" | "width" | "height" | "created_at"
> {
  /** Null: somebody without an account. */
  added_by: string | null;
}

const shown = `f.id, f.name, f.type, f.size, f.width, f.height, f.created_at, u.name AS added_by`;

/** What files belong to; those that came with a report are not the asset's. */
type Owner = { asset_id: string } | { task_id: string } | { report_id: string };

/** Whether the caller sees what has the id $2. */
const isSeenSql = {
  asset_id: isVisibleAssetSql,
  task_id: isVisibleTaskSql,
  // With the files themselves, which are at its asset.
  report_id: (caller: Caller, parameters: Parameters) => visibleFileSql(caller, parameters, "f"),
};

/** Those of a record, the newest first; none where the caller does not see it. */
export async function findFilesOf(db: Tx, caller: Caller, owner: Owner): Promise<ShownFile[]> {
  const [column = "", id] = Object.entries(owner)[0] ?? [];
  const isSeen = isSeenSql[column as keyof typeof isSeenSql];
  const isItself = column === "asset_id" ? "f.report_id IS NULL" : "TRUE";
  const parameters = createParameters(caller.organizationId, id);
  return db.query(
    `SELECT ${shown} FROM files f LEFT JOIN users u ON u.id = f.created_by
     WHERE f.organization_id = $1 AND f.${column} = $2 AND ${isItself}
       AND ${isSeen(caller, parameters)}
     ORDER BY f.created_at DESC, f.id`,
    parameters.values,
  );
}

/** As apps are told of the newest. */
export async function tellFilesOf(db: Tx, caller: Caller, owner: Owner) {
  const files = await findFilesOf(db, caller, owner);
  return files.slice(0, maxToldFiles).map((file) => tellFile(caller, file));
}

/** The newest picture of each of some assets that the caller sees, by the id of the asset. */
export async function findCoverPictures(
  db: Tx,
  caller: Caller,
  assetIds: readonly string[],
): Promise<Map<string, string>> {
  if (assetIds.length === 0) return new Map();
  const rows = await db.query<{ asset_id: string; id: string }>(
    `SELECT DISTINCT ON (f.asset_id) f.asset_id, f.id FROM files f
     WHERE f.organization_id = $1 AND f.asset_id = ANY ($2) AND f.thumbnail IS NOT NULL
       AND f.report_id IS NULL
     ORDER BY f.asset_id, f.created_at DESC, f.id`,
    [caller.organizationId, assetIds],
  );
  return new Map(rows.map((row) => [row.asset_id, row.id]));
}

export interface FoundFile
  extends
    ShownFile,
    Pick<StoredFile, "organization_id" | "storage" | "asset_id" | "task_id" | "created_by"> {}

/** A file that the caller sees; all others are not found. */
export async function findFile(db: Tx, caller: Caller, id: string): Promise<FoundFile> {
  const parameters = createParameters(caller.organizationId, id);
  const found =
    idKindOf(id) === "file"
      ? await db.maybe<FoundFile>(
          `SELECT ${shown}, f.organization_id, f.storage, f.asset_id, f.task_id, f.created_by
           FROM files f LEFT JOIN users u ON u.id = f.created_by
           WHERE f.organization_id = $1 AND f.id = $2
             AND ${visibleFileSql(caller, parameters, "f")}`,
          parameters.values,
        )
      : undefined;
  if (found === undefined) throw new AppError("not_found", "file_not_found");
  return found;
}

/** The small picture of a file that was found; other files have none. */
export async function readThumbnail(db: Tx, { organization_id, id }: FoundFile) {
  const row = await db.maybe<{ thumbnail: Buffer | Uint8Array | null }>(
    "SELECT thumbnail FROM files WHERE organization_id = $1 AND id = $2",
    [organization_id, id],
  );
  const thumbnail = row?.thumbnail ?? undefined;
  if (thumbnail === undefined) throw new AppError("not_found", "file_not_found");
  return Buffer.from(thumbnail);
}
