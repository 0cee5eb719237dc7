import type { VNode } from "preact";
import {
  stepKinds,
  taskPriorities,
  type StepDefinition,
  type StepKind,
} from "../../db/entities/tasks.js";
import type { FoundMeter } from "../../domain/meters/meters.js";
import type { GivenStep } from "../../domain/tasks/checklist-steps.js";
import { t, translated } from "../../language/translate.js";
import { Checkbox, Select, TextArea, TextInput, toOptions } from "../forms/controls.js";
import { FoldedFields } from "../forms/folded-fields.js";
import {
  checkboxField,
  choiceField,
  listField,
  textField,
  wholeField,
  type FormFields,
  type Given,
  type Values,
} from "../forms/form-fields.js";
import { writeNumber } from "../forms/typed-numbers.js";
import type { FormError } from "../layout/error-summary.js";
import { priorityLabels } from "../text/value-labels.js";
import { signedNumberField } from "./step-fields.js";

export const kindLabels: Record<StepKind, string> = translated({
  check: "Checkbox",
  pass_fail: "Pass or fail",
  number: "Number||a kind of step",
  choice: "Choice from a list",
  text: "Text||a kind of step",
  photo: "Photo",
  signature: "Signature",
});

/** The fields of one step, by the start of their names. */
const rowFields = {
  label: textField("Step"),
  kind: choiceField("Kind", stepKinds),
  required: checkboxField("Required to complete the task"),
  position: wholeField("Position", { min: 1, max: 99 }),
  unit: textField("Unit"),
  min: signedNumberField("Lower limit"),
  max: signedNumberField("Upper limit"),
  options: listField("Options", "\n"),
  meter: textField("Record on meter"),
  follow_up: textField("Task to add if it fails"),
  follow_up_priority: choiceField("Priority of that task", taskPriorities),
  out_of_service: checkboxField("Set the asset out of service if it fails"),
};
type RowField = keyof typeof rowFields;
type Row = Given<typeof rowFields>;
const rowNames = Object.keys(rowFields) as RowField[];

const numbers = (rows: number) => Array.from({ length: rows }, (_, index) => index + 1);

/** The fields of so many rows, each for one step. */
export function stepRowFields(rows: number): FormFields {
  return Object.fromEntries(
    numbers(rows).flatMap((row) =>
      rowNames.map((name) => [`${name}-${row}`, rowFields[name]] as const),
    ),
  );
}

function toRows(rows: number, given: Readonly<Record<string, unknown>>): Row[] {
  return numbers(rows).map((row) =>
    Object.fromEntries(rowNames.map((name) => [name, given[`${name}-${row}`]])),
  );
}

/** A stored step. A task's step has no kind for a checkbox, and no `false`. */
type StoredStep = Omit<StepDefinition, "kind" | "required" | "out_of_service"> &
  Record<"required" | "out_of_service", boolean | null> & { kind: StepKind | null };

export function toRowValues(steps: readonly StoredStep[]): Values<Record<string, never>> {
  const values = steps.flatMap((step, index) => {
    const texts: Partial<Record<RowField, string | null>> = {
      label: step.label,
      kind: step.kind ?? "check",
      required: step.required === true ? "yes" : "",
      position: String(index + 1),
      unit: step.unit,
      min: step.min === null ? "" : writeNumber(step.min),
      max: step.max === null ? "" : writeNumber(step.max),
      options: step.options?.join("\n") ?? "",
      meter: step.meter,
      follow_up: step.follow_up,
      follow_up_priority: step.follow_up_priority ?? "high",
      out_of_service: step.out_of_service === true ? "yes" : "",
    };
    return Object.entries(texts).map(([name, text]) => [`${name}-${index + 1}`, text ?? ""]);
  });
  return Object.fromEntries(values) as Values<Record<string, never>>;
}

const canFail = (kind: StepKind) => kind === "pass_fail" || kind === "number";

