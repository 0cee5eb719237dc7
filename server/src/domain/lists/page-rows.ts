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
  const shown: Shown[] = [];
  let bytes = 0;
  for (const row of rows.slice(0, limit)) {
    const next = show(row);
    bytes += Buffer.byteLength(JSON.stringify(next)) + 1;
    if (bytes > maxBytes && shown.length > 0) break;
    shown.push(next);
  }
  const last = rows.length > shown.length ? rows[shown.length - 1] : undefined;
  return { rows: shown, last };
}
