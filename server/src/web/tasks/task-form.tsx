import type { VNode } from "preact";
import { Select, TextInput, Checkbox, toOptions, type Option } from "../forms/controls.js";
import { FoldedFields } from "../forms/folded-fields.js";
import type { FoundMeter } from "../../domain/meters/meters.js";
import { TaskControl } from "./task-control.js";
import { anchorLabels, unitLabels, weekdayLabels } from "./task-form-fields.js";

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
    ? "What is wrong, such as “Leaks oil”."
    : "What is to be done, such as “Replace the air filter”.";
  return (
    <>
      <TaskControl name="title" help={example} />
      <TaskControl name="description" rows={4} />
      <div class="field-row">
        <TaskControl
          name="type"
          {...(emptyType === undefined
            ? { required: true }
            : { empty: "Choose by the state of the asset", help: emptyType })}
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
  const names = ["due_date", "estimated_minutes", "assigned_to_user_id", "requires_downtime"];
  return (
    <FoldedFields title="When and who" names={names} open={open}>
      <div class="field-row">
        <TaskControl name="due_date" help="It is overdue from the next day on." />
        <TaskControl name="estimated_minutes" help="In minutes, such as 90." />
      </div>
      <TaskControl name="assigned_to_user_id" options={people} empty="Unassigned" />
      {hasDowntime && (
        <Checkbox
          name="requires_downtime"
          label="The asset must be taken out of use for this work"
          help="It is “In maintenance” from the start of the work to its end."
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
    <FoldedFields title="Repetition" names={["every", "on_weekday", "ends_on", "every_usage"]}>
      <p class="help">
        When work that repeats is completed or cancelled, the next task is created by itself. It
        needs a due date to count days from.
      </p>
      <div class="field-row">
        <TextInput
          name="every"
          inputMode="numeric"
          help={stops ? "A number, such as 3." : "A number, such as 3. Empty for work done once."}
        />
        <Select name="unit" options={toOptions(unitLabels)} required />
      </div>
      {meters.length > 0 && <UsageFields meters={meters} />}
      <div class="field-row">
        <Select name="anchor" options={toOptions(anchorLabels)} required />
        <Select
          name="on_weekday"
          options={toOptions(weekdayLabels)}
          empty="The day of the month"
          help="For months and years."
        />
      </div>
      <TextInput name="ends_on" type="date" help="Nothing is due after this day." />
      {stops && <Checkbox name="stop_repeating" help="This task stays; none follows it." />}
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
          label="Or every"
          inputMode="decimal"
          help="Such as 10000; with days as well, whichever comes first."
        />
        <Select
          name="meter"
          label="of the meter"
          options={options}
          {...(isOne ? { required: true } : { empty: "Choose a meter" })}
        />
      </div>
      <TextInput
        name="due_usage"
        inputMode="decimal"
        help="What the meter shows when this one is due. Empty: counted from what it shows now."
      />
    </>
  );
}
