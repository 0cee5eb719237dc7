import { bytes, instantNow, json, text } from "../columns.js";
import { table, type Row } from "../table.js";

export const IdempotencyRecord = table(
  "idempotency_records",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    user_id: text().primary(),
    client_id: text().primary(),
    tool: text().primary(),
    request_key: text().primary(),
    arguments_hash: bytes(),
    result: json<object>(),
    created_at: instantNow(),
  },
  {
    indexes: { created_at: ["created_at"] },
  },
);
export type IdempotencyRecord = Row<typeof IdempotencyRecord>;
