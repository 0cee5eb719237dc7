import type { VNode } from "preact";
import { t } from "../../language/translate.js";
import { TextInput } from "../forms/controls.js";
import type { Task } from "./read-task.js";
import { describeZone } from "../text/format.js";
import { TaskControl } from "./task-control.js";

/** What was found and done; the cause belongs to repairs. */
export function RecordFields({ task }: { task: Task }): VNode {
  const hasCause = task.type === "corrective" || task.failure_cause !== null;
  return (
    <fieldset>
      <legend>{t("Work")}</legend>
      <TaskControl name="completion_notes" rows={5} />
      <div class="field-row">
        <TaskControl name="activity" {...(task.activity === null && { empty: t("Not said") })} />
        {hasCause && (
          <TaskControl
            name="failure_cause"
            {...(task.failure_cause === null && { empty: t("Not said") })}
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
}: {
  task: Task;
  timeZone: string;
  isDone: boolean;
}): VNode {
  const zone = describeZone(timeZone);
  return (
    <fieldset>
      <legend>{t("Time")}</legend>
      <div class="field-row">
        <TaskControl name="actual_minutes" help={t("Minutes, or hours like 1:30.")} />
        {task.asset_id !== null && (
          <TaskControl name="downtime_minutes" help={t("Minutes the asset could not be used.")} />
        )}
      </div>
      <TextInput
        name="completed_at"
        type="datetime-local"
        help={
          isDone
            ? t("Time in {zone}.", { zone })
            : t("Left empty, it is now. Time in {zone}.", { zone })
        }
      />
    </fieldset>
  );
}

export function CostFields({ currency }: { currency: string }): VNode {
  const costs = ["labor_cost", "parts_cost", "other_cost"] as const;
  return (
    <fieldset>
      <legend>{t("Costs in {currency}", { currency })}</legend>
      <div class="field-row costs">
        {costs.map((name) => (
          <TaskControl key={name} name={name} />
        ))}
      </div>
    </fieldset>
  );
}
