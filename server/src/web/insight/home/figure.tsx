import type { ComponentChildren, VNode } from "preact";

export interface FigureProps {
  label: ComponentChildren;
  href?: string;
  tone?: string;
  /** The sample size, without which a figure means little. */
  basis?: string;
  direction?: VNode;
  children: ComponentChildren;
}

export function Figure({ label, href, tone = "", basis, direction, children }: FigureProps): VNode {
  return (
    <div class={`figure ${tone}`}>
      <dt>{href === undefined ? label : <a href={href}>{label}</a>}</dt>
      <dd>
        {children}{" "}
        {(basis ?? direction) !== undefined && (
          <span class="basis">
            {basis !== undefined && <span>{basis}</span>} {direction}
          </span>
        )}
      </dd>
    </div>
  );
}
