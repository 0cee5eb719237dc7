import {
  plannedFields,
  weekdaysOfMonth,
  type RepeatAnchor,
  type RepeatUnit,
  type WeekdayOfMonth,
} from "../../db/entities/tasks.js";
import { nameWeekday } from "../../domain/tasks/task-answers.js";
import type { Recurrence } from "../../domain/tasks/task-plans.js";
import { t, translated } from "../../language/translate.js";
import {
  assetField,
  checkboxField,
  choiceField,
  dayField,
  type Given,
  idField,
  listField,
  numberField,
  required,
  textField,
  wholeField,
} from "../forms/form-fields.js";
import { personField } from "../forms/person-choice.js";
import type { FormError } from "../layout/error-summary.js";
import { toFormFields, toFormText, toFormValues } from "../forms/record-fields.js";
import { toFieldLabel } from "../text/field-labels.js";
import { choicesOf, toValueLabel } from "../text/value-labels.js";
import { formatDay } from "../text/format.js";
import type { OpenedTask } from "./read-task.js";

export const unitLabels: Record<RepeatUnit, string> = translated({
  day: "Days",
  week: "Weeks",
  month: "Months",
  year: "Years",
});

export const anchorLabels: Record<RepeatAnchor, string> = translated({
  due_date: "The due date (fixed calendar)",
  completion_date: "The day the work was done",
});

/** "First Monday" */
export function weekdayLabel(weekday: WeekdayOfMonth): string {
  const { place, day } = nameWeekday(weekday);
  return t(weekdayTexts[place], { weekday: day });
}

const weekdayTexts = {
  first: "First {weekday}",
  second: "Second {weekday}",
  third: "Third {weekday}",
  fourth: "Fourth {weekday}",
  last: "Last {weekday}",
} as const;

const planned = toFormFields(plannedFields);

const taskFields = {
  ...planned,
  title: required(planned.title, "Add a title."),
  assigned_to_user_id: personField(() => toFieldLabel("assigned_to_user_id")),
  workspace_id: idField(() => toFieldLabel("workspace_id"), "workspace"),
  every: wholeField("Repeats every", { min: 1, max: 999 }),
  unit: choiceField(() => toFieldLabel("unit"), choicesOf(unitLabels)),
  anchor: choiceField(() => toFieldLabel("anchor"), choicesOf(anchorLabels)),
  on_weekday: choiceField(() => toFieldLabel("on_weekday"), weekdaysOfMonth),
  ends_on: dayField(() => toFieldLabel("ends_on")),
  every_usage: numberField(() => toFieldLabel("every_usage"), { decimals: 2 }),
  meter: textField(() => toFieldLabel("meter")),
  due_usage: numberField(() => toFieldLabel("due_usage"), { decimals: 2 }),
};

const procedureField = idField(() => toFieldLabel("procedure"), "procedure");

/** Instead of a procedure's id: the one that comes with the ready-made plan. */
export const readyProcedure = "ready-made";

export const newTaskFields = {
  asset_id: assetField("Asset"),
  ...taskFields,
  checklist: listField(() => toFieldLabel("checklist"), "\n"),
  procedure: {
    ...procedureField,
    read: (text: string) => (text === readyProcedure ? text : procedureField.read(text)),
  },
  edit_steps: checkboxField("Edit steps"),
};

export const changedTaskFields = {
  ...taskFields,
  asset_id: assetField("Asset"),
  procedure: procedureField,
  stop_repeating: checkboxField("Stop repeating"),
};

/** The displayed and typed texts, by the name of the field. */
export type TaskValues = Partial<Record<string, string>>;

export type ChangedTask = Given<typeof changedTaskFields>;

interface Repetition {
  every?: number | undefined;
  unit?: RepeatUnit | undefined;
  anchor?: RepeatAnchor | undefined;
  on_weekday?: WeekdayOfMonth | undefined;
  ends_on?: string | undefined;
  every_usage?: number | undefined;
  meter?: string | undefined;
  due_usage?: number | undefined;
}

/** A last day without an interval means that the interval was forgotten. */
export function checkRepetition({
  values,
  given,
}: {
  values: TaskValues;
  given: Repetition;
}): FormError[] {
  const isEmpty = (name: string) => (values[name] ?? "").trim() === "";
  if (isEmpty("every_usage") && !isEmpty("due_usage")) {
    return [
      { field: "every_usage", message: t("“Due at” is only for work that repeats by usage.") },
    ];
  }
  const isForgotten = isEmpty("every") && isEmpty("every_usage") && given.ends_on !== undefined;
  if (!isForgotten) return [];
  return [
    {
      field: "every",
      message: t("“Ends on” is only for recurring work: enter how often it repeats."),
    },
  ];
}

/** The rule that the recurrence controls request. Undefined without an interval. */
export function toRecurrence({
  every,
  unit = "month",
  every_usage,
  meter,
  due_usage,
  ...rule
}: Repetition): Recurrence | undefined {
  if (every === undefined && every_usage === undefined) return undefined;
  const byDays = every !== undefined && { every, unit };
  const byUsage = every_usage !== undefined && { every_usage, meter, due_usage };
  return { ...byDays, ...byUsage, ...rule };
}

export const emptyTask: TaskValues = { priority: "medium", unit: "month", anchor: "due_date" };

export function describeValue(field: string, value: string): string {
  if (value === "") return field === "requires_downtime" ? t("no") : "";
  if (field === "due_date" || field === "ends_on") return formatDay(value);
  if (field === "unit") return unitLabels[value as RepeatUnit];
  if (field === "on_weekday") return weekdayLabel(value as WeekdayOfMonth);
  if (field === "anchor") return anchorLabels[value as RepeatAnchor];
  return toValueLabel(field, value);
}

export function toValues({ task }: OpenedTask): TaskValues {
  const { recurrence } = task;
  return {
    ...emptyTask,
    ...toFormValues(plannedFields, task),
    workspace_id: task.workspace_id ?? "",
    asset_id: task.inventory_number ?? "",
    procedure: task.procedure_id ?? "",
    ...(recurrence !== undefined && {
      every: toFormText(recurrence.every),
      unit: recurrence.unit ?? "month",
      anchor: recurrence.anchor,
      on_weekday: recurrence.on_weekday ?? "",
      ends_on: recurrence.ends_on ?? "",
      every_usage: toFormText(recurrence.every_usage),
      meter: recurrence.meter ?? "",
      due_usage: toFormText(recurrence.due_usage),
    }),
  };
}
