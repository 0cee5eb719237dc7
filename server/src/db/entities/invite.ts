import {
  bytes,
  citext,
  day,
  instant,
  instantNow,
  instants,
  integer,
  oneOf,
  text,
} from "../columns.js";
import { table, type Row } from "../table.js";
import { workspaceRoles } from "./workspace-member.js";

export const inviteOrganizationRoles = ["admin", "member"] as const;
export type InviteOrganizationRole = (typeof inviteOrganizationRoles)[number];
export const deliveryStatuses = ["queued", "sent", "failed"] as const;

export const Invite = table(
  "invites",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    id: text().primary(),
    /** NULL without a workspace, and when it was deleted; then `workspace_name` is still there. */
    workspace_id: text().nullable().references("workspaces"),
    /** The workspace's name when the person was invited. */
    workspace_name: text().nullable(),
    email: citext(),
    organization_role: oneOf(inviteOrganizationRoles),
    workspace_role: oneOf(workspaceRoles).nullable(),
    /** Of the membership that it makes. */
    access_ends_on: day().nullable(),
    message: text().nullable(),
    /** Of the latest link; earlier ones are dead. */
    token_hash: bytes(),
    expires_at: instant(),
    sent_count: integer().default(1),
    last_sent_at: instant(),
    /** Of the last 24 hours, for the limit. */
    recent_resends: instants().default([]),
    delivery_status: oneOf(deliveryStatuses).default("queued"),
    invited_by: text().references("users"),
    created_at: instantNow(),
    accepted_by: text().nullable().references("users"),
    accepted_at: instant().nullable(),
    revoked_by: text().nullable().references("users"),
    revoked_at: instant().nullable(),
    /** Set when the address was invited anew after this invitation had expired. */
    replaced_at: instant().nullable(),
  },
  {
    uniques: [["token_hash", "organization_id"]],
    indexes: { workspace_id: ["organization_id", "workspace_id"] },
    sqlIndexes: ["open", "created_at"],
    checks: ["email", "message", "workspace", "accepted", "ended"],
  },
);
export type Invite = Row<typeof Invite>;
