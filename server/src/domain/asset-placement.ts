import type { EntityManager } from "typeorm";
import { AppError } from "../errors.js";
import { canSeeWorkspace, getPerson, type PersonReference } from "./person-references.js";
import type { Caller } from "./caller.js";
import { quote } from "./quote.js";
import { requireOrganizationAdmin, type Place } from "./roles.js";

/**
 * Where a member may add assets, when they left the workspace out: only admins of the organization
 * add assets that are not placed.
 */
export async function refuseUnplaced(tx: EntityManager, caller: Caller): Promise<never> {
  const workspaces: { id: string; name: string }[] = await tx.query(
    `SELECT w.id, w.name::text AS name FROM workspace_members m
     JOIN workspaces w ON w.organization_id = m.organization_id AND w.id = m.workspace_id
     WHERE m.organization_id = $1 AND m.user_id = $2 AND m.role <> 'viewer'
     ORDER BY w.name LIMIT 10`,
    [caller.organizationId, caller.userId],
  );
  if (workspaces.length === 0) await requireOrganizationAdmin(tx, caller, "add assets");
  const choices = workspaces.map(({ id, name }) => `${quote(name)} (${id})`).join(", ");
  throw new AppError(
    "validation_failed",
    `Validation failed: workspace_id is missing; only organization admins add assets that are not placed. You can add to: ${choices}.`,
    { field: "workspace_id", details: { workspaces } },
  );
}

/** Finds who shall be responsible; the person must be able to see where the asset is. */
export async function getAssignee(
  tx: EntityManager,
  caller: Caller,
  reference: string,
  place: Place,
): Promise<PersonReference> {
  const person = await getPerson(tx, caller, reference);
  if (await canSeeWorkspace(tx, caller, person, place?.id ?? null)) return person;
  throw new AppError(
    "validation_failed",
    `Validation failed: assigned_to_user_id: ${quote(person.name)} cannot see the workspace ${quote(place?.name ?? "")}. Choose someone who belongs to it, or let a workspace admin add them first.`,
    { field: "assigned_to_user_id" },
  );
}

/** Whether the present assignee can still see the asset in another place. */
export async function keepsAssignee(
  tx: EntityManager,
  caller: Caller,
  userId: string,
  place: Place,
): Promise<boolean> {
  if (place === null) return true;
  const rows: unknown[] = await tx.query(
    `SELECT 1 FROM organization_members m
     WHERE m.organization_id = $1 AND m.user_id = $2 AND (m.role <> 'member' OR EXISTS
       (SELECT 1 FROM workspace_members w WHERE w.organization_id = $1 AND w.user_id = $2
          AND w.workspace_id = $3))`,
    [caller.organizationId, userId, place.id],
  );
  return rows.length > 0;
}
