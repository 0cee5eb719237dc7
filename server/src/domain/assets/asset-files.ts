import type { Caller } from "../access/caller.js";
import { fileUrl } from "../access/urls.js";

/** So many are told beside a record; its page has all. */
export const maxToldFiles = 10;

/** The files of an asset ($2) that apps are told of, the newest first; those of reports are not its own. */
export const toldFilesSql = `SELECT f.id, f.name, f.type FROM files f
  WHERE f.organization_id = $1 AND f.asset_id = $2 AND f.report_id IS NULL
  ORDER BY f.created_at DESC, f.id LIMIT ${maxToldFiles}`;

export interface ToldFile {
  id: string;
  name: string;
  type: string;
}

/** As apps are told of a file: the address leads to a page, which asks who looks. */
export function tellFile(caller: Caller, { id, name, type }: ToldFile) {
  return { name, type, url: fileUrl(caller, id) };
}
