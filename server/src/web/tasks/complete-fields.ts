import { completionFields } from "../../db/entities/tasks.js";
import { plainFields } from "../../db/fields.js";
import type { TaskUpdate } from "../../domain/tasks/task-update-rules.js";
import { pick } from "../../domain/shared/omit.js";
import { t } from "../../language/translate.js";
import { choiceField, momentField, toLocalTime, type Given } from "../forms/form-fields.js";
import { toFormFields, toFormValues } from "../forms/record-fields.js";
import type { FormError } from "../layout/error-summary.js";
import { toFieldLabel } from "../text/field-labels.js";
import type { OpenedTask } from "./read-task.js";
import type { StepsUpdate } from "./step-fields.js";
import type { TaskValues } from "./task-form-fields.js";

export const completionFormFields = {
  ...toFormFields(completionFields),
  completed_at: momentField(() => toFieldLabel("completed_at")),
  asset_state: choiceField("State", ["same", "available", "out_of_service"]),
};

type GivenCompletion = Given<typeof completionFormFields>;

const names = Object.keys(completionFormFields) as (keyof GivenCompletion)[];

/** True if the form asks whether the asset can be used after the work. */
export function asksUsable({ asset, state }: OpenedTask): boolean {
  return asset !== null && state !== "completed";
}

/** The completion data of a form with its steps. */
export function toCompletion(
  form: GivenCompletion,
  steps: StepsUpdate,
  opened: OpenedTask,
): TaskUpdate {
  const { task, asset } = opened;
  const { completed_at: at, asset_state: seen, ...given } = pick(form, ...names);
  const isStillDown = seen === "same" && asset?.state === "out_of_service";
  return {
    ...given,
    ...(seen !== undefined && !isStillDown && asksUsable(opened) && { asset_state: seen }),
    state: "completed",
    ...(at !== undefined && !isSame(at, opened) && { completed_at: at.toISOString() }),
    ...steps,
    ...(given.completion_notes === undefined &&
      task.completion_notes !== null && { clear_fields: ["completion_notes"] }),
  };
}

/** Forms are precise to the minute, so an equal minute is no correction. */
function isSame(at: Date, { task }: OpenedTask): boolean {
  const { completed_at: before } = task;
  if (before === null) return false;
  return toLocalTime(at) === toLocalTime(new Date(before));
}

/** Times and costs. */
const lastingFields = plainFields(completionFields)
  .filter(([, { kind }]) => kind === "minutes" || kind === "amount")
  .map(([name]) => name as LastingName);
type LastingName =
  "actual_minutes" | "downtime_minutes" | "labor_cost" | "parts_cost" | "other_cost";

/** A recorded value can be corrected but not removed. */
export function findEmptied(
  { task }: OpenedTask,
  given: GivenCompletion,
  wrong: readonly FormError[],
): FormError[] {
  const errors: FormError[] = [];
  for (const field of lastingFields) {
    const isKept = task[field] === null || given[field] !== undefined;
    if (isKept || wrong.some((one) => one.field === field)) continue;
    const message = t("{field} is already set. Enter 0 if there was none.", {
      field: toFieldLabel(field),
    });
    errors.push({ field, message });
  }
  return errors;
}

export function toCompletionValues({ task, asset }: OpenedTask): TaskValues {
  return {
    ...toFormValues(completionFields, task),
    completed_at: task.completed_at === null ? "" : toLocalTime(new Date(task.completed_at)),
    // If someone takes the asset out of use while the form is open, that stays.
    asset_state: asset?.state === "out_of_service" ? "" : "same",
  };
}
