import type { VNode } from "preact";
import { useForm } from "./form-context.js";
import { describe, FieldError, Help } from "./labelled.js";

/** A control for files. On phones, `camera` opens the camera. It can't be prefilled. */
export function FileInput({
  name,
  label,
  help,
  accept,
  camera = false,
  multiple = false,
}: {
  name: string;
  label: string;
  help?: string;
  accept: string;
  camera?: boolean;
  multiple?: boolean;
}): VNode {
  const error = useForm().errors.find(({ field }) => field === name)?.message;
  return (
    <div class={error === undefined ? "field" : "field wrong"}>
      <label for={name}>{label}</label>
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
