import type { Tx } from "../../db/database.js";
import { formerMember } from "../shared/former-member.js";

export interface ErasedEntries {
  /** Null for the server's chain. */
  organization_id: string | null;
  entries: number;
  /** Number of erased values that the chain covers. */
  values: number;
}

/**
 * Erases a person's name and emails from the activity log, with the salts of their digests in the
 * chains. Without the salts, guessed values can't be verified. `emails` are in lower case.
 */
export async function eraseFromLog(
  tx: Tx,
  userId: string | null,
  emails: readonly string[],
): Promise<ErasedEntries[]> {
  await tx.query("SET LOCAL fettle.erase = 'on'");
  const erased = await tx.query<ErasedEntries>(
    `WITH named AS (
       SELECT id, CASE WHEN user_id = $1 THEN '{actor_name,ip_address,user_agent}' ELSE '{}' END::text[]
         || CASE WHEN user_id = $1 AND (type = 'name_changed' OR type LIKE 'passkey\\_%')
           THEN '{details.name,details.former_name}' ELSE '{}' END::text[]
         || CASE WHEN user_id = $1 AND type LIKE 'email\\_change%'
           THEN '{details.email,details.former_email}' ELSE '{}' END::text[]
         || CASE WHEN details ->> 'user_id' = $1
           THEN '{details.name,details.break_glass_owner}' ELSE '{}' END::text[]
         || CASE WHEN lower(details ->> 'email') = ANY ($2)
           THEN '{details.email}' ELSE '{}' END::text[]
         || CASE WHEN lower(details ->> 'former_email') = ANY ($2)
           THEN '{details.former_email}' ELSE '{}' END::text[] AS names
       FROM activity_log
       WHERE user_id = $1 OR details ->> 'user_id' = $1
         OR lower(details ->> 'email') = ANY ($2) OR lower(details ->> 'former_email') = ANY ($2)),
     counted AS (
       SELECT l.id, (SELECT count(*) FROM jsonb_object_keys(l.salts) AS salted (name)
         WHERE name = ANY (n.names)) AS values
       FROM activity_log l JOIN named n ON n.id = l.id),
     erased AS (
       UPDATE activity_log l SET salts = salts - names,
         actor_name = CASE WHEN 'actor_name' = ANY (names) THEN $3 ELSE actor_name END,
         ip_address = CASE WHEN 'ip_address' = ANY (names) THEN NULL ELSE ip_address END,
         user_agent = CASE WHEN 'user_agent' = ANY (names) THEN NULL ELSE user_agent END,
         details = details - ARRAY(SELECT split_part(name, 'details.', 2) FROM unnest(names) name)
       FROM named n WHERE l.id = n.id RETURNING l.id, l.organization_id)
     SELECT e.organization_id, count(*)::int AS entries, sum(c.values)::int AS values
     FROM erased e JOIN counted c ON c.id = e.id GROUP BY e.organization_id`,
    [userId, emails, formerMember],
  );
  await tx.query("SET LOCAL fettle.erase = 'off'");
  return erased;
}
