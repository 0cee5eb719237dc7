import { bytes, instantNow, json, text } from "../columns.js";
import { table, type Row } from "../table.js";

export const Session = table(
  "sessions",
  {
    id_hash: bytes().primary(),
    user_id: text().references("users", "CASCADE"),
    data: json().default({}),
    user_agent: text().nullable(),
    ip_address: text().nullable(),
    created_at: instantNow(),
    last_used_at: instantNow(),
  },
  {
    indexes: { user_id: ["user_id"], last_used_at: ["last_used_at"] },
  },
);
export type Session = Row<typeof Session>;
