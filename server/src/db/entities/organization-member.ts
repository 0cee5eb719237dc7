import { day, flag, instant, instantNow, integer, oneOf, text } from "../columns.js";
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
     * Counts up when a role in a workspace is changed or taken away, a second factor is asked for that
     * is not there, or a yes to what apps delete, see `confirmAccess`.
     */
    access_epoch: integer().default(0),
    /** The last day in the organization, by its calendar; the server ends the membership afterwards. */
    access_ends_on: day().nullable(),
    /** Whether this owner or admin does not want to see the first steps any more. */
    hides_first_steps: flag().default(false),
  },
  {
    indexes: { user_id: ["user_id"] },
    sqlIndexes: ["access_ends_on"],
  },
);
export type OrganizationMember = Row<typeof OrganizationMember>;
