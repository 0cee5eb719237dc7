import { bytes, integer, text } from "../columns.js";
import { table } from "../table.js";

/** A part of what is in a file, in the order of positions. */
export const FilePiece = table("file_pieces", {
  organization_id: text().primary(),
  file_id: text().primary().references("files", "CASCADE"),
  position: integer().primary(),
  content: bytes(),
});
