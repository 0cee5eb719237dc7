import type { VNode } from "preact";
import { plannedFields } from "../../db/entities/maintenance-task.js";
import { FieldControl, type FieldControlProps } from "../forms/field-control.js";
import { Select, TextInput, Checkbox, toOptions, type Option } from "../forms/controls.js";
import { FoldedFields } from "../forms/folded-fields.js";
import type { FormError } from "../layout/parts.js";
import { anchorLabels, unitLabels, type TaskValues } from "./task-form-fields.js";

export interface TaskFormProps {
  values: TaskValues;
  errors: readonly FormError[];
  people: readonly Option[];
}

function Control({
  name,
  ...props
}: { name: keyof typeof plannedFields } & Partial<FieldControlProps>): VNode {
  return <FieldControl {...props} name={name} field={plannedFields[name]} />;
}

/** What is to be done. */
export function WorkFields({
  values,
  errors,
  emptyType,
  isProblem = false,
}: Omit<TaskFormProps, "people"> & {
  /** What happens when no type is chosen; without it one has to be chosen. */
  emptyType?: string;
  /** Whether somebody reports what is wrong, and leaves to others what is to be done. */
  isProblem?: boolean;
}): VNode {
  const shared = { values, errors };
  const example = isProblem
    ? "What is wrong, such as “Leaks oil”."
    : "What is to be done, such as “Replace the air filter”.";
  return (
    <>
      <Control {...shared} name="title" help={example} required />
      <Control {...shared} name="description" rows={4} />
      <div class="field-row">
        <Control
          {...shared}
          name="type"
          {...(emptyType === undefined
            ? { required: true }
            : { empty: "Choose by the state of the asset", help: emptyType })}
        />
        <Control {...shared} name="priority" required />
      </div>
    </>
  );
}

/** When, who, and how long. */
export function PlanFields({
  values,
  errors,
  people,
  hasDowntime,
  open = true,
}: TaskFormProps & {
  /** Whether there is an asset, or can be one, that the work takes out of use. */
  hasDowntime: boolean;
  /** Whether it is asked for at first. */
  open?: boolean;
}): VNode {
  const shared = { values, errors };
  const names = ["due_date", "estimated_minutes", "assigned_to_user_id", "requires_downtime"];
  return (
    <FoldedFields {...shared} title="When and who" names={names} open={open}>
      <div class="field-row">
        <Control {...shared} name="due_date" help="It is overdue from the next day on." />
        <Control {...shared} name="estimated_minutes" help="In minutes, such as 90." />
      </div>
      <Control {...shared} name="assigned_to_user_id" options={people} empty="Nobody" />
      {hasDowntime && (
        <Checkbox
          name="requires_downtime"
          label="The asset must be taken out of use for this work"
          help="It is “In maintenance” from the start of the work to its end."
          checked={values["requires_downtime"] === "yes"}
          error={errors.find(({ field }) => field === "requires_downtime")?.message}
        />
      )}
    </FoldedFields>
  );
}

/** How it repeats. */
export function RepeatFields({
  values,
  errors,
  stops = false,
}: Omit<TaskFormProps, "people"> & {
  /** Whether it repeats already, so that one may want to stop that. */
  stops?: boolean;
}): VNode {
  const shared = { values, errors };
  return (
    <FoldedFields {...shared} title="Repetition" names={["every", "ends_on"]}>
      <p class="help">
        When work that repeats is completed or cancelled, the next task is created by itself. It
        needs a due date to count from.
      </p>
      <div class="field-row">
        <TextInput
          {...shared}
          name="every"
          label="Repeats every"
          inputMode="numeric"
          help={stops ? "A number, such as 3." : "A number, such as 3. Empty for work done once."}
        />
        <Select {...shared} name="unit" label="Unit" options={toOptions(unitLabels)} required />
      </div>
      <div class="field-row">
        <Select
          {...shared}
          name="anchor"
          label="Counted from"
          options={toOptions(anchorLabels)}
          required
        />
        <TextInput
          {...shared}
          name="ends_on"
          label="Last due"
          type="date"
          help="Nothing is due after this day."
        />
      </div>
      {stops && (
        <Checkbox
          name="stop_repeating"
          label="Stop repeating"
          help="This task stays; none follows it."
          checked={values["stop_repeating"] === "yes"}
        />
      )}
    </FoldedFields>
  );
}
