import type { Tx } from "../../db/database.js";
import { formerMember } from "../shared/former-member.js";

/**
 * Stored results that may contain names: responses of repeated calls, cells of files, people who
 * changed something meanwhile, and admins to ask for a role.
 */
const keptValues = [
  ["idempotency_records", "result"],
  ["change_set_rows", "details"],
  ["change_sets", "settings"],
] as const;

/**
 * Replaces a person's names or address in stored values, in one organization or all. The values
 * contain no id, so every text equal to the name is replaced.
 */
export async function eraseValues(
  tx: Tx,
  values: readonly string[],
  organizationId: string | null,
): Promise<void> {
  const isHere = "($1::text IS NULL OR organization_id = $1)";
  for (const value of values) {
    const quoted = JSON.stringify(value);
    const pattern = quoted.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
    for (const [table, column] of keptValues) {
      await tx.query(
        `UPDATE ${table} SET ${column} = regexp_replace(${column}::text, $3, $4, 'gi')::jsonb
         WHERE ${isHere} AND strpos(lower(${column}::text), lower($2)) > 0`,
        [organizationId, quoted, pattern, JSON.stringify(formerMember)],
      );
    }
    await tx.query(
      `UPDATE change_set_rows SET name = $3 WHERE ${isHere} AND lower(name) = lower($2)`,
      [organizationId, value, formerMember],
    );
    // The app's repeated call asks the question again.
    await tx.query(
      `DELETE FROM confirmations WHERE ${isHere} AND (lower(answer) = lower($3)
         OR strpos(lower(question::text || coalesce(response::text, '')), lower($2)) > 0)`,
      [organizationId, quoted, value],
    );
  }
}
