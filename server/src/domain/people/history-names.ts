import type { Tx } from "../../db/database.js";
import type { AccountPerson } from "../accounts/accounts.js";
import { maxComment } from "../comments/change-comments.js";
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
  await eraseSignatures(tx, organizationId, id, names);
  await eraseMentions(tx, organizationId, names);
  await tx.query("SET LOCAL fettle.erase = 'off'");
  await tx.query(
    "UPDATE deletion_records SET actor_name = $3 WHERE organization_id = $1 AND actor_user_id = $2",
    [organizationId, id, formerMember],
  );
  await eraseValues(tx, names, organizationId);
  return events;
}

/** Comments and their history mention people by their full names. */
async function eraseMentions(
  tx: Tx,
  organizationId: string,
  names: readonly string[],
): Promise<void> {
  for (const name of names) {
    const values = [organizationId, `@${name}`, `@${formerMember}`];
    await tx.query(
      `UPDATE comments SET text = left(replace(text, $2, $3), ${maxComment})
       WHERE organization_id = $1 AND strpos(text, $2) > 0`,
      values,
    );
    await tx.query(
      `UPDATE history_events SET note = left(replace(note, $2, $3), ${maxComment})
       WHERE organization_id = $1 AND type = 'note_added' AND strpos(note, $2) > 0
         AND changes @> '[{"field": "comment"}]'`,
      values,
    );
  }
}

/**
 * Replaces names typed as signatures of steps, also in earlier states of tasks. Deletes the files of
 * drawn signatures.
 */
async function eraseSignatures(
  tx: Tx,
  organizationId: string,
  id: string,
  names: readonly string[],
): Promise<void> {
  const lower = names.map((name) => name.toLowerCase());
  const values = [organizationId, id, formerMember, lower];
  await tx.query(
    `DELETE FROM files WHERE organization_id = $1 AND task_id IS NOT NULL AND id IN (
       SELECT drawing FROM task_checklist_items WHERE organization_id = $1
         AND kind = 'signature' AND drawing IS NOT NULL
         AND (done_by = $2 OR lower(answer) = ANY ($3::text[]))
       UNION ALL SELECT s ->> 'drawing'
       FROM history_events e, jsonb_array_elements(e.before -> 'steps') s
       WHERE e.organization_id = $1 AND e.before -> 'steps' @> '[{"kind": "signature"}]'
         AND s ->> 'kind' = 'signature' AND s ->> 'drawing' IS NOT NULL
         AND (s ->> 'done_by' = $2 OR lower(s ->> 'answer') = ANY ($3::text[])))`,
    [organizationId, id, lower],
  );
  await tx.query(
    `UPDATE task_checklist_items SET answer = $3, drawing = NULL WHERE organization_id = $1
       AND kind = 'signature' AND answer IS NOT NULL
       AND (done_by = $2 OR lower(answer) = ANY ($4::text[]))`,
    values,
  );
  await tx.query(
    `UPDATE history_events SET before = jsonb_set(before, '{steps}', (
       SELECT jsonb_agg(CASE WHEN s ->> 'kind' = 'signature' AND s ->> 'answer' IS NOT NULL
           AND (s ->> 'done_by' = $2 OR lower(s ->> 'answer') = ANY ($4::text[]))
         THEN s - 'drawing' || jsonb_build_object('answer', $3::text) ELSE s END ORDER BY place)
       FROM jsonb_array_elements(before -> 'steps') WITH ORDINALITY step (s, place)))
     WHERE organization_id = $1 AND before -> 'steps' @> '[{"kind": "signature"}]'`,
    values,
  );
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
