import { anywhere, type Parameters } from "../../db/parameters.js";

/** Parts of words are looked up by three letters each; letters with case are of scripts with words. */
const shortWord = /^[\p{Lu}\p{Ll}\p{N}]{1,2}$/u;

/**
 * A query for `websearch_to_tsquery`, to which a hyphen before a word means "not", and more than thirty of
 * them on end an error. Nobody means two: they are lines that came with a text.
 */
export function toSearched(query: string): string {
  return query.replaceAll(/-(?:[\s!&|()<]*-)+/g, " ");
}

/**
 * The condition that a row has the words of a query, or the query as a part of one of the columns,
 * whatever the case and accents. A query of one or two letters finds the words that begin with it.
 */
export function matchesWords(
  columns: readonly string[],
  search: string,
  query: string,
  { add }: Parameters,
): string {
  // As subqueries the words are read once, not for each row.
  if (shortWord.test(query))
    return `${search} @@ (SELECT to_tsquery('simple', fettle_fold(${add(`${query}:*`)})))`;
  const part = `(SELECT fettle_fold(${add(anywhere(query))}))`;
  return `(${[
    `${search} @@ (SELECT websearch_to_tsquery('simple', fettle_fold(${add(toSearched(query))})))`,
    ...columns.map((column) => `fettle_fold(${column}) LIKE ${part}`),
  ].join(" OR ")})`;
}
