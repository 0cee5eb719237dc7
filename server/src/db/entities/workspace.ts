import { citext, instantNow, integer, text } from "../columns.js";
import { columnsOf, field } from "../fields.js";
import { table, type Row } from "../table.js";

/** What people enter about a workspace. */
export const workspaceFields = {
  name: field.text({ max: 100, required: true }),
  description: field.text({ max: 2000, multiline: true }),
  address: field.text({ max: 500, multiline: true }),
};

export const Workspace = table(
  "workspaces",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    id: text().primary(),
    ...columnsOf(workspaceFields),
    name: citext(),
    created_by: text().references("users"),
    created_at: instantNow(),
    updated_at: instantNow(),
    version: integer().default(1),
  },
  {
    uniques: [["organization_id", "name"]],
    checks: ["name", "description", "address"],
  },
);
export type Workspace = Row<typeof Workspace>;
