import type { Parameters } from "../../db/parameters.js";

/** More words than this narrow nothing down. */
const maxWords = 8;

/** The words of a query, without operators and the "or" of websearch_to_tsquery. */
function wordsOf(query: string): string[] {
  const words = query.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? [];
  const distinct = new Set(words.map((word) => word.toLowerCase()));
  distinct.delete("or");
  return [...distinct].slice(0, maxWords);
}

/**
 * SQL condition that `row`, an alias with a search column, has some words of the query. The order
 * puts most matches first. Long words count more. Undefined for a query of one word.
 */
export function partialMatch(
  query: string,
  { add }: Parameters,
  row: string,
): { condition: string; order: string } | undefined {
  const words = wordsOf(query);
  if (words.length < 2) return undefined;
  const some = `(SELECT websearch_to_tsquery('simple', fettle_fold(${add(words.join(" or "))})))`;
  // A fixed number of terms keeps the statement text constant. Its subqueries run once.
  const weights = Array.from({ length: maxWords }, (_, index) => {
    const word = `${add(words[index] ?? null)}::text`;
    return `CASE WHEN ${row}.search @@ (SELECT plainto_tsquery('simple', fettle_fold(${word})))
      THEN char_length(${word}) ELSE 0 END`;
  });
  return { condition: `${row}.search @@ ${some}`, order: `${weights.join(" + ")} DESC` };
}
