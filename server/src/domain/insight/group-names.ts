import type { EntityManager } from "typeorm";
import type { Caller } from "../access/caller.js";
import type { Grouping } from "./stats-request.js";

/** What groups are called that are named by ids; what has no id has no name. */
export async function findGroupNames(
  db: EntityManager,
  { organizationId }: Caller,
  grouping: Grouping,
  ids: readonly string[],
): Promise<(id: string | null) => string | null> {
  const statement = statements[grouping];
  if (statement === undefined) return (id) => id;
  const rows: { id: string; name: string }[] = await db.query(statement, [organizationId, ids]);
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return (id) => (id === null ? null : (names.get(id) ?? null));
}

// Whoever sees a task or an asset sees who has it or did it, also after that person left.
const people = `SELECT m.user_id AS id, u.name FROM organization_members m JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = $1 AND m.user_id = ANY ($2::text[])`;
const statements: Partial<Record<Grouping, string>> = {
  workspace: `SELECT w.id, w.name::text AS name FROM workspaces w
    WHERE w.organization_id = $1 AND w.id = ANY ($2::text[])`,
  category: `SELECT c.id, c.name::text AS name FROM asset_categories c
    WHERE c.organization_id = $1 AND c.id = ANY ($2::text[])`,
  assignee: people,
  completed_by: people,
};
