import { bytes, instant, instantNow, integer, text, texts } from "../columns.js";
import { table, type Row } from "../table.js";

export const AuthorizationCode = table(
  "oauth_authorization_codes",
  {
    code_hash: bytes().primary(),
    organization_id: text().primary(),
    client_id: text().references("oauth_clients", "CASCADE"),
    user_id: text().references("organization_members.user_id", "CASCADE"),
    scopes: texts(),
    resource: text(),
    redirect_uri: text(),
    code_challenge: text(),
    /** How long the connection is to last; null for as long as nobody ends it. */
    connection_days: integer().nullable(),
    connection_id: text().nullable().references("oauth_connections", "CASCADE"),
    created_at: instantNow(),
    expires_at: instant(),
    consumed_at: instant().nullable(),
  },
  {
    indexes: {
      expires_at: ["expires_at"],
      client_id: ["client_id"],
      connection_id: ["organization_id", "connection_id"],
    },
    checks: ["challenge", "connection_days"],
  },
);
export type AuthorizationCode = Row<typeof AuthorizationCode>;
