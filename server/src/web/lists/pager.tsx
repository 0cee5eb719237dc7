import type { VNode } from "preact";
import { t } from "../../language/translate.js";
import { countOf, type Noun } from "../text/format.js";

/** "25 of 214 assets" above a list: the rows on the page, and the total. */
export function ListCount({
  shown,
  total,
  isMinimum = false,
  one,
}: {
  shown: number;
  total: number;
  /** True if there are more than `total`. */
  isMinimum?: boolean | undefined;
  one: Noun;
}): VNode {
  const counted = countOf(total, one);
  const all = isMinimum ? t("more than {counted}", { counted }) : counted;
  return <p class="list-count">{shown === total ? all : t("{shown} of {all}", { shown, all })}</p>;
}

export function Pager({
  path,
  query,
  nextCursor,
  parameter = "cursor",
  label = t("Pages"),
}: {
  path: string;
  /** The rest of the list's query. `parameter` is the cursor of the current page. */
  query: URLSearchParams;
  nextCursor: string | undefined;
  parameter?: string;
  /** For a page with several lists. */
  label?: string;
}): VNode | null {
  const isFirst = !query.has(parameter);
  if (isFirst && nextCursor === undefined) return null;
  const first = new URLSearchParams(query);
  first.delete(parameter);
  const next = new URLSearchParams(query);
  if (nextCursor !== undefined) next.set(parameter, nextCursor);
  return (
    <nav class="pager" aria-label={label}>
      {!isFirst && (
        <a class="button quiet" href={toAddress(path, first)}>
          {t("Back to the first page")}
        </a>
      )}
      {nextCursor !== undefined && (
        <a class="button quiet" href={toAddress(path, next)} rel="next">
          {t("Next page")}
        </a>
      )}
    </nav>
  );
}

export function toAddress(path: string, query: URLSearchParams): string {
  const text = query.toString();
  return text === "" ? path : `${path}?${text}`;
}
