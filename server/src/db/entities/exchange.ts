import { bytes, integer, text } from "../columns.js";
import { table, type Row } from "../table.js";

/** Part of an uploaded file, stored until the import is applied. */
export const ImportPiece = table("import_pieces", {
  organization_id: text().primary(),
  change_set_id: text().primary().references("change_sets", "CASCADE"),
  position: integer().primary(),
  bytes: bytes(),
});
export type ImportPiece = Row<typeof ImportPiece>;
