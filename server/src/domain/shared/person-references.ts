import type { Tx } from "../../db/database.js";
import type { OrganizationMember } from "../../db/entities/people.js";
import type { User } from "../../db/entities/accounts.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { idKindOf } from "./ids.js";
import { compared, createParameters, type Parameters } from "../../db/parameters.js";
import { lockAssignmentsShared } from "../../db/locks.js";
import type { Named } from "./refusals.js";
import {
  visibleAccountSql,
  visibleEmailSql,
  visibleInviteSql,
  visibleMemberSql,
} from "../access/visibility.js";
import { rejectWrongKindOfId } from "./wrong-kind-of-id.js";

export type PersonReference = Pick<User, "id" | "name"> & Pick<OrganizationMember, "role">;

export interface PersonOptions {
  /** Includes people whose account can't sign in. */
  deactivated?: boolean;
  /** Keeps the person a member until the transaction ends. `removeUser` waits. */
  lock?: boolean;
}

/** Finds a member by user id, email, "me" or unique full name, if the caller may see the person. */
export async function getPerson(
  db: Tx,
  caller: Caller,
  reference: string,
  field = "assigned_to_user_id",
  options: PersonOptions = {},
): Promise<PersonReference> {
  const me = reference.toLowerCase() === "me";
  if (me && options.lock !== true) {
    return { id: caller.userId, name: caller.userName, role: caller.organizationRole };
  }
  rejectWrongKindOfId(reference, "user", field);
  if (options.lock === true) await lockAssignmentsShared(db, caller.organizationId);
  const found = await findPerson(db, caller, me ? caller.userId : reference, options);
  if (found === undefined) {
    throw await personNotFound(db, caller, reference, field, options);
  }
  return found;
}

async function personNotFound(
  db: Tx,
  caller: Caller,
  reference: string,
  field: string,
  options: PersonOptions,
): Promise<AppError> {
  const nearest =
    idKindOf(reference) === "user" ? [] : await findNearPeople(db, caller, reference, options);
  const isInvited = reference.includes("@") && (await findInvited(db, caller, reference));
  return new AppError("not_found", "person_not_found", { field, reference, nearest, isInvited });
}

/** True if an invitation visible to the caller is pending. */
async function findInvited(db: Tx, caller: Caller, email: string): Promise<boolean> {
  const parameters = createParameters(caller.organizationId, email);
  const found = await db.query<object>(
    `SELECT FROM invites i WHERE i.organization_id = $1 AND lower(i.email::text) = lower($2)
       AND i.accepted_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > app_now()
       AND ${visibleInviteSql(caller, parameters, "i")} LIMIT 1`,
    parameters.values,
  );
  return found.length > 0;
}

/**
 * Up to three people visible to the caller whose name resembles a text, or whose email if that is
 * visible too. Ignores the email's host.
 */
export async function findNearPeople(
  db: Tx,
  caller: Caller,
  text: string,
  { deactivated = false }: PersonOptions = {},
): Promise<Named[]> {
  const [start = ""] = text.split("@");
  const parameters = createParameters(caller.organizationId, compared(start));
  const email = `CASE WHEN ${visibleEmailSql(caller, parameters, "u")}
    THEN split_part(u.email::text, '@', 1) ELSE '' END`;
  return db.query(
    `SELECT id, name FROM (
       SELECT u.id, u.name, greatest(similarity(u.name, $2), word_similarity($2, u.name) - 0.3,
         similarity(${email}, $2)) AS likeness
       FROM organization_members m JOIN users u ON u.id = m.user_id
       WHERE m.organization_id = $1 AND m.removed_at IS NULL
         AND ${deactivated ? visibleAccountSql(caller, "u") : "u.deactivated_at IS NULL"}
         AND ${visibleMemberSql(caller, parameters, "m")}) known
     WHERE likeness >= 0.3 ORDER BY likeness DESC, lower(name), id LIMIT 3`,
    parameters.values,
  );
}

async function findPerson(
  db: Tx,
  caller: Caller,
  reference: string,
  { deactivated = false, lock = false }: PersonOptions,
): Promise<PersonReference | undefined> {
  const parameters = createParameters(caller.organizationId, reference);
  const rows = await db.query<PersonReference>(
    `SELECT u.id, u.name, m.role FROM organization_members m JOIN users u ON u.id = m.user_id
     WHERE m.organization_id = $1 AND m.removed_at IS NULL
       ${deactivated ? "" : "AND u.deactivated_at IS NULL"}
       AND ${isNamed(caller, reference, parameters)}
       AND ${visibleMemberSql(caller, parameters, "m")} LIMIT 2${lock ? " FOR KEY SHARE OF m" : ""}`,
    parameters.values,
  );
  return rows.length === 1 ? rows[0] : undefined;
}

/** SQL condition: `u` is the person that the reference $2 names. */
function isNamed(caller: Caller, reference: string, parameters: Parameters): string {
  if (idKindOf(reference) === "user") return "u.id = $2";
  if (!reference.includes("@")) return "lower(u.name) = lower($2)";
  return `u.email = $2::citext AND ${visibleEmailSql(caller, parameters, "u")}`;
}

/**
 * True if a member may see the workspace, or records without one. Locks the membership until the
 * transaction ends.
 */
export async function canSeeWorkspace(
  tx: Tx,
  caller: Caller,
  person: Pick<PersonReference, "id" | "role">,
  workspaceId: string | null,
): Promise<boolean> {
  if (workspaceId === null || person.role !== "member") return true;
  const rows = await tx.query(
    `SELECT 1 FROM workspace_members
     WHERE organization_id = $1 AND user_id = $2 AND workspace_id = $3 FOR KEY SHARE`,
    [caller.organizationId, person.id, workspaceId],
  );
  return rows.length > 0;
}
