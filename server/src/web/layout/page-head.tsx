import type { ComponentChildren, VNode } from "preact";
import { t } from "../../language/translate.js";

export interface Crumb {
  href: string;
  label: string;
}

function Breadcrumb({ crumbs }: { crumbs: readonly Crumb[] }): VNode {
  return (
    <nav aria-label={t("Breadcrumb")} class="breadcrumb">
      <ol>
        {crumbs.map(({ href, label }) => (
          <li key={href}>
            <a href={href} dir="auto">
              {label}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

export interface PageHeadProps {
  crumbs?: readonly Crumb[];
  /** Before the title. */
  picture?: ComponentChildren;
  /** Next to or under the title: a number, a badge. */
  facts?: ComponentChildren;
  actions?: ComponentChildren;
}

/** The page's title, number and badge, and its actions: one primary, the rest quiet. */
export function PageHead({
  title,
  crumbs,
  picture,
  facts,
  actions,
}: PageHeadProps & { title: string }): VNode {
  return (
    <header class="page-head">
      {crumbs !== undefined && <Breadcrumb crumbs={crumbs} />}
      <div class="page-title">
        <div class={picture === undefined ? undefined : "with-picture"}>
          {picture}
          <div>
            <h1 dir="auto">{title}</h1>
            {facts !== undefined && <p class="page-facts">{facts}</p>}
          </div>
        </div>
        {actions !== undefined && <div class="page-actions">{actions}</div>}
      </div>
    </header>
  );
}

/** Names the subject of a control for screen readers, where the page shows it beside. */
export function OfSubject({ name }: { name: string }): VNode {
  return (
    <span class="visually-hidden">
      {" "}
      (<bdi>{name}</bdi>)
    </span>
  );
}

/**
 * A link that looks like a button. `label` is the full text if the visible one omits the subject.
 */
export function ActionLink({
  href,
  quiet = false,
  label,
  children,
}: {
  href: string;
  quiet?: boolean;
  label?: string;
  children: ComponentChildren;
}): VNode {
  return (
    <a class={quiet ? "button quiet" : "button"} href={href} aria-label={label}>
      {children}
    </a>
  );
}
