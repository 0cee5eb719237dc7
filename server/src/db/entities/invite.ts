import { EntitySchema } from "typeorm";
import type { WorkspaceRole } from "./workspace-member.js";

export type InviteOrganizationRole = "admin" | "member";
export type DeliveryStatus = "queued" | "sent" | "failed";

export interface Invite {
  id: string;
  organizationId: string;
  /** NULL without a workspace, and when it was deleted; then `workspaceName` is still there. */
  workspaceId: string | null;
  /** The workspace's name when the person was invited. */
  workspaceName: string | null;
  email: string;
  organizationRole: InviteOrganizationRole;
  workspaceRole: WorkspaceRole | null;
  message: string | null;
  /** Of the latest link; earlier ones are dead. */
  tokenHash: Buffer;
  expiresAt: Date;
  sentCount: number;
  lastSentAt: Date;
  /** Of the last 24 hours, for the limit. */
  recentResends: Date[];
  deliveryStatus: DeliveryStatus;
  invitedBy: string;
  createdAt: Date;
  acceptedBy: string | null;
  acceptedAt: Date | null;
  revokedBy: string | null;
  revokedAt: Date | null;
  /** Set when the address was invited anew after this invitation had expired. */
  replacedAt: Date | null;
}

export const InviteEntity = new EntitySchema<Invite>({
  name: "Invite",
  tableName: "invites",
  columns: {
    id: { type: "text", primary: true, primaryKeyConstraintName: "invites_pkey" },
    organizationId: { name: "organization_id", type: "text" },
    workspaceId: { name: "workspace_id", type: "text", nullable: true },
    workspaceName: { name: "workspace_name", type: "text", nullable: true },
    email: { type: "citext" },
    organizationRole: { name: "organization_role", type: "text" },
    workspaceRole: { name: "workspace_role", type: "text", nullable: true },
    message: { type: "text", nullable: true },
    tokenHash: { name: "token_hash", type: "bytea" },
    expiresAt: { name: "expires_at", type: "timestamptz" },
    sentCount: { name: "sent_count", type: "integer", default: 1 },
    lastSentAt: { name: "last_sent_at", type: "timestamptz" },
    recentResends: { name: "recent_resends", type: "timestamptz", array: true, default: [] },
    deliveryStatus: { name: "delivery_status", type: "text", default: "queued" },
    invitedBy: { name: "invited_by", type: "text" },
    createdAt: { name: "created_at", type: "timestamptz", default: () => "now()" },
    acceptedBy: { name: "accepted_by", type: "text", nullable: true },
    acceptedAt: { name: "accepted_at", type: "timestamptz", nullable: true },
    revokedBy: { name: "revoked_by", type: "text", nullable: true },
    revokedAt: { name: "revoked_at", type: "timestamptz", nullable: true },
    replacedAt: { name: "replaced_at", type: "timestamptz", nullable: true },
  },
  foreignKeys: [
    {
      name: "invites_organization_id_fkey",
      target: "Organization",
      columnNames: ["organizationId"],
      referencedColumnNames: ["id"],
      onDelete: "CASCADE",
    },
    // TypeORM has no word for SET NULL (workspace_id); the migration has it.
    {
      name: "invites_workspace_id_fkey",
      target: "Workspace",
      columnNames: ["organizationId", "workspaceId"],
      referencedColumnNames: ["organizationId", "id"],
      onDelete: "SET NULL",
    },
    {
      name: "invites_invited_by_fkey",
      target: "User",
      columnNames: ["invitedBy"],
      referencedColumnNames: ["id"],
    },
    {
      name: "invites_accepted_by_fkey",
      target: "User",
      columnNames: ["acceptedBy"],
      referencedColumnNames: ["id"],
    },
    {
      name: "invites_revoked_by_fkey",
      target: "User",
      columnNames: ["revokedBy"],
      referencedColumnNames: ["id"],
    },
  ],
  uniques: [
    { name: "invites_organization_id_id_key", columns: ["organizationId", "id"] },
    { name: "invites_token_hash_key", columns: ["tokenHash"] },
  ],
  indices: [
    // NULLS NOT DISTINCT: only the migration can say it.
    {
      name: "invites_open_idx",
      columns: ["organizationId", "email", "workspaceId"],
      unique: true,
      synchronize: false,
    },
    // Descending: only the migration can say it.
    {
      name: "invites_created_at_idx",
      columns: ["organizationId", "createdAt", "id"],
      synchronize: false,
    },
    { name: "invites_workspace_id_idx", columns: ["organizationId", "workspaceId"] },
  ],
  checks: [
    { name: "invites_email_check", expression: "char_length(email::text) BETWEEN 3 AND 254" },
    { name: "invites_message_check", expression: "char_length(message) BETWEEN 1 AND 500" },
    {
      name: "invites_organization_role_check",
      expression: "organization_role IN ('admin', 'member')",
    },
    {
      name: "invites_workspace_role_check",
      expression: "workspace_role IN ('admin', 'member', 'viewer')",
    },
    {
      name: "invites_workspace_check",
      expression:
        "(workspace_name IS NULL) = (workspace_role IS NULL) AND (workspace_id IS NULL OR workspace_name IS NOT NULL)",
    },
    {
      name: "invites_delivery_status_check",
      expression: "delivery_status IN ('queued', 'sent', 'failed')",
    },
    {
      name: "invites_accepted_check",
      expression: "(accepted_at IS NULL) = (accepted_by IS NULL)",
    },
    { name: "invites_ended_check", expression: "num_nonnulls(accepted_at, revoked_at) < 2" },
  ],
});
