import { EntitySchema } from "typeorm";

export type WorkspaceRole = "admin" | "member" | "viewer";

export interface WorkspaceMember {
  workspaceId: string;
  userId: string;
  organizationId: string;
  role: WorkspaceRole;
  addedBy: string | null;
  addedAt: Date;
}

export const WorkspaceMemberEntity = new EntitySchema<WorkspaceMember>({
  name: "WorkspaceMember",
  tableName: "workspace_members",
  columns: {
    workspaceId: {
      name: "workspace_id",
      type: "text",
      primary: true,
      primaryKeyConstraintName: "workspace_members_pkey",
    },
    userId: {
      name: "user_id",
      type: "text",
      primary: true,
      primaryKeyConstraintName: "workspace_members_pkey",
    },
    organizationId: { name: "organization_id", type: "text" },
    role: { type: "text" },
    addedBy: { name: "added_by", type: "text", nullable: true },
    addedAt: { name: "added_at", type: "timestamptz", default: () => "now()" },
  },
  foreignKeys: [
    {
      name: "workspace_members_workspace_id_fkey",
      target: "Workspace",
      columnNames: ["organizationId", "workspaceId"],
      referencedColumnNames: ["organizationId", "id"],
      onDelete: "CASCADE",
    },
    {
      name: "workspace_members_user_id_fkey",
      target: "OrganizationMember",
      columnNames: ["organizationId", "userId"],
      referencedColumnNames: ["organizationId", "userId"],
      onDelete: "CASCADE",
    },
    {
      name: "workspace_members_added_by_fkey",
      target: "User",
      columnNames: ["addedBy"],
      referencedColumnNames: ["id"],
    },
  ],
  indices: [
    {
      name: "workspace_members_organization_id_user_id_idx",
      columns: ["organizationId", "userId"],
    },
  ],
  checks: [
    { name: "workspace_members_role_check", expression: "role IN ('admin', 'member', 'viewer')" },
  ],
});
