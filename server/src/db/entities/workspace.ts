import { citext, instantNow, integer, text } from "../columns.js";
import { table, type Row } from "../table.js";

export const Workspace = table(
  "workspaces",
  {
    id: text().primary(),
    organization_id: text().references("organizations", "CASCADE"),
    name: citext(),
    description: text().nullable(),
    address: text().nullable(),
    created_by: text().references("users"),
    created_at: instantNow(),
    updated_at: instantNow(),
    version: integer().default(1),
  },
  {
    uniques: [
      ["organization_id", "id"],
      ["organization_id", "name"],
    ],
    checks: ["name", "description", "address"],
  },
);
export type Workspace = Row<typeof Workspace>;
