import type { PhotoMoment } from "../../db/entities/files.js";
import type { Caller } from "../access/caller.js";
import { fileUrl } from "../access/urls.js";

/** Maximum number of files listed with a record. The record's page lists all files. */
export const maxToldFiles = 10;

/** Files of asset ($2) for apps, newest first. Files of reports are not the asset's own. */
export const toldFilesSql = `SELECT f.id, f.name, f.type FROM files f
  WHERE f.organization_id = $1 AND f.asset_id = $2 AND f.report_id IS NULL
    AND f.comment_id IS NULL
  ORDER BY f.created_at DESC, f.id LIMIT ${maxToldFiles}`;

export interface ToldFile {
  id: string;
  name: string;
  type: string;
  moment?: PhotoMoment | null;
}

/** Returns a file's description for apps. The URL leads to a page that checks access. */
export function tellFile(caller: Caller, { id, name, type, moment = null }: ToldFile) {
  return { name, type, ...(moment !== null && { moment }), url: fileUrl(caller, id) };
}
