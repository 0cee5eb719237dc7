import type { EntityManager } from "typeorm";
import type { AccountPerson } from "../accounts/accounts.js";
import { formerMember } from "../values/former-member.js";

/**
 * Takes a person's name out of the history of one organization: from what they did, and from what
 * tells that they became responsible for something. Answers with how many events were changed.
 */
export async function renameInHistory(
  tx: EntityManager,
  organizationId: string,
  { id, name }: AccountPerson,
): Promise<number> {
  // Opens the guard of the history for these statements.
  await tx.query("SET LOCAL fettle.erase = 'on'");
  const [, events]: [unknown, number] = await tx.query(
    `UPDATE history_events e SET
       actor_name = CASE WHEN actor_user_id = $2 THEN $3 ELSE actor_name END,
       changes = coalesce((
         SELECT jsonb_agg(c || ${renamed("from")} || ${renamed("to")} ORDER BY place)
         FROM jsonb_array_elements(e.changes) WITH ORDINALITY AS change (c, place)), '[]')
     WHERE organization_id = $1 AND (actor_user_id = $2
       OR search @@ plainto_tsquery('simple', fettle_fold($2)) AND (${names("from")} OR ${names("to")}))`,
    [organizationId, id, formerMember],
  );
  await tx.query("SET LOCAL fettle.erase = 'off'");
  await tx.query(
    "UPDATE deletion_records SET actor_name = $3 WHERE organization_id = $1 AND actor_user_id = $2",
    [organizationId, id, formerMember],
  );
  // What a repeated call would tell; of others it is a value in the answer to their own.
  await tx.query(
    `UPDATE idempotency_records
     SET result = replace(result::text, ': ' || to_json($3::text), ': ' || to_json($4::text))::jsonb
     WHERE organization_id = $1 AND strpos(result::text, $2) > 0`,
    [organizationId, id, name, formerMember],
  );
  return events;
}

/** Whether the event tells that the person was, or became, responsible. */
function names(side: "from" | "to"): string {
  return `e.changes @> jsonb_build_array(
    jsonb_build_object('field', 'assigned_to_user_id', '${side}', $2::text))`;
}

function renamed(side: "from" | "to"): string {
  return `CASE WHEN c ->> 'field' = 'assigned_to' AND ${names(side)}
    THEN jsonb_build_object('${side}', $3::text) ELSE '{}' END`;
}
