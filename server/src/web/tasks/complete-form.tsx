import type { VNode } from "preact";
import { Select, TextArea, TextInput, toOptions } from "../forms/controls.js";
import type { FormError } from "../layout/parts.js";
import { activityLabels, failureCauseLabels } from "../text/value-labels.js";
import type { Task } from "./read-task.js";
import type { TaskValues } from "./task-form-fields.js";

interface FieldsProps {
  values: TaskValues;
  errors: readonly FormError[];
}

/** What was found and done; the cause belongs to repairs. */
export function RecordFields({ task, ...shared }: FieldsProps & { task: Task }): VNode {
  const hasCause = task.type === "corrective" || task.failure_cause !== null;
  return (
    <fieldset>
      <legend>Work</legend>
      <TextArea {...shared} name="completion_notes" label="What was found and done" rows={5} />
      <div class="field-row">
        <Select
          {...shared}
          name="activity"
          label="Activity"
          options={toOptions(activityLabels)}
          {...(task.activity === null && { empty: "Not said" })}
        />
        {hasCause && (
          <Select
            {...shared}
            name="failure_cause"
            label="Cause of failure"
            options={toOptions(failureCauseLabels)}
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
        <TextInput
          {...shared}
          name="actual_minutes"
          label="Time spent"
          inputMode="numeric"
          help="In minutes, such as 90."
        />
        {task.asset_id !== null && (
          <TextInput
            {...shared}
            name="downtime_minutes"
            label="Downtime"
            inputMode="numeric"
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
  const costs = [
    ["labor_cost", "Labour cost"],
    ["parts_cost", "Parts cost"],
    ["other_cost", "Other cost"],
  ] as const;
  return (
    <fieldset>
      <legend>Costs in {currency}</legend>
      <div class="field-row costs">
        {costs.map(([name, label]) => (
          <TextInput key={name} {...shared} name={name} label={label} inputMode="decimal" />
        ))}
      </div>
    </fieldset>
  );
}
