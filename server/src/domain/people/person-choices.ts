import type { Tx } from "../../db/database.js";
import type { User } from "../../db/entities/accounts.js";
import type { Caller } from "../access/caller.js";
import { createParameters } from "../../db/parameters.js";
import { visibleMemberSql } from "../access/visibility.js";

export type PersonChoice = Pick<User, "id" | "name">;

/** As many as one finds somebody among; a page with all of them would keep the server from everybody else. */
export const maxPersonChoices = 500;

/**
 * The active members whom the caller sees, by name, for a form to choose from, or any of them where they are
 * too many, and one more; of a workspace, those who see what is in it.
 */
export async function findPersonChoices(
  db: Tx,
  caller: Caller,
  workspaceId?: string,
): Promise<PersonChoice[]> {
  const parameters = createParameters(caller.organizationId);
  const sees =
    workspaceId === undefined
      ? "TRUE"
      : `(m.role <> 'member' OR EXISTS (SELECT 1 FROM workspace_members wm
          WHERE wm.organization_id = $1 AND wm.user_id = m.user_id
            AND wm.workspace_id = ${parameters.add(workspaceId)}))`;
  const visible = visibleMemberSql(caller, parameters, "m");
  return db.query(
    `SELECT id, name FROM (
       SELECT u.id, u.name FROM organization_members m JOIN users u ON u.id = m.user_id
       WHERE m.organization_id = $1 AND m.removed_at IS NULL AND u.deactivated_at IS NULL
         AND ${visible} AND ${sees} LIMIT ${maxPersonChoices + 1}) found
     ORDER BY lower(name), id`,
    parameters.values,
  );
}
