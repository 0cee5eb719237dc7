import { bytes, instantNow } from "../columns.js";
import { table, type Row } from "../table.js";

export const SetupLink = table("setup_links", {
  token_hash: bytes().primary(),
  created_at: instantNow(),
});
export type SetupLink = Row<typeof SetupLink>;
