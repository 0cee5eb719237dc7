import { bytes, instant, instantNow, text } from "../columns.js";
import { table, type Row } from "../table.js";

export const RefreshToken = table(
  "oauth_refresh_tokens",
  {
    token_hash: bytes().primary(),
    organization_id: text().primary(),
    connection_id: text().references("oauth_connections", "CASCADE"),
    created_at: instantNow(),
    /** Null: the live token, one for each connection. */
    rotated_at: instant().nullable(),
    successor_encrypted: bytes().nullable(),
    /** Who names this `rotation_id` gets the successor again; null once the successor was used. */
    rotation_id_hash: bytes().nullable(),
  },
  {
    indexes: { connection_id: ["organization_id", "connection_id"], rotated_at: ["rotated_at"] },
    uniqueIndexes: { live: ["organization_id", "connection_id"] },
    checks: ["successor", "rotation_id"],
  },
);
export type RefreshToken = Row<typeof RefreshToken>;
