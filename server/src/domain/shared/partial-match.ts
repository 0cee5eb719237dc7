import type { Parameters } from "../../db/parameters.js";

/** More words than this narrow nothing down. */
const maxWords = 8;

/** The words of a query, without the signs and the "or" that websearch_to_tsquery reads. */
function wordsOf(query: string): string[] {
  const words = query.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? [];
  const distinct = new Set(words.map((word) => word.toLowerCase()));
  distinct.delete("or");
  return [...distinct].slice(0, maxWords);
}

/**
 * The condition that `row`, an alias with a search column, has some of the words of a query, and
 * the order that begins with the most of them: long words say more than short ones. Nothing for a
 * query of one word.
 */
export function partialMatch(
  query: string,
  { add }: Parameters,
  row: string,
): { condition: string; order: string } | undefined {
  const words = wordsOf(query);
  if (words.length < 2) return undefined;
  const some = `(SELECT websearch_to_tsquery('simple', fettle_fold(${add(words.join(" or "))})))`;
  // Always as many terms: one text of the statement, whose subqueries are worked out once.
  const weights = Array.from({ length: maxWords }, (_, index) => {
    const word = `${add(words[index] ?? null)}::text`;
    return `CASE WHEN ${row}.search @@ (SELECT plainto_tsquery('simple', fettle_fold(${word})))
      THEN char_length(${word}) ELSE 0 END`;
  });
  return { condition: `${row}.search @@ ${some}`, order: `${weights.join(" + ")} DESC` };
}
