import { bytes, instant, instantNow, text } from "../columns.js";
import { table, type Row } from "../table.js";

export const PasswordReset = table(
  "password_resets",
  {
    token_hash: bytes().primary(),
    user_id: text().references("users", "CASCADE"),
    created_at: instantNow(),
    expires_at: instant(),
    /** Used, or replaced by a newer link. */
    ended_at: instant().nullable(),
  },
  {
    indexes: { user_id: ["user_id"], expires_at: ["expires_at"] },
  },
);
export type PasswordReset = Row<typeof PasswordReset>;
