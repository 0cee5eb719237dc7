import type { Tx } from "../../db/database.js";

export interface Owner {
  id: string;
  name: string;
  email: string;
}

export async function findOwners(db: Tx, organizationId: string): Promise<Owner[]> {
  return db.query(
    `SELECT u.id, u.name, u.email::text AS email FROM organization_members m
     JOIN users u ON u.id = m.user_id AND u.deactivated_at IS NULL
     WHERE m.organization_id = $1 AND m.role = 'owner' AND m.removed_at IS NULL
     ORDER BY u.name, u.id`,
    [organizationId],
  );
}
