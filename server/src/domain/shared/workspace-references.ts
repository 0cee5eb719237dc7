import type { Tx } from "../../db/database.js";
import type { Workspace } from "../../db/entities/organizations.js";
import { AppError } from "../../errors.js";
import type { Caller, WorkspaceRole } from "../access/caller.js";
import { noteWorkspaceRole, ownRoleSql, requireOrganizationAdmin } from "../access/roles.js";
import { idKindOf } from "./ids.js";
import { compared, createParameters } from "../../db/parameters.js";
import { visibleWorkspaceSql } from "../access/visibility.js";
import { rejectWrongKindOfId } from "./wrong-kind-of-id.js";

export type WorkspaceReference = Pick<Workspace, "id" | "name">;

/**
 * Finds a workspace by id or exact name (case ignored), if the caller may see it. `lock` keeps it
 * until the transaction ends, for code that adds something to it.
 */
export async function getWorkspace(
  db: Tx,
  caller: Caller,
  reference: string,
  field = "workspace_id",
  { lock = false }: { lock?: boolean } = {},
): Promise<WorkspaceReference> {
  rejectWrongKindOfId(reference, "workspace", field);
  const byId = idKindOf(reference) === "workspace";
  const parameters = createParameters(caller.organizationId, reference);
  const ownRole = ownRoleSql(caller, parameters, "w.id");
  const found = await db.maybe<WorkspaceReference & { own_role: WorkspaceRole | null }>(
    `SELECT w.id, w.name::text AS name, ${ownRole} AS own_role FROM workspaces w
     WHERE w.organization_id = $1 AND ${byId ? "w.id = $2" : "w.name = $2::citext"}
       AND ${visibleWorkspaceSql(caller, parameters, "w.id")}${lock ? " FOR KEY SHARE OF w" : ""}`,
    parameters.values,
  );
  if (found === undefined) throw await workspaceNotFound(db, caller, reference, field);
  const { own_role: role, ...workspace } = found;
  noteWorkspaceRole(caller, workspace.id, role);
  return workspace;
}

export async function workspaceNotFound(
  db: Tx,
  caller: Caller,
  reference: string,
  field = "workspace_id",
): Promise<AppError> {
  const parameters = createParameters(caller.organizationId, compared(reference));
  const nearest = await db.query<WorkspaceReference>(
    `SELECT w.id, w.name::text AS name FROM workspaces w
     WHERE w.organization_id = $1 AND ${visibleWorkspaceSql(caller, parameters, "w.id")}
       AND (w.name::text % $2 OR $2 <% w.name::text)
     ORDER BY greatest(similarity(w.name::text, $2), word_similarity($2, w.name::text)) DESC, w.id
     LIMIT 3`,
    parameters.values,
  );
  return new AppError("not_found", "workspace_not_found", { field, reference, nearest });
}

const actions = { add: "add assets", invite: "invite people" } as const;

/**
 * Always throws. Only organization admins may do this without a workspace. The error lists
 * workspaces where the caller may do it.
 */
export async function rejectMissingWorkspace(
  tx: Tx,
  caller: Caller,
  action: keyof typeof actions,
): Promise<never> {
  const roles: WorkspaceRole[] = action === "add" ? ["member", "admin"] : ["admin"];
  const workspaces = await findWorkspacesWithRole(tx, caller, roles);
  if (workspaces.length === 0) await requireOrganizationAdmin(tx, caller, actions[action]);
  const details = { field: "workspace_id", action, workspaces };
  throw new AppError("validation_failed", "workspace_missing", details);
}

/** Up to ten workspaces in which a member has one of the roles. */
export async function findWorkspacesWithRole(
  db: Tx,
  caller: Caller,
  roles: readonly WorkspaceRole[],
): Promise<WorkspaceReference[]> {
  return db.query(
    `SELECT w.id, w.name::text AS name FROM workspace_members m
     JOIN workspaces w ON w.organization_id = m.organization_id AND w.id = m.workspace_id
     WHERE m.organization_id = $1 AND m.user_id = $2 AND m.role = ANY ($3)
     ORDER BY w.name LIMIT 10`,
    [caller.organizationId, caller.userId, roles],
  );
}
