import {
  day,
  flag,
  instant,
  instantNow,
  integer,
  integers,
  oneOf,
  text,
  bytes,
  citext,
  instants,
  bigint,
} from "../columns.js";
import { table, type Row } from "../table.js";

export const organizationRoles = ["owner", "admin", "member"] as const;
export type OrganizationRole = (typeof organizationRoles)[number];

export const OrganizationMember = table(
  "organization_members",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    user_id: text().primary().references("users"),
    role: oneOf(organizationRoles),
    joined_at: instantNow(),
    invited_by: text().nullable().references("users"),
    last_active_at: instant().nullable(),
    removed_at: instant().nullable(),
    /**
     * Increases when a workspace role is changed or removed, when a missing second factor becomes
     * required, or when apps' deletions must be confirmed. See `confirmAccess`.
     */
    access_epoch: integer().default(0),
    /**
     * Last day of membership, in the organization's time zone. The server then ends the membership.
     */
    access_ends_on: day().nullable(),
    /** True if this owner or admin has hidden the first steps. */
    hides_first_steps: flag().default(false),
    /** Null, as `working_days`, if the person works as usual in the organization. */
    weekly_minutes: integer().nullable(),
    working_days: integers().nullable(),
  },
  {
    indexes: { user_id: ["user_id"] },
    sqlIndexes: ["access_ends_on"],
    checks: ["working_time"],
  },
);
export type OrganizationMember = Row<typeof OrganizationMember>;

/** Whole days on which a person doesn't work. They don't overlap. */
export const Absence = table(
  "absences",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    user_id: text().primary().references("organization_members.user_id", "CASCADE"),
    first_day: day().primary(),
    last_day: day(),
    /** Only for the person and admins. */
    note: text().nullable(),
  },
  { checks: ["days", "note"] },
);
export type Absence = Row<typeof Absence>;

/** Most powerful role first. */
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

const viewedLists = ["assets", "tasks"] as const;
export type ViewedList = (typeof viewedLists)[number];

/** A person's own view of a list: its filters and order as the query of its address. */
export const SavedView = table("saved_views", {
  organization_id: text().primary(),
  user_id: text().primary().references("organization_members.user_id", "CASCADE"),
  list: oneOf(viewedLists).primary(),
  name: citext().primary(),
  query: text(),
});

export const inviteOrganizationRoles = ["admin", "member"] as const;
export type InviteOrganizationRole = (typeof inviteOrganizationRoles)[number];
export const deliveryStatuses = ["queued", "sent", "failed"] as const;

export const Invite = table(
  "invites",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    id: text().primary(),
    /** Null without a workspace, or if it was deleted. `workspace_name` remains. */
    workspace_id: text().nullable().references("workspaces"),
    /** The workspace's name at the time of the invitation. */
    workspace_name: text().nullable(),
    email: citext(),
    organization_role: oneOf(inviteOrganizationRoles),
    workspace_role: oneOf(workspaceRoles).nullable(),
    /** For the membership that the invitation creates. */
    access_ends_on: day().nullable(),
    message: text().nullable(),
    /** For the latest link. Earlier links are invalid. */
    token_hash: bytes(),
    expires_at: instant(),
    sent_count: integer().default(1),
    last_sent_at: instant(),
    /** Resends of the last 24 hours, for the rate limit. */
    recent_resends: instants().default([]),
    delivery_status: oneOf(deliveryStatuses).default("queued"),
    invited_by: text().references("users"),
    created_at: instantNow(),
    accepted_by: text().nullable().references("users"),
    accepted_at: instant().nullable(),
    revoked_by: text().nullable().references("users"),
    revoked_at: instant().nullable(),
    /** Set when the address was invited again after this invitation expired. */
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

/** The record of a permanently deleted asset. No tool or resource returns it. */
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
