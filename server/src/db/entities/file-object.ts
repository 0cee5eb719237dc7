import { instantNow, text } from "../columns.js";
import { table } from "../table.js";

/** What was ever put into the object storage; housekeeping removes what no file is left of. */
export const FileObject = table("file_objects", {
  /** The organization and the file: `org_…/fil_…`. */
  key: text().primary(),
  created_at: instantNow(),
});
