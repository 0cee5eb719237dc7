import { instantNow, oneOf, text } from "../columns.js";
import { table, type Row } from "../table.js";

/** From the most to the least. */
export const workspaceRoles = ["admin", "member", "viewer"] as const;
export type WorkspaceRole = (typeof workspaceRoles)[number];

export const WorkspaceMember = table(
  "workspace_members",
  {
    organization_id: text().primary(),
    workspace_id: text().primary().references("workspaces", "CASCADE"),
    user_id: text().primary().references("organization_members.user_id", "CASCADE"),
    role: oneOf(workspaceRoles),
    added_by: text().nullable().references("users"),
    added_at: instantNow(),
  },
  {
    indexes: { organization_id_user_id: ["organization_id", "user_id"] },
  },
);
export type WorkspaceMember = Row<typeof WorkspaceMember>;
