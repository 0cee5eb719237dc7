import type { VNode } from "preact";

export interface NavLink {
  href: string;
  label: string;
  /** The address prefix of the pages below it, if it differs from its own address. */
  below?: string;
  /** The number of waiting items. */
  count?: number | undefined;
  /** The problem: "1 failing". */
  problem?: string | undefined;
}

/** `current` is the page's navigation address. */
export function NavLinks({
  links,
  current,
}: {
  links: readonly NavLink[];
  current: string;
}): VNode {
  return (
    <ul>
      {links.map((link) => (
        <li key={link.href}>
          <a href={link.href} aria-current={toCurrent(link, current)}>
            {link.label}
            {link.count !== undefined && link.count > 0 && <span class="count">{link.count}</span>}
            {link.problem !== undefined && (
              <>
                {" "}
                <span class="tag bad">{link.problem}</span>
              </>
            )}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** "true" marks the section that contains the page. */
export function toCurrent({ href, below = `${href}/` }: NavLink, current: string) {
  if (href === current) return "page";
  return current.startsWith(below) ? "true" : undefined;
}
