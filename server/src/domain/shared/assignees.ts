import type { Tx } from "../../db/database.js";
import type { OrganizationMember } from "../../db/entities/people.js";
import { AppError } from "../../errors.js";
import { canSeeWorkspace, getPerson, type PersonReference } from "./person-references.js";
import { lockAssignmentsShared } from "../../db/locks.js";
import type { Caller } from "../access/caller.js";
import type { Warning } from "./warnings.js";
import type { WorkspaceRef } from "../access/roles.js";

/** Finds the person to assign. Throws if they can't see the asset's place. */
export async function getAssignee(
  tx: Tx,
  caller: Caller,
  reference: string,
  place: WorkspaceRef,
  field = "assigned_to_user_id",
): Promise<PersonReference> {
  const person = await getPerson(tx, caller, reference, field, { lock: true });
  if (place === null || (await canSeeWorkspace(tx, caller, person, place.id))) return person;
  const details = { field, name: person.name, person_id: person.id, workspace: place };
  throw new AppError("validation_failed", "assignee_cannot_see", details);
}

export async function findLostAssignee(
  tx: Tx,
  caller: Caller,
  holder: { assigned_to_user_id: string | null; assigned_to: string | null },
  place: WorkspaceRef,
  tasks?: number,
): Promise<Warning | undefined> {
  const { assigned_to_user_id: userId, assigned_to: name } = holder;
  if (userId === null) return undefined;
  await lockAssignmentsShared(tx, caller.organizationId);
  const row = await tx.maybe<Pick<OrganizationMember, "role">>(
    `SELECT role FROM organization_members
     WHERE organization_id = $1 AND user_id = $2 AND removed_at IS NULL FOR KEY SHARE`,
    [caller.organizationId, userId],
  );
  const role = row?.role;
  if (role !== undefined) {
    const person = { id: userId, role };
    if (await canSeeWorkspace(tx, caller, person, place?.id ?? null)) return undefined;
  }
  const lost = { key: "assignee_lost", name: name ?? userId, workspace: place?.name } as const;
  return { ...lost, ...(tasks !== undefined && { tasks }) };
}
