import type { VNode } from "preact";
import { t } from "../../language/translate.js";
import { Select, TextInput, Checkbox, toOptions, type Option } from "../forms/controls.js";
import { weekdaysOfMonth } from "../../db/entities/tasks.js";
import { FoldedFields } from "../forms/folded-fields.js";
import type { FoundMeter } from "../../domain/meters/meters.js";
import { TaskControl } from "./task-control.js";
import { anchorLabels, unitLabels, weekdayLabel } from "./task-form-fields.js";

/** What is to be done. */
export function WorkFields({
  emptyType,
  isProblem = false,
}: {
  /** What happens when no type is chosen; without it one has to be chosen. */
  emptyType?: string;
  /** Whether somebody reports what is wrong, and leaves to others what is to be done. */
  isProblem?: boolean;
}): VNode {
  const example = isProblem
    ? t("What is wrong, such as “Leaks oil”.")
    : t("What is to be done, such as “Replace the air filter”.");
  return (
    <>
      <TaskControl name="title" help={example} />
      <TaskControl name="description" rows={4} />
      <div class="field-row">
        <TaskControl
          name="type"
          {...(emptyType === undefined
            ? { required: true }
            : { empty: t("Choose by the state of the asset"), help: emptyType })}
        />
        <TaskControl name="priority" required />
      </div>
    </>
  );
}

/** When, who, and how long. */
export function PlanFields({
  people,
  hasDowntime,
  open = true,
}: {
  people: readonly Option[];
  /** Whether there is an asset, or can be one, that the work takes out of use. */
  hasDowntime: boolean;
  /** Whether it is asked for at first. */
  open?: boolean;
}): VNode {
  const names = ["due_date", "assigned_to_user_id", "estimated_minutes", "requires_downtime"];
  return (
    <FoldedFields title={t("When and who")} names={names} open={open}>
      <div class="field-row">
        <TaskControl name="due_date" help={t("It is overdue from the next day on.")} />
        <TaskControl name="assigned_to_user_id" options={people} empty={t("Unassigned")} />
      </div>
      <TaskControl name="estimated_minutes" help={t("Minutes, or hours like 1:30.")} />
      {hasDowntime && (
        <Checkbox
          name="requires_downtime"
          label={t("The asset must be taken out of use for this work")}
          help={t("It is “In maintenance” from the start of the work to its end.")}
        />
      )}
    </FoldedFields>
  );
}

/** How it repeats. */
export function RepeatFields({
  stops = false,
  meters,
}: {
  /** Of the asset, as far as it is known. */
  meters: readonly FoundMeter[];
  /** Whether it repeats already, so that one may want to stop that. */
  stops?: boolean;
}): VNode {
  return (
    <FoldedFields title={t("Repetition")} names={["every", "on_weekday", "ends_on", "every_usage"]}>
      <p class="help">
        {t(
          "When work that repeats is completed or cancelled, the next task is created by itself. It needs a due date to count days from.",
        )}
      </p>
      <div class="field-row">
        <TextInput
          name="every"
          inputMode="numeric"
          help={
            stops ? t("A number, such as 3.") : t("A number, such as 3. Empty for work done once.")
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
          empty={t("The day of the month")}
          help={t("For months and years.")}
        />
      </div>
      <TextInput name="ends_on" type="date" help={t("Nothing is due after this day.")} />
      {stops && <Checkbox name="stop_repeating" help={t("This task stays; none follows it.")} />}
    </FoldedFields>
  );
}

/** By what a meter counts, alone or beside the days. */
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
          help={t("Such as 10000; with days as well, whichever comes first.")}
        />
        <Select
          name="meter"
          label={t("of the meter")}
          options={options}
          {...(isOne ? { required: true } : { empty: t("Choose a meter") })}
        />
      </div>
      <TextInput
        name="due_usage"
        inputMode="decimal"
        help={t(
          "What the meter shows when this one is due. Empty: counted from what it shows now.",
        )}
      />
    </>
  );
}
