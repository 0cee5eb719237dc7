import { isDeepStrictEqual } from "node:util";
import type { Tx } from "../../db/database.js";
import type { HistoryEventType } from "../../db/entities/history.js";
import type { Caller } from "../access/caller.js";
import { recordEvents, type Change, type HistoryEvent } from "./record-events.js";
import type { Named } from "../shared/refusals.js";
import type { Warning } from "../shared/warnings.js";
import { omit } from "../shared/omit.js";

export interface Comparison {
  columns: [column: string, value: unknown][];
  events: Map<HistoryEventType, Change[]>;
}

export function createComparison(): Comparison {
  return { columns: [], events: new Map() };
}

interface Link {
  idField: string;
  nameField: string;
  before: Named | null;
  /** Undefined keeps the reference. */
  after: Named | null | undefined;
}

/** Compares a reference by id. The history also stores the name. */
export function compareLink(
  comparison: Comparison,
  type: HistoryEventType,
  { idField, nameField, before, after }: Link,
): void {
  if (after === undefined || after?.id === before?.id) return;
  comparison.columns.push([idField, after?.id ?? null]);
  addChanges(comparison, type, [
    toChange(idField, before?.id, after?.id),
    toChange(nameField, before?.name, after?.name),
  ]);
}

export function toNamed(id: string | null, name: string | null): Named | null {
  return id === null ? null : { id, name: name ?? "" };
}

/** Compares a field that has a column with its name. */
export function compareField(
  comparison: Comparison,
  type: HistoryEventType,
  field: string,
  [before, after]: [before: unknown, after: unknown],
): void {
  if (isDeepStrictEqual(before, after)) return;
  comparison.columns.push([field, after]);
  addChanges(comparison, type, [toChange(field, before, after)]);
}

export function addChanges(
  { events }: Comparison,
  type: HistoryEventType,
  changes: Change[],
): void {
  if (changes.length > 0) events.set(type, [...(events.get(type) ?? []), ...changes]);
}

export function toChange(field: string, from: unknown, to: unknown): Change {
  return { field, ...(!isEmpty(from) && { from }), ...(!isEmpty(to) && { to }) };
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

/** Warns if an update requested only existing values. A note doesn't count as a change. */
export function findSameValuesWarning(
  kind: "asset" | "task",
  update: { note?: string | undefined; expected_version?: number | undefined },
  changed: readonly Change[],
): Warning[] {
  const asked = Object.values(omit(update, "note", "expected_version"));
  if (changed.length > 0 || asked.every((value) => value === undefined)) return [];
  return [{ key: "values_are_so", kind, note: update.note !== undefined }];
}

/** Writes the events of a comparison, with the note on the first. Returns all changes. */
export async function recordComparison(
  tx: Tx,
  caller: Caller,
  events: Comparison["events"],
  note: string | undefined,
  toEvent: (type: HistoryEventType) => Omit<HistoryEvent, "type" | "changes" | "note">,
): Promise<Change[]> {
  const all = [...events].map(([type, changes], index) => ({
    ...toEvent(type),
    type,
    changes,
    note: index === 0 ? note : undefined,
  }));
  await recordEvents(tx, caller, all);
  return all.flatMap(({ changes }) => changes);
}

/** Writes the columns of a locked row and increases its version. */
export async function storeColumns(
  tx: Tx,
  caller: Caller,
  row: ChangedRow,
  columns: Comparison["columns"],
): Promise<{ version: number; at: Date }> {
  const { sql, values } = toUpdate(caller, row, columns);
  return tx.one<{ version: number; at: Date }>(
    `${sql} RETURNING version, updated_at AS at`,
    values,
  );
}

interface ChangedRow {
  table: "assets" | "maintenance_tasks" | "workspaces";
  id: string;
}

/** The statement that changes the columns and the version of a row. RETURNING may follow. */
export function toUpdate(
  { organizationId }: Caller,
  { table, id }: ChangedRow,
  columns: Comparison["columns"],
): { sql: string; values: unknown[] } {
  // Column names come from our own code. A fixed order limits the number of distinct statements.
  const sorted = columns.toSorted(([left], [right]) => (left < right ? -1 : 1));
  const settings = sorted.map(([column], index) => `${column} = $${index + 3}, `);
  return {
    sql: `UPDATE ${table} SET ${settings.join("")}version = version + 1, updated_at = app_now()
     WHERE organization_id = $1 AND id = $2`,
    values: [organizationId, id, ...sorted.map(([, value]) => value)],
  };
}
