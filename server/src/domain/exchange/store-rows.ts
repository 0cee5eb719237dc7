import type { Tx } from "../../db/database.js";
import { AppError } from "../../errors.js";
import { ChangeSetRow, type ChangeSet } from "../../db/entities/history.js";
import type { Caller } from "../access/caller.js";
import { inSavepoint } from "../history/savepoints.js";
import { toStoredError } from "../shared/refusals.js";
import type { ImportKind } from "./import-kinds.js";
import { rowKinds, type RowDetails } from "./plan-rows.js";
import type { ImportContext, RowResult } from "./row-kinds.js";

const rowsAtOnce = 50;

/** Returns the next valid rows of a set that is being applied, all of one level. */
export async function findNextRows(
  tx: Tx,
  caller: Caller,
  { id, position }: Pick<ChangeSet, "id" | "position">,
): Promise<ChangeSetRow[]> {
  const rows = await tx.query<ChangeSetRow>(
    `SELECT * FROM change_set_rows
     WHERE organization_id = $1 AND change_set_id = $2 AND (level, line) > ($3::int, $4::int)
       AND outcome IN ('create', 'update') AND NOT stored
     ORDER BY level, line LIMIT ${rowsAtOnce}`,
    [caller.organizationId, id, ...(position ?? "0 0").split(" ")],
  );
  return rows.filter(({ level }) => level === rows[0]?.level);
}

interface SomeRows {
  kind: ImportKind;
  rows: readonly ChangeSetRow[];
  /** True if the rest is left to the next step. */
  isOver: () => boolean;
}

interface StoredRows {
  stored: number;
  refused: number;
  /** Rows after this one are still to be stored, unless they already are. */
  last: ChangeSetRow | undefined;
}

export async function storeRows(
  tx: Tx,
  context: ImportContext,
  { kind, rows, isOver }: SomeRows,
): Promise<StoredRows> {
  const results = await createTogether(tx, context, kind, rows);
  let last: ChangeSetRow | undefined;
  for (const row of rows) {
    last = row;
    if (results.has(row.line)) continue;
    results.set(row.line, await inSavepoint(tx, () => storeRow(tx, context, kind, row)));
    if (isOver()) break;
  }
  const stored = rows.flatMap((row) => {
    const result = results.get(row.line);
    return result === undefined || result instanceof AppError ? [] : [{ row, result }];
  });
  await markStored(tx, context, stored);
  for (const row of rows) {
    const result = results.get(row.line);
    if (!(result instanceof AppError)) continue;
    const { organization_id, change_set_id, line } = row;
    const details = { ...row.details, problems: [toStoredError(result)] };
    const changes = { outcome: "wrong", details } as const;
    await tx.update(ChangeSetRow, { organization_id, change_set_id, line }, changes);
  }
  return { stored: stored.length, refused: results.size - stored.length, last };
}

/** Creates new records with few statements. If one is refused, retry them one by one. */
async function createTogether(
  tx: Tx,
  context: ImportContext,
  kind: ImportKind,
  rows: readonly ChangeSetRow[],
): Promise<Map<number, RowResult | AppError>> {
  const { createAll } = rowKinds[kind];
  const added = rows.filter(({ subject_id: id }) => id === null);
  if (createAll === undefined || added.length === 0) return new Map();
  const values = added.map(({ details }) => (details as RowDetails).values ?? {});
  const created = await inSavepoint(tx, () => createAll(tx, context, values));
  if (created instanceof AppError) return new Map();
  return new Map(created.map((result, at) => [added[at]?.line ?? 0, result]));
}

function storeRow(
  tx: Tx,
  context: ImportContext,
  kind: ImportKind,
  { subject_id: id, details }: ChangeSetRow,
): Promise<RowResult> {
  const { create, update } = rowKinds[kind];
  const { values = {}, version, changes = [] } = details as RowDetails;
  if (id === null) return create(tx, context, values);
  const fields = Object.fromEntries(changes.map(({ field, from }) => [field, from]));
  return update(tx, context, { id, version, fields }, values);
}

async function markStored(
  tx: Tx,
  { caller }: ImportContext,
  stored: readonly { row: ChangeSetRow; result: RowResult }[],
): Promise<void> {
  const [first] = stored;
  if (first === undefined) return;
  const lines = stored.map(({ row }) => row.line);
  // The bounds help the planner: without statistics yet, it would read all rows of the set.
  await tx.query(
    `UPDATE change_set_rows r SET stored = true, subject_id = s.id, name = s.name
     FROM unnest($3::integer[], $4::text[], $5::text[]) AS s (line, id, name)
     WHERE r.organization_id = $1 AND r.change_set_id = $2 AND r.line = s.line
       AND r.line BETWEEN $6 AND $7`,
    [
      caller.organizationId,
      first.row.change_set_id,
      lines,
      stored.map(({ result }) => result.id),
      stored.map(({ result }) => result.name.slice(0, 300)),
      Math.min(...lines),
      Math.max(...lines),
    ],
  );
}
