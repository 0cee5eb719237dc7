import type { Tx } from "../../db/database.js";
import type { AccountPerson } from "../accounts/accounts.js";
import { formerMember } from "../shared/former-member.js";
import { eraseValues } from "./stored-values.js";

/**
 * Replaces a person's name in the history of one organization, as author and as assignee. Returns
 * the number of changed events.
 */
export async function renameInHistory(
  tx: Tx,
  organizationId: string,
  person: AccountPerson,
): Promise<number> {
  const { id } = person;
  const names = await findNames(tx, organizationId, person);
  // Disables the history's write protection for these statements.
  await tx.query("SET LOCAL fettle.erase = 'on'");
  const events = await tx.run(
    `UPDATE history_events e SET
       actor_name = CASE WHEN actor_user_id = $2 THEN $3 ELSE actor_name END,
       changes = coalesce((
         SELECT jsonb_agg(c || ${renamed("from")} || ${renamed("to")} ORDER BY place)
         FROM jsonb_array_elements(e.changes) WITH ORDINALITY AS change (c, place)), '[]')
     WHERE organization_id = $1 AND (actor_user_id = $2
       OR search @@ plainto_tsquery('simple', fettle_fold($2)) AND (${namesPerson("from")} OR ${namesPerson("to")}))`,
    [organizationId, id, formerMember],
  );
  await tx.query("SET LOCAL fettle.erase = 'off'");
  await tx.query(
    "UPDATE deletion_records SET actor_name = $3 WHERE organization_id = $1 AND actor_user_id = $2",
    [organizationId, id, formerMember],
  );
  await eraseValues(tx, names, organizationId);
  return events;
}

async function findNames(
  tx: Tx,
  organizationId: string,
  { id, name }: AccountPerson,
): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(
    `SELECT $3::text AS name
     UNION SELECT actor_name FROM history_events WHERE organization_id = $1 AND actor_user_id = $2
     UNION SELECT actor_name FROM activity_log WHERE organization_id = $1 AND user_id = $2
     UNION SELECT details ->> 'former_name' FROM activity_log
       WHERE user_id = $2 AND type = 'name_changed' AND jsonb_exists(details, 'former_name')`,
    [organizationId, id, name],
  );
  return rows.map((row) => row.name).filter((one) => one !== formerMember);
}

function namesPerson(side: "from" | "to"): string {
  return `e.changes @> jsonb_build_array(
    jsonb_build_object('field', 'assigned_to_user_id', '${side}', $2::text))`;
}

function renamed(side: "from" | "to"): string {
  return `CASE WHEN c ->> 'field' = 'assigned_to' AND ${namesPerson(side)}
    THEN jsonb_build_object('${side}', $3::text) ELSE '{}' END`;
}
