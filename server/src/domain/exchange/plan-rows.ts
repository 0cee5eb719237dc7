import type { Tx } from "../../db/database.js";
import type { RowOutcome } from "../../db/entities/history.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import type { Change } from "../history/record-events.js";
import { toStoredError, type StoredError } from "../shared/refusals.js";
import { omit } from "../shared/omit.js";
import { assetRows } from "./asset-rows.js";
import { findDiffering, toPlannedChanges } from "./compare-row.js";
import { addKeys, levelOf, type FileKeys } from "./file-keys.js";
import type { ImportKind } from "./import-kinds.js";
import { requiredFields } from "./import-kinds.js";
import { peopleRows, workspaceRows } from "./other-rows.js";
import type { TableRow } from "./read-csv.js";
import { lengthOf } from "./read-table.js";
import {
  readRow,
  type NumberedRow,
  type Reading,
  type RowValues,
  type UnknownCell,
} from "./read-values.js";
import type { CheckedRow, ImportContext, Match, RowKind } from "./row-kinds.js";
import { taskRows } from "./task-rows.js";

export const rowKinds: Record<ImportKind, RowKind> = {
  assets: assetRows,
  tasks: taskRows,
  people: peopleRows,
  workspaces: workspaceRows,
};

export interface RowDetails {
  /** The values to store: all values of a new record, or the differences from an existing one. */
  values?: RowValues;
  /** The version of the record that the row was compared with. */
  version?: number;
  changes?: Change[];
  /** True if the row leaves a retired asset unchanged. */
  isRetired?: boolean;
  problems?: StoredError[];
  /** Cells that are left out, because their choice isn't recognized. */
  leftOut?: UnknownCell[];
  /** The cells of a wrong row, to correct or download them. Absent if they are too long. */
  cells?: readonly string[];
}

/** Maximum characters of a wrong row that are kept. */
const maxKept = 4000;

export interface PlannedRow {
  line: number;
  outcome: RowOutcome;
  /** The row is stored after rows with lower levels. */
  level: number;
  subject_id: string | null;
  name: string;
  details: RowDetails;
}

export function readRows(reading: Reading, rows: readonly TableRow[]): NumberedRow[] {
  return rows.map((row) => ({ line: row.line, cells: row.cells, ...readRow(reading, row) }));
}

export function addRowKeys(kind: ImportKind, rows: readonly NumberedRow[], keys: FileKeys): void {
  for (const row of rows) addKeys(keys, rowKinds[kind], row);
}

/** Maximum time per transaction. The rules lock people and workspaces that rows name. */
const maxMs = 2000;

/** Plans the rows, or the first of many, by the rules for storing them. Stores nothing. */
export async function planRows(
  tx: Tx,
  context: ImportContext,
  kind: ImportKind,
  { rows, keys }: { rows: readonly NumberedRow[]; keys: FileKeys },
): Promise<PlannedRow[]> {
  const began = performance.now();
  const db = tx.memoizeQueries();
  const { match, prepareCheck } = rowKinds[kind];
  const matches = await match(
    db,
    context.caller,
    rows.map(({ values }) => values),
  );
  const compared = rows.map((row, at) => compareRow(kind, { ...row, match: matches[at] }, keys));
  const check = await prepareCheck(db, context.caller, compared);
  const planned: PlannedRow[] = [];
  for (const row of compared) {
    planned.push(toPlannedRow(kind, row, await findProblems(kind, check, { row, keys })));
    if (performance.now() - began > maxMs) break;
  }
  return planned;
}

interface Row extends NumberedRow {
  match: Match | undefined;
}

/**
 * A row reduced to the differences from its record, with the problems found without the database.
 */
interface ComparedRow extends CheckedRow {
  line: number;
  cells: readonly string[] | undefined;
  unknown: readonly UnknownCell[] | undefined;
  given: RowValues;
  level: number;
  problems: AppError[];
}

function compareRow(kind: ImportKind, row: Row, keys: FileKeys): ComparedRow {
  const { line, match, cells, unknown } = row;
  const given = { ...match?.usual, ...withUsual(row) };
  const { keyOf, wholeOf } = rowKinds[kind];
  const values = match === undefined ? given : findDiffering(given, match.fields);
  const problems = [
    ...row.errors,
    ...findRepeated(kind, row, keys),
    ...findMissing(kind, row),
    ...findSum(kind, row),
  ];
  const compared = { line, cells, unknown, match, given, values, level: 0, problems };
  try {
    compared.level = levelOf(keys, wholeOf?.(given), keyOf(given));
  } catch (error) {
    problems.push(toRefusal(error));
  }
  return compared;
}

/**
 * Returns all problems of a row. Each field that the rules refuse is left out, and the others are
 * checked.
 */
async function findProblems(
  kind: ImportKind,
  check: (row: CheckedRow) => Promise<unknown>,
  { row: { match, values, problems }, keys }: { row: ComparedRow; keys: FileKeys },
): Promise<AppError[]> {
  const found = [...problems];
  const required = requiredFields[kind];
  const filled = match === undefined && values[required] === undefined;
  let checked = {
    ...withoutReferencesToFile(values, keys),
    // The other fields are checked as if it were present.
    ...(filled && { [required]: "-" }),
  };
  while (match === undefined || Object.keys(checked).length > 0) {
    const refusal = await findRefusal(check, { match, values: checked });
    if (refusal === undefined || (filled && refusal.field === required)) break;
    const { field } = refusal;
    // An unreadable value isn't missing.
    const isGiven = field !== undefined && field in checked;
    if (isGiven || found.length === 0) found.push(refusal);
    if (!isGiven) break;
    checked = omit(checked, field);
  }
  return found;
}

