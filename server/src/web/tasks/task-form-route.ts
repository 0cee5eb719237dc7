import type { FastifyPluginAsync } from "fastify";
import type { AssetState } from "../../db/entities/assets.js";
import type { Text } from "../../language/texts.js";
import type { NextTask } from "../../domain/tasks/create-next-task.js";
import type { TaskChange } from "../../domain/tasks/task-updates.js";
import { t } from "../../language/translate.js";
import type { FormFields } from "../forms/form-fields.js";
import { formRoute } from "../forms/form-route.js";
import type { RecordFormSpec } from "../forms/form-spec.js";
import { formatDay } from "../text/format.js";
import { withWarnings } from "../text/warnings-for-people.js";
import { readTaskToChange, type OpenedTask } from "./read-task.js";

/** A form that changes a task. `open` reads the task with the person's permissions. */
export function taskFormRoute<Fields extends FormFields, Result>({
  action,
  ...spec
}: RecordFormSpec<OpenedTask, Fields, Result>): FastifyPluginAsync {
  return formRoute<OpenedTask, Fields, Result>({
    path: `/tasks/:id/${action}`,
    open: ({ db, caller, id }) => readTaskToChange(db, caller, id),
    version: ({ task }) => task.version,
    controls: taskControls,
    ...spec,
  });
}

/** Maps arguments to the controls of a form with other names. */
export const taskControls = {
  recurrence: "every",
  "recurrence.ends_on": "ends_on",
  "recurrence.on_weekday": "on_weekday",
  "recurrence.every_usage": "every_usage",
  "recurrence.meter": "meter",
  "recurrence.due_usage": "due_usage",
  checklist_done: "done-1",
};

/** The result and its consequences: the asset's state, the next occurrence, warnings. */
export function describeConsequences(sentence: string, change: TaskChange): string {
  const { asset_state: state, next_task: next, task, warnings } = change;
  const asset = task.asset_name ?? t("The asset");
  const texts = [
    sentence,
    ...(state === undefined ? [] : [t(assetStates[state], { asset })]),
    ...(next === undefined ? [] : [describeNext(next)]),
  ];
  return withWarnings(texts.join(" "), warnings);
}

const assetStates = {
  available: "{asset} is now available.",
  in_use: "{asset} is now in use.",
  in_maintenance: "{asset} is now in maintenance.",
  out_of_service: "{asset} is now out of service.",
  stored: "{asset} is now stored.",
  deleted: "{asset} is now retired.",
} as const satisfies Record<AssetState, Text>;

function describeNext({ task_number: number, due_date, due_usage: usage }: NextTask): string {
  const day = due_date && formatDay(due_date);
  if (day && usage) {
    return t("Repeats as {number}, due on {day} or at {usage}.", { number, day, usage });
  }
  if (day) return t("Repeats as {number}, due on {day}.", { number, day });
  return usage
    ? t("Repeats as {number}, due at {usage}.", { number, usage })
    : t("Repeats as {number}, due with the first reading of its meter.", { number });
}

export function toNextLink({ next_task: next }: TaskChange) {
  if (next === undefined) return undefined;
  return { href: `/tasks/${next.id}`, label: t("Open {number}", { number: next.task_number }) };
}
