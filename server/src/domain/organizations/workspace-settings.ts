import type { Tx } from "../../db/database.js";
import { workspaceFields } from "../../db/entities/organizations.js";
import type { Stored } from "../../db/fields.js";
import { selectFields } from "../shared/field-columns.js";
import type { Caller } from "../access/caller.js";
import { createParameters } from "../../db/parameters.js";
import { visibleWorkspaceSql } from "../access/visibility.js";
import { workspaceNotFound } from "../shared/workspace-references.js";

export interface WorkspaceSettings extends Stored<typeof workspaceFields> {
  id: string;
  version: number;
}

export async function getWorkspaceSettings(
  db: Tx,
  caller: Caller,
  id: string,
): Promise<WorkspaceSettings> {
  const parameters = createParameters(caller.organizationId, id);
  const workspace = await db.maybe<WorkspaceSettings>(
    `SELECT w.id, ${selectFields(workspaceFields, "w")}, w.version FROM workspaces w
     WHERE w.organization_id = $1 AND w.id = $2 AND ${visibleWorkspaceSql(caller, parameters, "w.id")}`,
    parameters.values,
  );
  if (workspace === undefined) throw await workspaceNotFound(db, caller, id);
  return workspace;
}
