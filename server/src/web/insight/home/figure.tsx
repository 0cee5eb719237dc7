import type { ComponentChildren, VNode } from "preact";

export interface FigureProps {
  label: ComponentChildren;
  /** Where to see what it counts. */
  href?: string;
  tone?: string;
  /** How it has changed since the period before. */
  direction?: VNode;
  children: ComponentChildren;
}

/** One figure of a list of figures. */
export function Figure({ label, href, tone = "", direction, children }: FigureProps): VNode {
  return (
    <div class={`figure ${tone}`}>
      <dt>{href === undefined ? label : <a href={href}>{label}</a>}</dt>
      <dd>
        {children} {direction}
      </dd>
    </div>
  );
}
