import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";
import type { EachPlace } from "../access/visibility.js";
import { wrongCursor, type CursorCodec, type CursorScope, type Position } from "./cursors.js";
import { instantText } from "./page-rows.js";
import { createParameters, type Parameters } from "../../db/parameters.js";

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
  /** The values of $2 and so on in the keys. */
  parameters?: readonly unknown[];
}

/** Which rows of a list are asked for. */
export interface PageRequest {
  order: Order;
  limit: number;
  after: Position | undefined;
  way: WayToRows;
}

/**
 * How the rows of a page are met: along the order until there are enough, which takes long where what
 * matches comes late; the same among the first few thousand; or by collecting and sorting all that
 * matches, which takes long where much does.
 */
export type WayToRows = "walk" | "walk_first" | "collect";

/** So many rows are looked at before all that match are collected instead. */
const maxWalked = 5000;
/** The same where no index has the order. */
const maxSorted = 1000;

/** The table that a list shows, such as `assets` as `a`. */
export interface ListedTable {
  table: string;
  alias: string;
  /** The condition that the caller sees the row, where its cursors may be without their value. */
  isVisible?: (caller: Caller, parameters: Parameters) => string;
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

/** Conditions and ends of a page's statement, in SQL. */
export interface PageSql {
  where: readonly string[];
  /** Those with which an index begins, for "walk_first"; the place may be one of them. */
  whereOfAll: (place: string) => readonly string[];
  sorted: string;
  most: string;
  /** How an order's first rows are found that no index has as they are. */
  first?: FirstRows | undefined;
}

/** A query of so many rows of all places together, the first in the order that meet the conditions. */
export type FirstRows = (
  conditions: readonly string[],
  count: string | number,
  eachPlace: EachPlace,
) => string;

const everywhere: EachPlace = (query) => query("TRUE");

/** The rows of a page and one more, of all places together, as a source for FROM. */
export function pageOf(
  { table, alias }: ListedTable,
  { where, whereOfAll, sorted, most, ...page }: PageSql,
  way: WayToRows,
  eachPlace: EachPlace = everywhere,
): string {
  const rows = (conditions: readonly string[]) =>
    `SELECT * FROM ${table} ${alias} WHERE ${conditions.join(" AND ")}`;
  const ends = `${sorted} LIMIT ${most}`;
  const firstByIndex: FirstRows = (conditions, count, each) =>
    each((place) => `${rows([...conditions, place])} ${sorted} LIMIT ${count}`);
  const { first = firstByIndex } = page;
  const walked = first === firstByIndex ? maxWalked : maxSorted;
  const source = () => {
    switch (way) {
      case "walk":
        return first(where, most, eachPlace);
      case "walk_first":
        return eachPlace(
          (place) => `SELECT * FROM (${first(whereOfAll(place), walked, everywhere)}) ${alias}
            WHERE ${[...where, place].join(" AND ")} ${ends}`,
        );
      case "collect":
        // Only the ids are sorted. OFFSET keeps the order from reaching into the inner query.
        return eachPlace(
          (place) => `SELECT ${alias}.* FROM (
              SELECT ${alias}.id FROM (${rows([...where, place])} OFFSET 0) ${alias} ${ends}) found
            JOIN ${table} ${alias} ON ${alias}.organization_id = $1 AND ${alias}.id = found.id`,
        );
    }
  };
  return `(SELECT * FROM (${source()}) ${alias} ${ends}) ${alias}`;
}

/** The column that a cursor is made of; several keys become the text of an array. */
export function positionOf({ keys }: Order): string {
  const texts = keys.map(({ text }) => text).join(", ");
  return keys.length === 1 ? texts : `ARRAY[${texts}]::text`;
}

/** The condition on the rows behind the last row of the page before. */
export async function rowsAfterCursorSql(
  db: Tx,
  caller: Caller,
  listed: ListedTable,
  { order, after, parameters }: { order: Order; after: Position; parameters: Parameters },
): Promise<string> {
  const { keys, direction } = order;
  const value = parameters.add(
    after.value ?? (await findPosition(db, caller, listed, { order, id: after.id })),
  );
  const parts = keys.map(({ type }, index) =>
    keys.length === 1 ? `${value}::${type}` : `(${value}::text[])[${index + 1}]::${type}`,
  );
  const left = [...keys.map(({ expression }) => expression), `${listed.alias}.id`].join(", ");
  const right = [...parts, parameters.add(after.id)].join(", ");
  // A comparison of rows is a range of the index; the same said with OR would be a scan.
  return `(${left}) ${direction === "ASC" ? ">" : "<"} (${right})`;
}

/** Where a page ended whose last value was too long for the cursor, unless the caller sees it no more. */
async function findPosition(
  db: Tx,
  caller: Caller,
  { table, alias, isVisible }: ListedTable,
  { order, id }: { order: Order; id: string },
): Promise<string> {
  if (isVisible === undefined) throw wrongCursor();
  const parameters = createParameters(caller.organizationId, ...(order.parameters ?? []));
  const row = await db.maybe<{ position: string }>(
    `SELECT ${positionOf(order)} AS position FROM ${table} ${alias}
     WHERE ${alias}.organization_id = $1 AND ${alias}.id = ${parameters.add(id)} AND ${isVisible(caller, parameters)}`,
    parameters.values,
  );
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