/** Fields that don't fit the kind are left out. A row is the step it showed. The order is by position, then as shown. */
export function toSteps(rows: number, given: Readonly<Record<string, unknown>>): GivenStep[] {
  return toRows(rows, given)
    .map((row, index) => ({ ...row, was: index + 1 }))
    .filter(({ label }) => label !== undefined)
    .map((row, index) => ({ ...row, position: row.position ?? index + 1 }))
    .toSorted((one, other) => one.position - other.position)
    .map(({ label = "", kind = "check", required, was, ...row }) => ({
      ...{ label, kind, required, was },
      ...(kind === "number" && { unit: row.unit, min: row.min, max: row.max, meter: row.meter }),
      ...(kind === "choice" && { options: row.options }),
      ...(canFail(kind) && {
        follow_up: row.follow_up,
        follow_up_priority: row.follow_up_priority,
        out_of_service: row.out_of_service,
      }),
    }));
}

export function findWrongRows(rows: number, given: Readonly<Record<string, unknown>>): FormError[] {
  return toRows(rows, given).flatMap(
    ({ label, kind, min, max, options = [] }, index): FormError[] => {
      if (label === undefined) return [];
      if (kind === "choice" && options.length < 2) {
        return [{ field: `options-${index + 1}`, message: t("Enter at least two options.") }];
      }
      const isReversed = min !== undefined && max !== undefined && min > max;
      if (kind !== "number" || !isReversed) return [];
      const message = t("The upper limit must not be below the lower one.");
      return [{ field: `max-${index + 1}`, message }];
    },
  );
}

interface RowsView {
  /** The meters to choose from. Undefined for steps of any asset: a meter is then named. */
  meters: readonly FoundMeter[] | undefined;
  hasAsset: boolean;
}

export function StepRows({ rows, ...view }: RowsView & { rows: number }): VNode {
  return (
    <>
      {numbers(rows).map((row) => (
        <StepRow key={row} row={row} {...view} />
      ))}
    </>
  );
}

function StepRow({ row, ...view }: RowsView & { row: number }): VNode {
  const name = (field: RowField) => `${field}-${row}`;
  return (
    <fieldset class="step-row">
      <legend>{t("Step {number}", { number: row })}</legend>
      <div class="field-row">
        <TextInput name={name("label")} maxLength={200} isAlternative />
        <Select name={name("kind")} options={toOptions(kindLabels)} isAlternative />
      </div>
      <Checkbox name={name("required")} />
      <FoldedFields
        title={t("More for step {number}", { number: row })}
        names={(["unit", "min", "max", "options", "meter", "follow_up"] as const).map(name)}
      >
        <RuleFields name={name} {...view} />
      </FoldedFields>
    </fieldset>
  );
}

function RuleFields({
  name,
  meters,
  hasAsset,
}: RowsView & { name: (field: RowField) => string }): VNode {
  const counted = (meters ?? []).map((one) => ({
    value: one.name,
    label: `${one.name} (${one.unit})`,
  }));
  return (
    <>
      <div class="field-row">
        <TextInput name={name("unit")} help={t("For a number, such as bar.")} maxLength={20} />
        <TextInput name={name("min")} inputMode="decimal" />
        <TextInput name={name("max")} inputMode="decimal" />
      </div>
      {counted.length > 0 && <Select name={name("meter")} options={counted} empty={t("None")} />}
      {meters === undefined && (
        <TextInput name={name("meter")} help={t("Name of the asset's meter.")} maxLength={60} />
      )}
      <TextArea name={name("options")} rows={3} help={t("For a choice. One per line.")} />
      <div class="field-row">
        <TextInput
          name={name("follow_up")}
          help={t("For numbers, and pass or fail.")}
          maxLength={200}
        />
        <Select
          name={name("follow_up_priority")}
          options={toOptions(priorityLabels)}
          preset="high"
        />
      </div>
      {hasAsset && <Checkbox name={name("out_of_service")} />}
      <TextInput name={name("position")} inputMode="numeric" />
    </>
  );
}
