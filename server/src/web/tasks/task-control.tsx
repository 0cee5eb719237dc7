import type { VNode } from "preact";
import { completionFields, plannedFields } from "../../db/entities/tasks.js";
import { FieldControl, type FieldControlProps } from "../forms/field-control.js";

const fields = { ...plannedFields, ...completionFields };

export function TaskControl({
  name,
  ...props
}: { name: keyof typeof fields } & Partial<FieldControlProps>): VNode {
  return <FieldControl {...props} name={name} field={fields[name]} />;
}
