import type { ComponentChildren, VNode } from "preact";
import { useForm } from "./form-context.js";

/** Fields that can wait: folded while nothing is in them and nothing is wrong with them. */
export function FoldedFields({
  title,
  names,
  open = false,
  children,
}: {
  title: string;
  /** The fields that unfold it. */
  names: readonly string[];
  /** Not folded at all at first. */
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
