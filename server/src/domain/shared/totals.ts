import type { WayToRows } from "./keyset.js";

/**
 * Counting stops here. No one reads a longer list, and counting it takes longer than reading it.
 */
const maxTotal = 10_000;

/** Rows in all pages of a list. The real total is higher if it is a minimum. */
export interface Total {
  total_count: number;
  total_is_minimum?: true;
}

/** An SQL expression for `toTotal`. `rows` is a query. */
export function countedSql(rows: string): string {
  return `(SELECT count(*)::int FROM (SELECT FROM (${rows}) found LIMIT ${maxTotal + 1}) counted)`;
}

/**
 * Counts a list and finds a page of at most `limit` rows and one more. With `countsFirst`, the
 * count decides how the page is found. That is for word searches and matches that may come late.
 * Otherwise both run at once, in one statement if `countsOf` reads the counts from a row. Without a
 * row on the first page, there is nothing to count.
 */
export async function countAndFind<Row, Counts extends Total>(
  { countsFirst, limit, after }: { countsFirst: boolean; limit: number; after?: unknown },
  count: () => Promise<Counts>,
  find: (way: WayToRows) => Promise<Row[]>,
  countsOf?: (row: Row | undefined) => Counts,
): Promise<{ rows: Row[]; counts: Counts }> {
  if (!countsFirst && countsOf !== undefined) {
    const rows = await find("walk");
    const [first] = rows;
    const isKnown = first !== undefined || after === undefined;
    return { rows, counts: isKnown ? countsOf(first) : await count() };
  }
  if (!countsFirst) {
    const [rows, counts] = await Promise.all([find("walk"), count()]);
    return { rows, counts };
  }
  const counts = await count();
  if (counts.total_count === 0) return { rows: [], counts };
  if (counts.total_is_minimum === true) {
    const rows = await find("walk_first");
    if (rows.length > limit) return { rows, counts };
  }
  return { rows: await find("collect"), counts };
}

export function toTotal(counted = 0): Total {
  return counted > maxTotal
    ? { total_count: maxTotal, total_is_minimum: true }
    : { total_count: counted };
}
