import type { ComponentChildren, VNode } from "preact";
import { useForm } from "./form-context.js";

/** Optional fields, folded while they are empty and valid. */
export function FoldedFields({
  title,
  names,
  open = false,
  children,
}: {
  title: string;
  /** The fields that unfold it. */
  names: readonly string[];
  /** True if it is unfolded at first. */
  open?: boolean;
  children: ComponentChildren;
}): VNode {
  const { values, errors } = useForm();
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
