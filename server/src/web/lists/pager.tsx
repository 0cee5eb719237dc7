import type { VNode } from "preact";
import { t } from "../../language/translate.js";
import { countOf, type Noun } from "../text/format.js";

/** "25 of 214 assets" above a list; what is on the page, and how many there are. */
export function ListCount({
  shown,
  total,
  isMinimum = false,
  one,
}: {
  shown: number;
  total: number;
  /** There are more than `total`. */
  isMinimum?: boolean | undefined;
  one: Noun;
}): VNode {
  const counted = countOf(total, one);
  const all = isMinimum ? t("more than {counted}", { counted }) : counted;
  return <p class="list-count">{shown === total ? all : t("{shown} of {all}", { shown, all })}</p>;
}

/** The way to the next page of a list, and back to its beginning. */
export function Pager({
  path,
  query,
  nextCursor,
  parameter = "cursor",
  label = t("Pages"),
}: {
  path: string;
  /** Everything else that the address of the list says; `parameter` is the page looked at. */
  query: URLSearchParams;
  nextCursor: string | undefined;
  parameter?: string;
  /** Where a page has more than one list. */
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

/** A path with its query, if there is any. */
export function toAddress(path: string, query: URLSearchParams): string {
  const text = query.toString();
  return text === "" ? path : `${path}?${text}`;
}
