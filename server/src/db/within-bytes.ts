/** Of the texts of rows that are in memory at a time, and those of one row more: who reads slowly keeps them there. */
export const bytesAtOnce = 500_000;

/** Of what a select finds only the first rows, whose `texts` are not too long together, and how many it `found`. */
export function withinBytes(texts: readonly string[], select: string): string {
  const bytes = texts.map((text) => `coalesce(octet_length(${text}), 0)`).join(" + ");
  return `SELECT * FROM (
      SELECT counted.*, sum(bytes) OVER (ORDER BY nth) - bytes AS before
      FROM (SELECT read.*, ${bytes} AS bytes, row_number() OVER () AS nth,
              count(*) OVER ()::int AS found
            FROM (${select}) read) counted) summed
    WHERE before < ${bytesAtOnce} ORDER BY nth`;
}
