import type { Tx } from "../../db/database.js";
import type { StoredFile } from "../../db/entities/files.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { maxToldFiles, tellFile } from "../assets/asset-files.js";
import { isVisibleAssetSql, isVisibleTaskSql, visibleFileSql } from "../access/visibility.js";
import { createParameters, type Parameters } from "../../db/parameters.js";
import { contractorNameSql } from "../shared/contractor-name.js";
import { idKindOf } from "../shared/ids.js";

export interface ShownFile extends Pick<
  StoredFile,
  "id" | "name" | "type" | "size" | "width" | "height" | "moment" | "created_at"
> {
  /** Null for a person without an account. */
  added_by: string | null;
}

const shown = `f.id, f.name, f.type, f.size, f.width, f.height, f.moment, f.created_at,
  coalesce(u.name, ${contractorNameSql("l")}) AS added_by`;
const authorJoins = `LEFT JOIN users u ON u.id = f.created_by
  LEFT JOIN task_links l ON l.organization_id = f.organization_id AND l.id = f.task_link_id`;

/** The owner of files. Files of a report aren't the asset's, and files of a comment only its own. */
type Owner = { asset_id: string } | { task_id: string } | { report_id: string };

/** SQL condition: the caller sees the owner with the id $2. */
const isSeenSql = {
  asset_id: isVisibleAssetSql,
  task_id: isVisibleTaskSql,
  // Checks the files themselves, which belong to the report's asset.
  report_id: (caller: Caller, parameters: Parameters) => visibleFileSql(caller, parameters, "f"),
};

/** Returns a record's files, newest first. Empty if the caller doesn't see the record. */
export async function findFilesOf(db: Tx, caller: Caller, owner: Owner): Promise<ShownFile[]> {
  const [column = "", id] = Object.entries(owner)[0] ?? [];
  const isSeen = isSeenSql[column as keyof typeof isSeenSql];
  const isItself = column === "asset_id" ? "f.report_id IS NULL" : "TRUE";
  const parameters = createParameters(caller.organizationId, id);
  return db.query(
    `SELECT ${shown} FROM files f ${authorJoins}
     WHERE f.organization_id = $1 AND f.${column} = $2 AND ${isItself}
       AND f.comment_id IS NULL
       AND ${isSeen(caller, parameters)}
     ORDER BY f.created_at DESC, f.id`,
    parameters.values,
  );
}

export async function tellFilesOf(db: Tx, caller: Caller, owner: Owner) {
  const files = await findFilesOf(db, caller, owner);
  return files.slice(0, maxToldFiles).map((file) => tellFile(caller, file));
}

/** SQL for the id of an asset's newest picture. `asset` is the column with the asset's id. */
export function coverPictureSql(asset: string): string {
  return `(SELECT f.id FROM files f
    WHERE f.organization_id = $1 AND f.asset_id = ${asset} AND f.thumbnail IS NOT NULL
      AND f.report_id IS NULL AND f.comment_id IS NULL
    ORDER BY f.created_at DESC, f.id LIMIT 1)`;
}

/** Returns each asset's newest picture, by asset id. The caller must see the assets. */
export async function findCoverPictures(
  db: Tx,
  caller: Caller,
  assetIds: readonly string[],
): Promise<Map<string, string>> {
  if (assetIds.length === 0) return new Map();
  const rows = await db.query<{ asset_id: string; cover: string | null }>(
    `SELECT asset_id, ${coverPictureSql("shown.asset_id")} AS cover
     FROM unnest($2::text[]) AS shown (asset_id)`,
    [caller.organizationId, assetIds],
  );
  return new Map(
    rows.flatMap(({ asset_id, cover }) => (cover === null ? [] : [[asset_id, cover] as const])),
  );
}

/** Returns the files of comments, in the order they were added. The caller must see the comments. */
export async function findFilesOfComments(
  db: Tx,
  { organizationId }: Caller,
  ids: readonly string[],
): Promise<(ShownFile & { comment_id: string })[]> {
  if (ids.length === 0) return [];
  return db.query(
    `SELECT ${shown}, f.comment_id FROM files f ${authorJoins}
     WHERE f.organization_id = $1 AND f.comment_id = ANY ($2::text[]) ORDER BY f.created_at, f.id`,
    [organizationId, ids],
  );
}

/** Returns each report's first picture, by report. */
export async function findReportPictures(
  db: Tx,
  caller: Caller,
  reportIds: readonly string[],
): Promise<Map<string, string>> {
  if (reportIds.length === 0) return new Map();
  const parameters = createParameters(caller.organizationId, reportIds);
  const rows = await db.query<{ id: string; report_id: string }>(
    `SELECT DISTINCT ON (f.report_id) f.report_id, f.id FROM files f
     WHERE f.organization_id = $1 AND f.report_id = ANY ($2::text[]) AND f.thumbnail IS NOT NULL
       AND ${visibleFileSql(caller, parameters, "f")}
     ORDER BY f.report_id, f.created_at, f.id`,
    parameters.values,
  );
  return new Map(rows.map(({ id, report_id }) => [report_id, id]));
}

export interface FoundFile
  extends
    ShownFile,
    Pick<StoredFile, "organization_id" | "storage" | "asset_id" | "task_id" | "created_by"> {}

export async function findFile(db: Tx, caller: Caller, id: string): Promise<FoundFile> {
  const parameters = createParameters(caller.organizationId, id);
  const found =
    idKindOf(id) === "file"
      ? await db.maybe<FoundFile>(
          `SELECT ${shown}, f.organization_id, f.storage, f.asset_id, f.task_id, f.created_by
           FROM files f ${authorJoins}
           WHERE f.organization_id = $1 AND f.id = $2
             AND ${visibleFileSql(caller, parameters, "f")}`,
          parameters.values,
        )
      : undefined;
  if (found === undefined) throw new AppError("not_found", "file_not_found");
  return found;
}

/** Returns the thumbnail of a file that was found. Throws if it has none. */
export async function readThumbnail(db: Tx, { organization_id, id }: FoundFile) {
  const row = await db.maybe<{ thumbnail: Buffer | Uint8Array | null }>(
    "SELECT thumbnail FROM files WHERE organization_id = $1 AND id = $2",
    [organization_id, id],
  );
  const thumbnail = row?.thumbnail ?? undefined;
  if (thumbnail === undefined) throw new AppError("not_found", "file_not_found");
  return Buffer.from(thumbnail);
}
