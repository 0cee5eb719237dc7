import type { EntityManager } from "typeorm";
import type { Caller } from "../access/caller.js";
import { createParameters } from "../sql/parameters.js";
import { visibleWorkspaceSql } from "../access/visibility.js";
import { workspaceNotFound } from "../references/workspace-references.js";

/** A workspace as it is changed: everything that people entered. */
export interface WorkspaceSettings {
  id: string;
  name: string;
  description: string | null;
  address: string | null;
  version: number;
}

export async function getWorkspaceSettings(
  db: EntityManager,
  caller: Caller,
  id: string,
): Promise<WorkspaceSettings> {
  const parameters = createParameters(caller.organizationId, id);
  const rows: WorkspaceSettings[] = await db.query(
    `SELECT w.id, w.name::text AS name, w.description, w.address, w.version FROM workspaces w
     WHERE w.organization_id = $1 AND w.id = $2 AND ${visibleWorkspaceSql(caller, parameters, "w.id")}`,
    parameters.values,
  );
  const workspace = rows[0];
  if (workspace === undefined) throw await workspaceNotFound(db, caller, id);
  return workspace;
}
