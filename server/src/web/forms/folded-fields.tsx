import type { ComponentChildren, VNode } from "preact";
import type { FormError } from "../layout/parts.js";

/** Fields that can wait: folded while nothing is in them and nothing is wrong with them. */
export function FoldedFields({
  title,
  values,
  errors,
  names,
  open = false,
  children,
}: {
  title: string;
  values: Readonly<Partial<Record<string, string>>>;
  errors: readonly FormError[];
  /** The fields that unfold it. */
  names: readonly string[];
  /** Not folded at all at first. */
  open?: boolean;
  children: ComponentChildren;
}): VNode {
  const isUsed = names.some(
    (name) => (values[name] ?? "") !== "" || errors.some(({ field }) => field === name),
  );
  return (
    <details class="group" open={open || isUsed}>
      <summary>{title}</summary>
      <fieldset>
        <legend class="visually-hidden">{title}</legend>
        {children}
      </fieldset>
    </details>
  );
}
