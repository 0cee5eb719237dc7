import type { ComponentChildren, VNode } from "preact";
import { countOf } from "../text/format.js";

export interface Crumb {
  href: string;
  label: string;
}

/** Where am I: the way down to this page, without the page itself. */
function Breadcrumb({ crumbs }: { crumbs: readonly Crumb[] }): VNode {
  return (
    <nav aria-label="Breadcrumb" class="breadcrumb">
      <ol>
        {crumbs.map(({ href, label }) => (
          <li key={href}>
            <a href={href}>{label}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

export interface PageHeadProps {
  crumbs?: readonly Crumb[];
  /** Beside or under the title: a number, a badge. */
  facts?: ComponentChildren;
  actions?: ComponentChildren;
}

/** What this is (title, number, badge) and what one can do with it (one primary action, the rest quiet). */
export function PageHead({
  title,
  crumbs,
  facts,
  actions,
}: PageHeadProps & { title: string }): VNode {
  return (
    <header class="page-head">
      {crumbs !== undefined && <Breadcrumb crumbs={crumbs} />}
      <div class="page-title">
        <div>
          <h1>{title}</h1>
          {facts !== undefined && <p class="page-facts">{facts}</p>}
        </div>
        {actions !== undefined && <div class="page-actions">{actions}</div>}
      </div>
    </header>
  );
}

/** A link that looks like a button. */
export function ActionLink({
  href,
  quiet = false,
  children,
}: {
  href: string;
  quiet?: boolean;
  children: ComponentChildren;
}): VNode {
  return (
    <a class={quiet ? "button quiet" : "button"} href={href}>
      {children}
    </a>
  );
}

/** An inventory number. */
export function Number({ children }: { children: string }): VNode {
  return <span class="inventory-number">{children}</span>;
}

/** Facts in two columns; entries without a value are left out. */
export function Facts({
  facts,
}: {
  facts: readonly (readonly [label: string, value: ComponentChildren])[];
}): VNode {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== "")
        .map(([label, value]) => (
          <>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </>
        ))}
    </dl>
  );
}

/** "25 of 214 assets" above a list; what is on the page, and how many there are. */
export function ListCount({
  shown,
  total,
  one,
  many = `${one}s`,
}: {
  shown: number;
  total: number;
  one: string;
  many?: string;
}): VNode {
  const words =
    shown === total ? countOf(total, one, many) : `${shown} of ${countOf(total, one, many)}`;
  return <p class="list-count">{words}</p>;
}

/** The way to the next page of a list, and back to its beginning. */
export function Pager({
  path,
  query,
  nextCursor,
}: {
  path: string;
  /** Everything else that the address of the list says; `cursor` is the page looked at. */
  query: URLSearchParams;
  nextCursor: string | undefined;
}): VNode | null {
  const isFirst = !query.has("cursor");
  if (isFirst && nextCursor === undefined) return null;
  const first = new URLSearchParams(query);
  first.delete("cursor");
  const next = new URLSearchParams(query);
  if (nextCursor !== undefined) next.set("cursor", nextCursor);
  return (
    <nav class="pager" aria-label="Pages">
      {!isFirst && (
        <a class="button quiet" href={toAddress(path, first)}>
          Back to the first page
        </a>
      )}
      {nextCursor !== undefined && (
        <a class="button quiet" href={toAddress(path, next)} rel="next">
          Next page
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

/** What cannot be undone, apart from everything else. */
export function DangerZone({
  title = "Danger zone",
  children,
}: {
  title?: string;
  children: ComponentChildren;
}): VNode {
  return (
    <section class="danger-zone" aria-labelledby="danger-zone">
      <h2 id="danger-zone">{title}</h2>
      {children}
    </section>
  );
}
