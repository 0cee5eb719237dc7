import { instantNow, text } from "../columns.js";
import { table, type Row } from "../table.js";

export const UserPassword = table("user_passwords", {
  user_id: text().primary().references("users", "CASCADE"),
  password_hash: text(),
  changed_at: instantNow(),
});
export type UserPassword = Row<typeof UserPassword>;
