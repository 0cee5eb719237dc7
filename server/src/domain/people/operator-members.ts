import type { Tx } from "../../db/database.js";
import type { OrganizationMember } from "../../db/entities/people.js";

export interface MemberLine extends Pick<
  OrganizationMember,
  "user_id" | "role" | "joined_at" | "last_active_at" | "access_ends_on"
> {
  email: string | null;
  name: string;
  active: boolean;
}

/** The members of an organization for the admin command: owners first, then by email. */
export async function listMembersByOperator(db: Tx, organizationId: string): Promise<MemberLine[]> {
  return db.query(
    `SELECT m.user_id, u.email::text AS email, u.name, m.role,
       u.deactivated_at IS NULL AS active, m.joined_at, m.last_active_at,
       m.access_ends_on::text AS access_ends_on
     FROM organization_members m JOIN users u ON u.id = m.user_id
     WHERE m.organization_id = $1 AND m.removed_at IS NULL
     ORDER BY array_position('{owner,admin,member}', m.role), u.email, u.id`,
    [organizationId],
  );
}
