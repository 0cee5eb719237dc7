import type { Caller } from "../../domain/access/caller.js";
import { localTimeIn } from "../../domain/values/dates.js";
import type { TaskUpdate } from "../../domain/task-changes/task-update-rules.js";
import {
  amountField,
  choiceField,
  momentField,
  readAll,
  readForm,
  textField,
} from "../forms/form-fields.js";
import type { FormError } from "../layout/parts.js";
import { activityLabels, choicesOf, failureCauseLabels } from "../text/value-labels.js";
import type { OpenedTask } from "./read-task.js";
import { minutesField, type TaskValues } from "./task-form-fields.js";

function fieldsOf(timeZone: string) {
  return {
    completion_notes: textField("What was found and done"),
    activity: choiceField("Activity", choicesOf(activityLabels)),
    failure_cause: choiceField("Cause of failure", choicesOf(failureCauseLabels)),
    actual_minutes: minutesField("Time spent"),
    downtime_minutes: minutesField("Downtime"),
    labor_cost: amountField("Labour cost"),
    parts_cost: amountField("Parts cost"),
    other_cost: amountField("Other cost"),
    completed_at: momentField("Completed", timeZone),
  };
}

export interface ReadCompletion {
  values: TaskValues;
  /** Numbers of the ticked steps. */
  ticked: number[];
  update: TaskUpdate;
  errors: FormError[];
}

/** The record of finished work as it was sent. */
export function readCompletion(
  body: unknown,
  { timeZone }: Caller,
  opened: OpenedTask,
): ReadCompletion {
  const { values, given, errors } = readForm(body, fieldsOf(timeZone));
  const { completed_at: at, ...rest } = given;
  const ticked = readTicked(body);
  const { task } = opened;
  const update: TaskUpdate = {
    ...rest,
    state: "completed",
    ...(at !== undefined && !isSame(at, opened, timeZone) && { completed_at: at.toISOString() }),
    ...(task.checklist.length > 0 && { checklist_done: ticked }),
    ...(given.completion_notes === undefined &&
      task.completion_notes !== null && { clear_fields: ["completion_notes"] }),
  };
  return { values, ticked, update, errors: [...errors, ...findEmptied(opened, given, errors)] };
}

/** A form knows times to the minute: the same minute again is no correction. */
function isSame(at: Date, { task }: OpenedTask, timeZone: string): boolean {
  const { completed_at: before } = task;
  if (before === null) return false;
  return localTimeIn(timeZone, at) === localTimeIn(timeZone, new Date(before));
}

/** The ticked steps of a form; whatever is no number is none of them. */
export function readTicked(body: unknown): number[] {
  const numbers = readAll(body, "done").map((text) => (/^\d{1,3}$/.test(text) ? Number(text) : 0));
  return numbers.filter((number) => number > 0);
}

const kept = {
  actual_minutes: "Time spent",
  downtime_minutes: "Downtime",
  labor_cost: "Labour cost",
  parts_cost: "Parts cost",
  other_cost: "Other cost",
} as const;

/** What is known once can be corrected, but not be unknown again. */
function findEmptied(
  { task }: OpenedTask,
  given: Partial<Record<keyof typeof kept, number>>,
  wrong: readonly FormError[],
): FormError[] {
  const errors: FormError[] = [];
  for (const [field, label] of Object.entries(kept)) {
    const name = field as keyof typeof kept;
    const isKept = task[name] === null || given[name] !== undefined;
    if (isKept || wrong.some((one) => one.field === field)) continue;
    errors.push({ field, message: `${label} is known already. Enter 0 if there was none.` });
  }
  return errors;
}

/** What is recorded so far, as the form shows it. */
export function toCompletionValues({ task }: OpenedTask, { timeZone }: Caller): TaskValues {
  const number = (value: number | null) => (value === null ? "" : String(value));
  return {
    completion_notes: task.completion_notes ?? "",
    activity: task.activity ?? "",
    failure_cause: task.failure_cause ?? "",
    actual_minutes: number(task.actual_minutes),
    downtime_minutes: number(task.downtime_minutes),
    labor_cost: number(task.labor_cost),
    parts_cost: number(task.parts_cost),
    other_cost: number(task.other_cost),
    completed_at:
      task.completed_at === null ? "" : localTimeIn(timeZone, new Date(task.completed_at)),
  };
}