/** An existing record keeps its currency and workspace, unless another one is written. */
function withUsual({ match, values, usualCurrency: currency, usualPlace: place }: Row): RowValues {
  const isFree = (field: string) => (match?.fields[field] ?? undefined) === undefined;
  return {
    ...(place !== undefined && isFree("workspace_id") && { workspace_id: place }),
    ...values,
    ...(currency !== undefined && isFree("currency") && { currency }),
  };
}

async function findRefusal(
  check: (row: CheckedRow) => Promise<unknown>,
  row: CheckedRow,
): Promise<AppError | undefined> {
  try {
    await check(row);
    return undefined;
  } catch (error) {
    return toRefusal(error);
  }
}

/** Rethrows any other error. */
function toRefusal(error: unknown): AppError {
  if (error instanceof AppError && error.code !== "unavailable") return error;
  throw error;
}

function toPlannedRow(
  kind: ImportKind,
  { line, match, given, values, level, cells, unknown }: ComparedRow,
  problems: readonly AppError[],
): PlannedRow {
  const name = rowKinds[kind].nameOf(given).slice(0, 300);
  const row = { line, name, level, subject_id: match?.id ?? null };
  if (problems.length > 0) {
    const details = { problems: problems.map(toStoredError), ...keepCells(cells) };
    return { ...row, outcome: "wrong", subject_id: null, details };
  }
  const leftOut = findLeftOut(given, unknown);
  if (match === undefined) return { ...row, outcome: "create", details: { values, ...leftOut } };
  const { version, fields } = match;
  if (Object.keys(values).length === 0) {
    const isRetired = fields["state"] === "deleted";
    return { ...row, outcome: "same", details: { ...(isRetired && { isRetired }), ...leftOut } };
  }
  const details = {
    values,
    ...(version !== undefined && { version }),
    changes: toPlannedChanges(values, fields),
    ...leftOut,
  };
  return { ...row, outcome: "update", details };
}

function keepCells(cells: readonly string[] = []): Pick<RowDetails, "cells"> {
  return cells.length > 0 && lengthOf(cells) <= maxKept ? { cells } : {};
}

function findLeftOut(
  given: RowValues,
  unknown: readonly UnknownCell[] = [],
): Pick<RowDetails, "leftOut"> {
  const leftOut = unknown.filter(({ field }) => given[field] === undefined);
  return leftOut.length > 0 ? { leftOut } : {};
}

function findRepeated(kind: ImportKind, { values, line }: Row, { lines }: FileKeys): AppError[] {
  const key = rowKinds[kind].keyOf(values);
  const first = key === undefined ? line : (lines.get(key) ?? line);
  return first === line ? [] : [new AppError("duplicate", "same_number_in_file", { line: first })];
}

function findMissing(kind: ImportKind, { values, match, errors }: Row): AppError[] {
  const field = requiredFields[kind];
  const isUnread = errors.some((error) => error.field === field);
  if (match !== undefined || values[field] !== undefined || isUnread) return [];
  return [new AppError("validation_failed", "missing", { field })];
}

const sum = /^((grand |sub)?totals?|summe|gesamt)[\s:\d.,]*$/i;

/** Detects total lines at the end of tables. */
function findSum(kind: ImportKind, { values }: Row): AppError[] {
  const isSum = sum.test(rowKinds[kind].nameOf(values));
  return isSum ? [new AppError("validation_failed", "looks_like_sum")] : [];
}

/** An asset's parent and workspace may come from the same file and are then stored first. */
function withoutReferencesToFile(values: RowValues, { lines, places }: FileKeys): RowValues {
  const { parent_asset_id: parent, workspace_id: place } = values;
  const added = [
    ...(typeof parent === "string" && lines.has(parent) ? ["parent_asset_id"] : []),
    ...(typeof place === "string" && places.has(place.toLowerCase()) ? ["workspace_id"] : []),
  ];
  return added.length > 0 ? omit(values, ...added) : values;
}

export async function insertRows(
  tx: Tx,
  caller: Caller,
  id: string,
  rows: readonly PlannedRow[],
): Promise<void> {
  await tx.query(
    `INSERT INTO change_set_rows
       (organization_id, change_set_id, line, outcome, level, subject_id, name, details)
     SELECT $1, $2, r.line, r.outcome, r.level, r.subject_id, r.name, r.details
     FROM unnest($3::integer[], $4::text[], $5::integer[], $6::text[], $7::text[], $8::jsonb[])
       AS r (line, outcome, level, subject_id, name, details)`,
    [
      caller.organizationId,
      id,
      rows.map(({ line }) => line),
      rows.map(({ outcome }) => outcome),
      rows.map(({ level }) => level),
      rows.map(({ subject_id }) => subject_id),
      rows.map(({ name }) => name),
      rows.map(({ details }) => JSON.stringify(details)),
    ],
  );
}
