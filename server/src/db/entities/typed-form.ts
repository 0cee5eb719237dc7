import { bytes, instantNow, text } from "../columns.js";
import { table, type Row } from "../table.js";

/** The form that a person sent after their session had ended, until they sign in again. */
export const TypedForm = table(
  "typed_forms",
  {
    /** A person has one: the newest. */
    user_id: text().primary().references("users", "CASCADE"),
    content_encrypted: bytes(),
    created_at: instantNow(),
  },
  { indexes: { created_at: ["created_at"] } },
);
export type TypedForm = Row<typeof TypedForm>;
