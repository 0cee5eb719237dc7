import { bytes, instant, instantNow, integer, text } from "../columns.js";
import { table, type Row } from "../table.js";

/** The authenticator app of a person (TOTP, RFC 6238). */
export const Authenticator = table("authenticators", {
  user_id: text().primary().references("users", "CASCADE"),
  secret_encrypted: bytes(),
  /** The time step of the last code that was taken; no code of it or before counts again. */
  last_step: integer(),
  created_at: instantNow(),
  last_used_at: instant().nullable(),
});
export type Authenticator = Row<typeof Authenticator>;
