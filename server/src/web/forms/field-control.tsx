import type { VNode } from "preact";
import type { Field } from "../../db/fields.js";
import { valueLabelsOf } from "../text/value-labels.js";
import {
  Select,
  TextArea,
  TextInput,
  toOptions,
  type Option,
  type TextInputProps,
} from "./controls.js";
import type { ControlProps } from "./labelled.js";

export interface FieldControlProps extends ControlProps {
  field: Field;
  /** The options, if the field's values don't define them. */
  options?: readonly Option[];
  /** The label for no choice. */
  empty?: string;
  rows?: number;
  /** The id of a `Suggestions` list. */
  list?: string;
}

/**
 * The control for a record's field. The field's kind selects the control, and its limit sets the
 * length.
 */
export function FieldControl(props: FieldControlProps): VNode {
  const { field, options, empty, rows, list, ...control } = props;
  const choices =
    options ?? (field.kind === "choice" ? toOptions(valueLabelsOf(control.name)) : undefined);
  if (choices !== undefined) {
    return <Select {...control} options={choices} {...(empty !== undefined && { empty })} />;
  }
  if (field.multiline === true) {
    return <TextArea {...control} {...toLength(field)} {...(rows !== undefined && { rows })} />;
  }
  return <TextInput {...control} {...toInput(field)} {...(list !== undefined && { list })} />;
}

/** Numbers have no maximum length, because truncation would change them. */
function toInput(field: Field): Pick<TextInputProps, "type" | "inputMode" | "maxLength"> {
  if (field.kind === "day") return { type: "date" };
  if (field.kind === "amount") return { inputMode: "decimal" };
  return field.kind === "tags" || field.kind === "minutes" ? {} : toLength(field);
}

function toLength({ max }: Field): { maxLength?: number } {
  return max === undefined ? {} : { maxLength: max };
}
