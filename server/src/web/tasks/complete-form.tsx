import type { VNode } from "preact";
import { completionFields } from "../../db/entities/maintenance-task.js";
import { TextInput } from "../forms/controls.js";
import { FieldControl, type FieldControlProps } from "../forms/field-control.js";
import type { FormError } from "../layout/parts.js";
import type { Task } from "./read-task.js";
import type { TaskValues } from "./task-form-fields.js";

interface FieldsProps {
  values: TaskValues;
  errors: readonly FormError[];
}

function Control({
  name,
  ...props
}: FieldsProps & { name: keyof typeof completionFields } & Partial<FieldControlProps>): VNode {
  return <FieldControl {...props} name={name} field={completionFields[name]} />;
}

/** What was found and done; the cause belongs to repairs. */
export function RecordFields({ task, ...shared }: FieldsProps & { task: Task }): VNode {
  const hasCause = task.type === "corrective" || task.failure_cause !== null;
  return (
    <fieldset>
      <legend>Work</legend>
      <Control {...shared} name="completion_notes" rows={5} />
      <div class="field-row">
        <Control
          {...shared}
          name="activity"
          {...(task.activity === null && { empty: "Not said" })}
        />
        {hasCause && (
          <Control
            {...shared}
            name="failure_cause"
            {...(task.failure_cause === null && { empty: "Not said" })}
          />
        )}
      </div>
    </fieldset>
  );
}

export function TimeFields({
  task,
  timeZone,
  isDone,
  ...shared
}: FieldsProps & { task: Task; timeZone: string; isDone: boolean }): VNode {
  return (
    <fieldset>
      <legend>Time</legend>
      <div class="field-row">
        <Control {...shared} name="actual_minutes" help="In minutes, such as 90." />
        {task.asset_id !== null && (
          <Control
            {...shared}
            name="downtime_minutes"
            help="Minutes the asset could not be used."
          />
        )}
      </div>
      <TextInput
        {...shared}
        name="completed_at"
        label="Completed"
        type="datetime-local"
        help={`${isDone ? "" : "Left empty, it is now. "}Time in ${timeZone.replaceAll("_", " ")}.`}
      />
    </fieldset>
  );
}

export function CostFields({ currency, ...shared }: FieldsProps & { currency: string }): VNode {
  const costs = ["labor_cost", "parts_cost", "other_cost"] as const;
  return (
    <fieldset>
      <legend>Costs in {currency}</legend>
      <div class="field-row costs">
        {costs.map((name) => (
          <Control key={name} {...shared} name={name} />
        ))}
      </div>
    </fieldset>
  );
}
