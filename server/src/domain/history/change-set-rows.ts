import type { Tx } from "../../db/database.js";
import type { ChangeSetRow, RowOutcome } from "../../db/entities/history.js";
import { isOrganizationAdmin, type Caller } from "../access/caller.js";
import { visibleAssetSql, visibleTaskSql } from "../access/visibility.js";
import { createParameters, type Parameters } from "../../db/parameters.js";

export type ListedRow = Omit<ChangeSetRow, "organization_id" | "change_set_id" | "level">;

export interface RowListing {
  /** Defaults to all. */
  outcome?: RowOutcome | undefined;
  except?: RowOutcome;
  /** Returns rows after this line. */
  after: number;
  limit: number;
}

/**
 * Returns the rows of a set by line. The caller must be allowed to see the set. Rows that the
 * caller can no longer see have no name and no details.
 */
export async function listRows(
  db: Tx,
  caller: Caller,
  id: string,
  { outcome, except, after, limit }: RowListing,
): Promise<{ rows: ListedRow[]; next?: number }> {
  const given = [caller.organizationId, id, after, outcome ?? null, limit + 1, except ?? null];
  const parameters = createParameters(...given);
  const isSeen = isOrganizationAdmin(caller) ? "TRUE" : seenSql(caller, parameters);
  const rows = await db.query<ListedRow & { is_seen: boolean }>(
    `SELECT r.line, r.outcome, r.subject_id, r.name, r.details, r.stored, ${isSeen} AS is_seen
     FROM change_set_rows r
     WHERE r.organization_id = $1 AND r.change_set_id = $2 AND r.line > $3
       AND ($4::text IS NULL OR r.outcome = $4) AND ($6::text IS NULL OR r.outcome <> $6)
     ORDER BY r.line LIMIT $5`,
    parameters.values,
  );
  const shown = rows
    .slice(0, limit)
    .map(({ is_seen, ...row }) => (is_seen ? row : { ...row, name: "", details: {} }));
  const next = rows.length > limit ? shown.at(-1)?.line : undefined;
  return { rows: shown, ...(next !== undefined && { next }) };
}

/** Counts the stored assets of an import that are retired now. */
export async function countRetired(db: Tx, caller: Caller, id: string): Promise<number> {
  const { count } = await db.one<{ count: number }>(
    `SELECT count(*)::int AS count FROM change_set_rows r
     JOIN assets a ON a.organization_id = $1 AND a.id = r.subject_id AND a.state = 'deleted'
     WHERE r.organization_id = $1 AND r.change_set_id = $2 AND r.stored`,
    [caller.organizationId, id],
  );
  return count;
}

/** Members only have sets of assets and tasks. */
function seenSql(caller: Caller, parameters: Parameters): string {
  return `(EXISTS (SELECT 1 FROM assets a WHERE a.organization_id = $1 AND a.id = r.subject_id
      AND ${visibleAssetSql(caller, parameters, "a")})
    OR EXISTS (SELECT 1 FROM maintenance_tasks t WHERE t.organization_id = $1
      AND t.id = r.subject_id AND ${visibleTaskSql(caller, parameters, "t")}))`;
}
