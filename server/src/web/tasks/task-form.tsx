import type { VNode } from "preact";
import { t } from "../../language/translate.js";
import { Select, TextInput, Checkbox, toOptions, type Option } from "../forms/controls.js";
import { weekdaysOfMonth } from "../../db/entities/tasks.js";
import { FoldedFields } from "../forms/folded-fields.js";
import type { FoundMeter } from "../../domain/meters/meters.js";
import { TaskControl } from "./task-control.js";
import { anchorLabels, unitLabels, weekdayLabel } from "./task-form-fields.js";

export function WorkFields({
  emptyType,
}: {
  /** The result if no type is chosen. Without it, a type is required. */
  emptyType?: string;
}): VNode {
  return (
    <>
      <TaskControl name="title" help={t("Such as “Replace the air filter”.")} />
      <TaskControl name="description" rows={4} />
      <div class="field-row">
        <TaskControl
          name="type"
          {...(emptyType === undefined
            ? { required: true }
            : { empty: t("Automatic"), help: emptyType })}
        />
        <TaskControl name="priority" required />
      </div>
    </>
  );
}

export function PlanFields({
  people,
  hasDowntime,
}: {
  people: readonly Option[];
  /** True if there is an asset, or can be one, that the work takes out of use. */
  hasDowntime: boolean;
}): VNode {
  const names = ["due_date", "assigned_to_user_id", "estimated_minutes", "requires_downtime"];
  return (
    <FoldedFields title={t("Due date and assignee")} names={names} open>
      <div class="field-row">
        <TaskControl name="due_date" help={t("Overdue from the following day.")} />
        <TaskControl name="assigned_to_user_id" options={people} empty={t("Unassigned")} />
      </div>
      <TaskControl name="estimated_minutes" help={t("Enter minutes (90) or hours (1:30).")} />
      {hasDowntime && (
        <Checkbox
          name="requires_downtime"
          label={t("The asset can't be used during this work")}
          help={t("The asset shows as In maintenance while you work.")}
        />
      )}
    </FoldedFields>
  );
}

export function RepeatFields({
  stops = false,
  meters,
}: {
  /** The asset's meters. Empty while the asset is unknown. */
  meters: readonly FoundMeter[];
  /** True if the task already repeats, so the person can stop it. */
  stops?: boolean;
}): VNode {
  return (
    <FoldedFields title={t("Recurrence")} names={["every", "on_weekday", "ends_on", "every_usage"]}>
      <p class="help">
        {t(
          "When you complete or cancel a recurring task, the next one is created for you. Needs a due date.",
        )}
      </p>
      <div class="field-row">
        <TextInput
          name="every"
          inputMode="numeric"
          help={
            stops
              ? t("A number, such as 3.")
              : t("A number, such as 3. Leave blank for one-off work.")
          }
        />
        <Select name="unit" options={toOptions(unitLabels)} required />
      </div>
      {meters.length > 0 && <UsageFields meters={meters} />}
      <div class="field-row">
        <Select name="anchor" options={toOptions(anchorLabels)} required />
        <Select
          name="on_weekday"
          options={weekdaysOfMonth.map((value) => ({ value, label: weekdayLabel(value) }))}
          empty={t("Same day of the month")}
          help={t("For months and years.")}
        />
      </div>
      <TextInput name="ends_on" type="date" help={t("No more tasks after this date.")} />
      {stops && (
        <Checkbox
          name="stop_repeating"
          help={t("This task is kept. No further tasks are created.")}
        />
      )}
    </FoldedFields>
  );
}

/** Recurrence by a meter's count, optionally combined with days. */
function UsageFields({ meters }: { meters: readonly FoundMeter[] }): VNode {
  const options = meters.map(({ name, unit }) => ({ value: name, label: `${name} (${unit})` }));
  const isOne = meters.length === 1;
  return (
    <>
      <div class="field-row">
        <TextInput
          name="every_usage"
          label={t("Or every")}
          inputMode="decimal"
          help={t("Such as 10000. If days are set too, whichever comes first.")}
        />
        <Select
          name="meter"
          label={t("by meter")}
          options={options}
          {...(isOne ? { required: true } : { empty: t("Choose a meter") })}
        />
      </div>
      <TextInput
        name="due_usage"
        inputMode="decimal"
        help={t(
          "The reading at which this task is due. Leave blank to count from the current reading.",
        )}
      />
    </>
  );
}
