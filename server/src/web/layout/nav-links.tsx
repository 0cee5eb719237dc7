import type { VNode } from "preact";

export interface NavLink {
  href: string;
  label: string;
  /** How the addresses of the pages below it begin, where that is not its own address. */
  below?: string;
  /** How much waits there. */
  count?: number | undefined;
}

/** Where one can go; `current` is the address that the page belongs to. */
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
          </a>
        </li>
      ))}
    </ul>
  );
}

/** "true" marks the part that a page below it belongs to. */
function toCurrent({ href, below = `${href}/` }: NavLink, current: string) {
  if (href === current) return "page";
  return current.startsWith(below) ? "true" : undefined;
}
