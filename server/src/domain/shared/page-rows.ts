/** Clients truncate long responses. A larger page ends at an earlier row. */
const maxBytes = 60_000;

export interface Page<Row, Shown> {
  rows: Shown[];
  last: Row | undefined;
}

/** SQL for an instant as lossless text for cursors. */
export function instantText(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

export function toPage<Row, Shown>(
  rows: readonly Row[],
  limit: number,
  show: (row: Row) => Shown,
): Page<Row, Shown> {
  const shown = rows.slice(0, limit).map(show);
  // Most pages are short. One check of all rows is cheaper than one per row.
  if (bytesOf(shown) > maxBytes) shown.length = Math.max(1, countUpTo(maxBytes, shown));
  const last = rows.length > shown.length ? rows[shown.length - 1] : undefined;
  return { rows: shown, last };
}

function countUpTo(most: number, rows: readonly unknown[]): number {
  let bytes = 0;
  const tooMuch = rows.findIndex((row) => (bytes += bytesOf(row) + 1) > most);
  return tooMuch === -1 ? rows.length : tooMuch;
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
