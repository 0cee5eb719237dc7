import type { VNode } from "preact";
import { useForm } from "./form-context.js";
import { describe, FieldError, Help } from "./labelled.js";

/**
 * A control for files. On phones, `camera` opens the camera. It can't be prefilled. With
 * `isButton`, the label looks like a button, and a script improves it.
 */
export function FileInput({
  name,
  label,
  help,
  accept,
  camera = false,
  multiple = false,
  isButton = false,
}: {
  name: string;
  label: string;
  help?: string | undefined;
  accept: string;
  camera?: boolean;
  multiple?: boolean;
  isButton?: boolean;
}): VNode {
  const error = useForm().errors.find(({ field }) => field === name)?.message;
  const kinds = ["field", error !== undefined && "wrong", isButton && "file-button"];
  return (
    <div class={kinds.filter(Boolean).join(" ")}>
      <label for={name} class={isButton ? "button quiet" : undefined}>
        {label}
      </label>
      <input
        type="file"
        id={name}
        name={name}
        accept={accept}
        capture={camera ? "environment" : undefined}
        multiple={multiple}
        {...describe(name, help, error)}
      />
      <Help id={name} text={help} />
      <FieldError id={name} text={error} />
    </div>
  );
}
