import { instant, instantNow, oneOf, text, texts } from "../columns.js";
import { table, type Row } from "../table.js";

const revokedReasons = [
  "disconnected",
  "revoked_by_client",
  "refresh_reuse",
  "code_reuse",
  "member_removed",
  "too_many",
  "expired",
] as const;
export type RevokedReason = (typeof revokedReasons)[number];

export const Connection = table(
  "oauth_connections",
  {
    organization_id: text().primary(),
    id: text().primary(),
    user_id: text().references("organization_members.user_id", "CASCADE"),
    client_id: text().references("oauth_clients"),
    scopes: texts(),
    resource: text(),
    redirect_uri: text(),
    created_at: instantNow(),
    /** When it ends by itself; null for never. */
    expires_at: instant().nullable(),
    last_used_at: instant().nullable(),
    revoked_at: instant().nullable(),
    revoked_by: text().nullable().references("users", "SET NULL"),
    revoked_reason: oneOf(revokedReasons).nullable(),
  },
  {
    indexes: {
      user_id: ["user_id", "created_at"],
      organization_id: ["organization_id", "user_id"],
      client_id: ["client_id"],
    },
    sqlIndexes: ["expires_at"],
    checks: ["scopes", "revoked"],
  },
);
export type Connection = Row<typeof Connection>;
