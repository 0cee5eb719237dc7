import type { EntityManager } from "typeorm";
import { AppError } from "../../errors.js";
import type { Caller, OrganizationRole } from "../caller.js";
import { idKindOf } from "../ids.js";
import { createParameters } from "../parameters.js";
import { quote } from "../quote.js";
import { seesMember } from "../visibility.js";
import { refuseOtherIds } from "../wrong-id.js";

export interface PersonReference {
  id: string;
  name: string;
  role: OrganizationRole;
}

export interface PersonOptions {
  /** Also people whose account cannot sign in. */
  deactivated?: boolean;
  /** Keeps the person a member until the transaction ends: `removeUser` waits. */
  lock?: boolean;
}

/** Finds a member given by user id, email or "me", if the caller may see the person. */
export async function getPerson(
  db: EntityManager,
  caller: Caller,
  reference: string,
  field = "assigned_to_user_id",
  options: PersonOptions = {},
): Promise<PersonReference> {
  const me = reference.toLowerCase() === "me";
  if (me && options.lock !== true) {
    return { id: caller.userId, name: caller.userName, role: caller.organizationRole };
  }
  refuseOtherIds(reference, "user", { field, orElse: 'an email address, or "me"' });
  const found = await findPerson(db, caller, me ? caller.userId : reference, options);
  if (found === undefined) {
    throw new AppError(
      "not_found",
      `User not found for ${quote(reference)}. Give the user id (usr_…) or email of a member of the organization, or "me". It may also be someone you cannot see.`,
      { field },
    );
  }
  return found;
}

async function findPerson(
  db: EntityManager,
  caller: Caller,
  reference: string,
  { deactivated = false, lock = false }: PersonOptions,
): Promise<PersonReference | undefined> {
  const byId = idKindOf(reference) === "user";
  const parameters = createParameters(caller.organizationId, reference);
  const rows: PersonReference[] = await db.query(
    `SELECT u.id, u.name, m.role FROM organization_members m JOIN users u ON u.id = m.user_id
     WHERE m.organization_id = $1 AND m.removed_at IS NULL
       ${deactivated ? "" : "AND u.deactivated_at IS NULL"}
       AND ${byId ? "u.id = $2" : "u.email = $2::citext"}
       AND ${seesMember(caller, parameters, "m")}${lock ? " FOR KEY SHARE OF m" : ""}`,
    parameters.values,
  );
  return rows[0];
}

/**
 * Whether a member may see what is in a workspace (or what is not placed), and goes on to until the
 * transaction ends.
 */
export async function canSeeWorkspace(
  tx: EntityManager,
  caller: Caller,
  person: Pick<PersonReference, "id" | "role">,
  workspaceId: string | null,
): Promise<boolean> {
  if (workspaceId === null || person.role !== "member") return true;
  const rows: unknown[] = await tx.query(
    `SELECT 1 FROM workspace_members
     WHERE organization_id = $1 AND user_id = $2 AND workspace_id = $3 FOR KEY SHARE`,
    [caller.organizationId, person.id, workspaceId],
  );
  return rows.length > 0;
}
