/**
 * Bytes of text of the rows in memory at a time, plus one row. Slow readers keep rows in memory.
 */
export const bytesAtOnce = 500_000;

/**
 * Returns the first rows of a select until their `texts` reach the limit, with the total number
 * `found`.
 */
export function assertMaxBytes(texts: readonly string[], select: string): string {
  const bytes = texts.map((text) => `coalesce(octet_length(${text}), 0)`).join(" + ");
  return `SELECT * FROM (
      SELECT counted.*, sum(bytes) OVER (ORDER BY nth) - bytes AS before
      FROM (SELECT read.*, ${bytes} AS bytes, row_number() OVER () AS nth,
              count(*) OVER ()::int AS found
            FROM (${select}) read) counted) summed
    WHERE before < ${bytesAtOnce} ORDER BY nth`;
}
