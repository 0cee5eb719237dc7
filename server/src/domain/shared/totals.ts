import type { WayToRows } from "./keyset.js";

/** Counting stops here: nobody reads a longer list, and to count it would take longer than to read it. */
const maxTotal = 10_000;

/** How many rows a list has in all its pages; more than that when it is a minimum. */
export interface Total {
  total_count: number;
  total_is_minimum?: true;
}

/** An SQL expression for `toTotal`. `rows` is a query. */
export function countedSql(rows: string): string {
  return `(SELECT count(*)::int FROM (SELECT FROM (${rows}) found LIMIT ${maxTotal + 1}) counted)`;
}

/**
 * Counts what a list has and finds a page of at most `limit` and one more. What is looked up by words,
 * or may all come late in the order, is counted first: whether few match decides how the page is found.
 * Otherwise both are asked for at once, in one statement where `countsOf` reads the counts in a row.
 */
export async function countAndFind<Row, Counts extends Total>(
  { countsFirst, limit }: { countsFirst: boolean; limit: number },
  count: () => Promise<Counts>,
  find: (way: WayToRows) => Promise<Row[]>,
  countsOf?: (row: Row) => Counts,
): Promise<{ rows: Row[]; counts: Counts }> {
  if (!countsFirst && countsOf !== undefined) {
    const rows = await find("walk");
    const [first] = rows;
    return { rows, counts: first === undefined ? await count() : countsOf(first) };
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
