import type { FastifyPluginAsync } from "fastify";
import type { NextTask } from "../../domain/task-changes/create-next-task.js";
import type { TaskChange } from "../../domain/task-changes/task-updates.js";
import type { FormFields } from "../forms/form-fields.js";
import { formRoute } from "../forms/form-route.js";
import type { RecordFormSpec } from "../forms/form-spec.js";
import { formatDay } from "../text/format.js";
import { withWarnings } from "../text/warnings-for-people.js";
import { assetStateLabels } from "../text/value-labels.js";
import { readTaskToChange, type OpenedTask } from "./read-task.js";

/** A form that changes a task; `open` reads it with what the person may do. */
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

/** Which control of a form stands for an argument that has another name. */
export const taskControls = {
  recurrence: "every",
  "recurrence.ends_on": "ends_on",
  "recurrence.on_weekday": "on_weekday",
  "recurrence.every_usage": "every_usage",
  "recurrence.meter": "meter",
  "recurrence.due_usage": "due_usage",
  checklist_done: "done-1",
};

/** What happened, and what that brought about: the asset's state, the next occurrence, warnings. */
export function describeConsequences(sentence: string, change: TaskChange): string {
  const { asset_state: state, next_task: next, task, warnings } = change;
  let text = sentence;
  if (state !== undefined) {
    text += ` ${task.asset_name ?? "The asset"} is now: ${assetStateLabels[state].toLowerCase()}.`;
  }
  if (next !== undefined) {
    text += ` The next one, ${next.task_number}, is due ${describeDue(next)}.`;
  }
  return withWarnings(text, warnings);
}

/** "on 12 Nov 2026 or at 130,000 km, now 120,500 km" */
function describeDue({ due_date: day, due_usage: usage }: NextTask): string {
  const parts = [day && `on ${formatDay(day)}`, usage && `at ${usage}`];
  return parts.filter(Boolean).join(" or ") || "by the first reading of its meter";
}

/** A link to the next occurrence, where there is one. */
export function toNextLink({ next_task: next }: TaskChange) {
  if (next === undefined) return undefined;
  return { href: `/tasks/${next.id}`, label: `Open ${next.task_number}` };
}
