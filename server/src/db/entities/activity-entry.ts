import { bigint, instantNow, json, text } from "../columns.js";
import { table, type Row } from "../table.js";

export const ActivityEntry = table(
  "activity_log",
  {
    id: bigint().primary().generated(),
    organization_id: text().nullable().references("organizations", "CASCADE"),
    user_id: text().nullable().references("users", "SET NULL"),
    actor_name: text(),
    type: text(),
    details: json().default({}),
    ip_address: text().nullable(),
    user_agent: text().nullable(),
    created_at: instantNow(),
  },
  {
    sqlIndexes: ["organization_id", "user_id"],
  },
);
export type ActivityEntry = Row<typeof ActivityEntry>;
