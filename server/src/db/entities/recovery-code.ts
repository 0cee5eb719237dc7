import { bytes, instantNow, text } from "../columns.js";
import { table, type Row } from "../table.js";

/** What stands in for a lost second factor; a used one is gone. */
export const RecoveryCode = table("recovery_codes", {
  user_id: text().primary().references("users", "CASCADE"),
  code_hash: bytes().primary(),
  created_at: instantNow(),
});
export type RecoveryCode = Row<typeof RecoveryCode>;
