/** Hosts cut off long answers; a page that grows past this ends at a row before. */
const maxBytes = 60_000;

export interface Page<Row, Shown> {
  rows: Shown[];
  /** The last row of the page when another page follows. */
  last: Row | undefined;
}

/** An SQL expression of an instant as the text that a cursor carries without loss. */
export function instantText(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

/** Cuts a page out of rows of which one more than `limit` were asked for. */
export function toPage<Row, Shown>(
  rows: readonly Row[],
  limit: number,
  show: (row: Row) => Shown,
): Page<Row, Shown> {
  const shown = rows.slice(0, limit).map(show);
  // Most pages are short, which one look at all of them tells cheaper than one at each row.
  if (bytesOf(shown) > maxBytes) shown.length = Math.max(1, countUpTo(maxBytes, shown));
  const last = rows.length > shown.length ? rows[shown.length - 1] : undefined;
  return { rows: shown, last };
}

/** How many of the first rows fit. */
function countUpTo(most: number, rows: readonly unknown[]): number {
  let bytes = 0;
  const tooMuch = rows.findIndex((row) => (bytes += bytesOf(row) + 1) > most);
  return tooMuch === -1 ? rows.length : tooMuch;
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
