import type { EntityManager } from "typeorm";
import type { Caller } from "../access/caller.js";
import { wrongCursor, type CursorCodec, type CursorScope, type Position } from "./cursors.js";
import { instantText } from "./page-rows.js";
import type { Parameters } from "../sql/parameters.js";

/** What rows are sorted and paged by, before the id; it is never NULL. */
export interface SortKey {
  expression: string;
  type: string;
  /** The same as a text that a cursor carries without loss. */
  text: string;
}

export interface Order {
  keys: readonly SortKey[];
  direction: "ASC" | "DESC";
}

/** Which rows of a list are asked for. */
export interface PageRequest {
  order: Order;
  limit: number;
  after: Position | undefined;
  /** Few rows match: they are collected and sorted, see `pageOf`. */
  isNarrow: boolean;
}

/** The table that a list shows, such as `assets` as `a`. */
export interface ListedTable {
  table: string;
  alias: string;
}

export function timeKey(column: string): SortKey {
  return { expression: column, type: "timestamptz", text: instantText(column) };
}

/** `empty` is where rows without a day are sorted in. */
export function dayKey(column: string, empty: "infinity" | "-infinity"): SortKey {
  const expression = `coalesce(${column}, '${empty}'::date)`;
  return { expression, type: "date", text: `${expression}::text` };
}

export function orderBy({ keys, direction }: Order, { alias }: ListedTable): string {
  return [...keys.map(({ expression }) => expression), `${alias}.id`]
    .map((expression) => `${expression} ${direction}`)
    .join(", ");
}

/**
 * The rows of a page and one more, as a source for FROM. `isNarrow` says that few rows match, which
 * are collected and sorted; otherwise the database may walk along an index of the order until it has
 * met enough, which takes long where what matches comes late.
 */
export function pageOf(
  { table, alias }: ListedTable,
  {
    where,
    sorted,
    most,
    isNarrow,
  }: Record<"where" | "sorted" | "most", string> & { isNarrow: boolean },
): string {
  const matching = `SELECT * FROM ${table} ${alias} WHERE ${where}`;
  // OFFSET keeps the order from reaching into the inner query.
  const source = isNarrow ? `SELECT * FROM (${matching} OFFSET 0) ${alias}` : matching;
  return `(${source} ${sorted} LIMIT ${most}) ${alias}`;
}

/** The column that a cursor is made of; several keys become the text of an array. */
export function positionOf({ keys }: Order): string {
  const texts = keys.map(({ text }) => text).join(", ");
  return keys.length === 1 ? texts : `ARRAY[${texts}]::text`;
}

/** The condition on the rows behind the last row of the page before. */
export async function rowsAfterCursorSql(
  db: EntityManager,
  caller: Caller,
  { table, alias }: ListedTable,
  { order, after, parameters }: { order: Order; after: Position; parameters: Parameters },
): Promise<string> {
  const { keys, direction } = order;
  const value = parameters.add(
    after.value ?? (await findPosition(db, caller, { table, alias }, { order, id: after.id })),
  );
  const parts = keys.map(({ type }, index) =>
    keys.length === 1 ? `${value}::${type}` : `(${value}::text[])[${index + 1}]::${type}`,
  );
  const left = [...keys.map(({ expression }) => expression), `${alias}.id`].join(", ");
  const right = [...parts, parameters.add(after.id)].join(", ");
  // A comparison of rows is a range of the index; the same said with OR would be a scan.
  return `(${left}) ${direction === "ASC" ? ">" : "<"} (${right})`;
}

/** Where a page ended whose last value was too long for the cursor. */
async function findPosition(
  db: EntityManager,
  caller: Caller,
  { table, alias }: ListedTable,
  { order, id }: { order: Order; id: string },
): Promise<string> {
  const rows: { position: string }[] = await db.query(
    `SELECT ${positionOf(order)} AS position FROM ${table} ${alias}
     WHERE ${alias}.organization_id = $1 AND ${alias}.id = $2`,
    [caller.organizationId, id],
  );
  const row = rows[0];
  if (row === undefined) throw wrongCursor();
  return row.position;
}

/** The part of an answer that leads to the next page, when there is one. */
export function nextCursor(
  cursors: CursorCodec,
  scope: CursorScope,
  last: { id: string; position: string } | undefined,
): { next_cursor?: string } {
  if (last === undefined) return {};
  return { next_cursor: cursors.encode(scope, { id: last.id, value: last.position }) };
}
