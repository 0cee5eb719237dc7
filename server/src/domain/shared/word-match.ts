import { anywhere, type Parameters } from "../../db/parameters.js";

/** Substrings are found by trigrams. Letters with case belong to scripts with words. */
const shortWord = /^[\p{Lu}\p{Ll}\p{N}]{1,2}$/u;

/**
 * Prepares a query for `websearch_to_tsquery`, which reads a hyphen before a word as "not" and
 * fails after thirty in a row. Two or more are replaced, because they are lines copied with a text.
 */
export function toSearched(query: string): string {
  return query.replaceAll(/-(?:[\s!&|()<]*-)+/g, " ");
}

/**
 * SQL condition: the row has the words of the query, or a column contains the query. Ignores case
 * and accents. A query of one or two letters matches the beginnings of words.
 */
export function matchesWords(
  columns: readonly string[],
  search: string,
  query: string,
  { add }: Parameters,
): string {
  // As subqueries, the words are parsed once, not per row.
  if (shortWord.test(query))
    return `${search} @@ (SELECT to_tsquery('simple', fettle_fold(${add(`${query}:*`)})))`;
  const part = columns.length === 0 ? "" : `(SELECT fettle_fold(${add(anywhere(query))}))`;
  return `(${[
    `${search} @@ (SELECT websearch_to_tsquery('simple', fettle_fold(${add(toSearched(query))})))`,
    ...columns.map((column) => `fettle_fold(${column}) LIKE ${part}`),
  ].join(" OR ")})`;
}
