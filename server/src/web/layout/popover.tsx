import type { ComponentChildren, VNode } from "preact";
import { useId } from "preact/hooks";

/**
 * A button and the panel that it opens. Browsers close the panel on Escape, on a click elsewhere
 * and when another opens. They also return the focus, without a script.
 */
export function Popover({
  label,
  title,
  class: kind = "",
  buttonClass = "quiet",
  children,
}: {
  label: ComponentChildren;
  title?: string;
  class?: string;
  buttonClass?: string;
  children: ComponentChildren;
}): VNode {
  const id = useId();
  return (
    <div class={`more ${kind}`.trim()}>
      <button type="button" class={buttonClass} popovertarget={id} title={title}>
        {label}
      </button>
      <div id={id} class="floating" popover="auto">
        {children}
      </div>
    </div>
  );
}

export const dots = "M5 12h.01M12 12h.01M19 12h.01";

/** The label of a button for rarely used actions. */
export function Dots({ words }: { words: string }): VNode {
  return (
    <>
      <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
        <path d={dots} />
      </svg>
      <span class="visually-hidden">{words}</span>
    </>
  );
}
