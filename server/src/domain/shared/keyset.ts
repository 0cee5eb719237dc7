import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";
import type { EachPlace } from "../access/visibility.js";
import { wrongCursor, type CursorCodec, type CursorScope, type Position } from "./cursors.js";
import { instantText } from "./page-rows.js";
import { createParameters, type Parameters } from "../../db/parameters.js";

/** A sort key, before the id. It is never NULL. */
export interface SortKey {
  expression: string;
  type: string;
  /** Lossless text form for cursors. */
  text: string;
}

export interface Order {
  keys: readonly SortKey[];
  direction: "ASC" | "DESC";
  /** Values of $2 and following in the keys. */
  parameters?: readonly unknown[];
}

export interface PageRequest {
  order: Order;
  limit: number;
  after: Position | undefined;
  way: WayToRows;
}

/**
 * Ways to find the rows of a page. "walk" follows the order until the page is full, which is slow
 * if matches come late. "walk_first" walks the first few thousand rows only. "collect" gathers and
 * sorts all matches, which is slow if there are many.
 */
export type WayToRows = "walk" | "walk_first" | "collect";

/** Maximum number of rows to walk before all matches are collected. */
const maxWalked = 5000;
/** Maximum if no index has the order. */
const maxSorted = 1000;

/** The table of a list, such as `assets` as `a`. */
export interface ListedTable {
  table: string;
  alias: string;
  /** SQL condition: the caller sees the row. Required if cursors may lack their value. */
  isVisible?: (caller: Caller, parameters: Parameters) => string;
}

export function timeKey(column: string): SortKey {
  return { expression: column, type: "timestamptz", text: instantText(column) };
}

/** `empty` is the sort position of rows without a day. */
export function dayKey(column: string, empty: "infinity" | "-infinity"): SortKey {
  const expression = `coalesce(${column}, '${empty}'::date)`;
  return { expression, type: "date", text: `${expression}::text` };
}

export function orderBy({ keys, direction }: Order, { alias }: ListedTable): string {
  return [...keys.map(({ expression }) => expression), `${alias}.id`]
    .map((expression) => `${expression} ${direction}`)
    .join(", ");
}

export interface PageSql {
  where: readonly string[];
  /** Conditions on leading index columns, for "walk_first". They may include the place. */
  whereOfAll: (place: string) => readonly string[];
  sorted: string;
  most: string;
  /** Finds the first rows of an order that no single index has. */
  first?: FirstRows | undefined;
}

/** Query of the first `count` rows that meet the conditions, across all places. */
export type FirstRows = (
  conditions: readonly string[],
  count: string | number,
  eachPlace: EachPlace,
) => string;

const everywhere: EachPlace = (query) => query("TRUE");

/** FROM source with the rows of a page and one more, across all places. */
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
        // Sorts only the ids. OFFSET 0 keeps the order out of the inner query.
        return eachPlace(
          (place) => `SELECT ${alias}.* FROM (
              SELECT ${alias}.id FROM (${rows([...where, place])} OFFSET 0) ${alias} ${ends}) found
            JOIN ${table} ${alias} ON ${alias}.organization_id = $1 AND ${alias}.id = found.id`,
        );
    }
  };
  return `(SELECT * FROM (${source()}) ${alias} ${ends}) ${alias}`;
}

/** SQL for the cursor's value. Several keys become the text of an array. */
export function positionOf({ keys }: Order): string {
  const texts = keys.map(({ text }) => text).join(", ");
  return keys.length === 1 ? texts : `ARRAY[${texts}]::text`;
}

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
  // A row comparison is an index range. The equivalent with OR would be a scan.
  return `(${left}) ${direction === "ASC" ? ">" : "<"} (${right})`;
}

/**
 * Position of the previous page's last row, if its value was too long for the cursor. Throws if the
 * caller can no longer see the row.
 */
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

export function nextCursor(
  cursors: CursorCodec,
  scope: CursorScope,
  last: { id: string; position: string } | undefined,
): { next_cursor?: string } {
  if (last === undefined) return {};
  return { next_cursor: cursors.encode(scope, { id: last.id, value: last.position }) };
}
