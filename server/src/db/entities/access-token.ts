import { bytes, instant, instantNow, text, texts } from "../columns.js";
import { table, type Row } from "../table.js";

export const AccessToken = table(
  "oauth_access_tokens",
  {
    token_hash: bytes().primary(),
    organization_id: text().primary(),
    connection_id: text().references("oauth_connections", "CASCADE"),
    scopes: texts(),
    created_at: instantNow(),
    expires_at: instant(),
    revoked_at: instant().nullable(),
    /** The refresh token whose use issued this one and may be repeated until this one is used. */
    ends_repeat_of: bytes().nullable(),
  },
  {
    indexes: { connection_id: ["organization_id", "connection_id"], expires_at: ["expires_at"] },
  },
);
export type AccessToken = Row<typeof AccessToken>;
