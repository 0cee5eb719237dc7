import type { VNode } from "preact";
import { useForm } from "./form-context.js";

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
  const about = [help !== undefined && `${name}-help`, error !== undefined && `${name}-error`];
  return (
    <div class={error === undefined ? "field" : "field wrong"}>
      <label for={name}>{label}</label>
      {help !== undefined && (
        <p class="help" id={`${name}-help`}>
          {help}
        </p>
      )}
      <input
        type="file"
        id={name}
        name={name}
        accept={accept}
        capture={camera ? "environment" : undefined}
        multiple={multiple}
        aria-invalid={error === undefined ? undefined : "true"}
        aria-describedby={about.filter((id) => id !== false).join(" ") || undefined}
      />
      {error !== undefined && (
        <p class="error" id={`${name}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}
