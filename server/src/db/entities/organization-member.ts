import { EntitySchema } from "typeorm";

export type OrganizationRole = "owner" | "admin" | "member";

export interface OrganizationMember {
  organizationId: string;
  userId: string;
  role: OrganizationRole;
  joinedAt: Date;
  invitedBy: string | null;
  lastActiveAt: Date | null;
  removedAt: Date | null;
}

export const OrganizationMemberEntity = new EntitySchema<OrganizationMember>({
  name: "OrganizationMember",
  tableName: "organization_members",
  columns: {
    organizationId: {
      name: "organization_id",
      type: "text",
      primary: true,
      primaryKeyConstraintName: "organization_members_pkey",
    },
    userId: {
      name: "user_id",
      type: "text",
      primary: true,
      primaryKeyConstraintName: "organization_members_pkey",
    },
    role: { type: "text" },
    joinedAt: { name: "joined_at", type: "timestamptz", default: () => "now()" },
    invitedBy: { name: "invited_by", type: "text", nullable: true },
    lastActiveAt: { name: "last_active_at", type: "timestamptz", nullable: true },
    removedAt: { name: "removed_at", type: "timestamptz", nullable: true },
  },
  foreignKeys: [
    {
      name: "organization_members_organization_id_fkey",
      target: "Organization",
      columnNames: ["organizationId"],
      referencedColumnNames: ["id"],
      onDelete: "CASCADE",
    },
    {
      name: "organization_members_user_id_fkey",
      target: "User",
      columnNames: ["userId"],
      referencedColumnNames: ["id"],
    },
    {
      name: "organization_members_invited_by_fkey",
      target: "User",
      columnNames: ["invitedBy"],
      referencedColumnNames: ["id"],
    },
  ],
  indices: [{ name: "organization_members_user_id_idx", columns: ["userId"] }],
  checks: [
    { name: "organization_members_role_check", expression: "role IN ('owner', 'admin', 'member')" },
  ],
});
