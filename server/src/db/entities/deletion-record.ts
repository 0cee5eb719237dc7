import { bigint, instant, integer, text } from "../columns.js";
import { table, type Row } from "../table.js";

/** What is left of a permanently deleted asset; no tool or resource returns it. */
export const DeletionRecord = table(
  "deletion_records",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    id: bigint().primary().generated(),
    workspace_id: text().nullable(),
    workspace_name: text().nullable(),
    asset_id: text(),
    inventory_number: text(),
    asset_name: text(),
    actor_user_id: text().nullable().references("users", "SET NULL"),
    actor_name: text(),
    client_id: text().nullable(),
    client_name: text().nullable(),
    tasks_removed: integer(),
    events_removed: integer(),
    deleted_at: instant(),
  },
  {
    indexes: { organization_id: ["organization_id", "deleted_at"] },
  },
);
export type DeletionRecord = Row<typeof DeletionRecord>;
