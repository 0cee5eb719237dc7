import type { ComponentChildren, VNode } from "preact";

export interface FigureProps {
  label: ComponentChildren;
  href?: string;
  tone?: string;
  direction?: VNode;
  children: ComponentChildren;
}

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
