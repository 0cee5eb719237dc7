import { bytes, flag, instant, instantNow, text, texts } from "../columns.js";
import { table, type Row } from "../table.js";

export const AuthorizationRequest = table(
  "oauth_authorization_requests",
  {
    id: text().primary(),
    session_hash: bytes(),
    user_id: text().references("users", "CASCADE"),
    client_id: text().references("oauth_clients", "CASCADE"),
    redirect_uri: text(),
    redirect_uri_given: flag(),
    state: text().nullable(),
    code_challenge: text(),
    resource: text(),
    requested_scopes: texts(),
    created_at: instantNow(),
    decided_at: instant().nullable(),
  },
  {
    indexes: { created_at: ["created_at"], user_id: ["user_id"], client_id: ["client_id"] },
  },
);
export type AuthorizationRequest = Row<typeof AuthorizationRequest>;
