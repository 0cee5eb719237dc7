import type { VNode } from "preact";

/** A text to copy, such as an address that is shown once. */
export function TextToCopy({
  id,
  label,
  value,
}: {
  id: string;
  label: string;
  value: string;
}): VNode {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input id={id} type="text" value={value} readOnly class="address copy" />
    </div>
  );
}
