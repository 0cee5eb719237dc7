import type { Tx } from "../../db/database.js";
import type { User } from "../../db/entities/accounts.js";
import type { Caller } from "../access/caller.js";
import { createParameters } from "../../db/parameters.js";
import { visibleMemberSql } from "../access/visibility.js";

export type PersonChoice = Pick<User, "id" | "name">;

/** Limits the choices to a usable list. A page with all people would block the server. */
export const maxPersonChoices = 500;

/**
 * Active members visible to the caller, by name, for form choices. If there are too many, an
 * arbitrary selection of one more than the maximum. With a workspace, only people who can see it.
 * Only people whose name contains one of the folded words, or a word with the folded beginning.
 */
export async function findPersonChoices(
  db: Tx,
  caller: Caller,
  workspaceId?: string,
  { words, beginning = "" }: { words?: readonly string[]; beginning?: string } = {},
): Promise<PersonChoice[]> {
  const parameters = createParameters(caller.organizationId);
  const sees =
    workspaceId === undefined
      ? "TRUE"
      : `(m.role <> 'member' OR EXISTS (SELECT 1 FROM workspace_members wm
          WHERE wm.organization_id = $1 AND wm.user_id = m.user_id
            AND wm.workspace_id = ${parameters.add(workspaceId)}))`;
  const folded = "replace(lower(u.name), '''', '’')";
  const isNamed =
    words === undefined
      ? `strpos(' ' || ${folded}, ' ' || ${parameters.add(beginning)}::text) > 0`
      : `string_to_array(${folded}, ' ') && ${parameters.add(words)}::text[]`;
  const visible = visibleMemberSql(caller, parameters, "m");
  return db.query(
    `SELECT id, name FROM (
       SELECT u.id, u.name FROM organization_members m JOIN users u ON u.id = m.user_id
       WHERE m.organization_id = $1 AND m.removed_at IS NULL AND u.deactivated_at IS NULL
         AND ${visible} AND ${sees} AND ${isNamed} LIMIT ${maxPersonChoices + 1}) found
     ORDER BY lower(name), id`,
    parameters.values,
  );
}
