import type { VNode } from "preact";
import { t } from "../../language/translate.js";
import { toFieldLabel } from "../text/field-labels.js";
import { useForm } from "./form-context.js";
import { FoundAssets } from "./found-assets.js";

/** Properties of all labelled controls. The form's context supplies omitted ones. */
export interface ControlProps {
  name: string;
  label?: string;
  /** Shown under the control, read out with it. */
  help?: string;
  required?: boolean;
  /** One of several fields, one of which is needed. It is marked neither required nor optional. */
  isAlternative?: boolean;
  /** True if the page opens with the focus in the control. */
  autofocus?: boolean | undefined;
}

export interface Wiring {
  id: string;
  name: string;
  required: boolean;
  autofocus: true | undefined;
  "aria-invalid": "true" | undefined;
  "aria-describedby": string | undefined;
}

/** Label, control, help and error, in this order. Screen readers read them together. */
export function Labelled({
  props,
  children,
}: {
  props: ControlProps;
  children: (wiring: Wiring, value: string) => VNode;
}): VNode {
  const { values, errors, fields } = useForm();
  const { name, help, isAlternative = false } = props;
  const { label = fields[name]?.label() ?? toFieldLabel(name) } = props;
  const { required = fields[name]?.missing !== undefined } = props;
  const error = errors.find(({ field }) => field === name)?.message;
  return (
    <div class={error === undefined ? "field" : "field wrong"}>
      <label for={name}>
        {label}
        {!required && !isAlternative && <span class="optional"> {t("(optional)")}</span>}
      </label>
      {children(
        { id: name, name, required, ...toAutofocus(props), ...describe(name, help, error) },
        values[name] ?? "",
      )}
      <Help id={name} text={help} />
      <FieldError id={name} text={error} />
      <FoundAssets name={name} />
    </div>
  );
}

function toAutofocus({ autofocus }: ControlProps): Pick<Wiring, "autofocus"> {
  return { autofocus: autofocus === true || undefined };
}

/** The attributes that connect a control to its help and error. */
export function describe(id: string, help: string | undefined, error: string | undefined) {
  const describedBy = [
    ...(help === undefined ? [] : [`${id}-help`]),
    ...(error === undefined ? [] : [`${id}-error`]),
  ].join(" ");
  return {
    "aria-invalid": error === undefined ? undefined : ("true" as const),
    "aria-describedby": describedBy === "" ? undefined : describedBy,
  };
}

export function Help({ id, text }: { id: string; text: string | undefined }): VNode | null {
  if (text === undefined) return null;
  return (
    <p class="help" id={`${id}-help`}>
      {text}
    </p>
  );
}

export function FieldError({ id, text }: { id: string; text: string | undefined }): VNode | null {
  if (text === undefined) return null;
  return (
    <p class="error" id={`${id}-error`}>
      {text}
    </p>
  );
}
