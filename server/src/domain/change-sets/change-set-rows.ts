import type { EntityManager } from "typeorm";
import type { ChangeSetRow, RowOutcome } from "../../db/entities/change-set-row.js";
import type { Caller } from "../access/caller.js";

export type ListedRow = Omit<ChangeSetRow, "organization_id" | "change_set_id" | "level">;

export interface RowListing {
  /** All when left out. */
  outcome?: RowOutcome | undefined;
  /** The line before the first. */
  after: number;
  limit: number;
}

/** The rows of a set in the order of their lines; the caller has been found to see the set. */
export async function listRows(
  db: EntityManager,
  caller: Caller,
  id: string,
  { outcome, after, limit }: RowListing,
): Promise<{ rows: ListedRow[]; next?: number }> {
  const rows: ListedRow[] = await db.query(
    `SELECT r.line, r.outcome, r.subject_id, r.name, r.details, r.stored FROM change_set_rows r
     WHERE r.organization_id = $1 AND r.change_set_id = $2 AND r.line > $3
       AND ($4::text IS NULL OR r.outcome = $4)
     ORDER BY r.line LIMIT $5`,
    [caller.organizationId, id, after, outcome ?? null, limit + 1],
  );
  const shown = rows.slice(0, limit);
  const next = rows.length > limit ? shown.at(-1)?.line : undefined;
  return { rows: shown, ...(next !== undefined && { next }) };
}
