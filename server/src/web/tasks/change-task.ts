import type { FastifyPluginAsync } from "fastify";
import type { TaskChange } from "../../domain/task-changes/task-updates.js";
import type { FormFields } from "../forms/form-fields.js";
import { formRoute } from "../forms/form-route.js";
import type { FormSpec } from "../forms/form-spec.js";
import { formatDay } from "../text/format.js";
import { describeWarning } from "../text/refusals.js";
import { assetStateLabels } from "../text/value-labels.js";
import { readTaskToChange, type OpenedTask } from "./read-task.js";

interface TaskFormSpec<Fields extends FormFields, Result> extends Omit<
  FormSpec<OpenedTask, Fields, Result>,
  "path"
> {
  /** The end of the address: `/tasks/:id/…`. */
  action: string;
}

/** A form that changes a task; `open` reads it with what the person may do. */
export function taskForm<Fields extends FormFields, Result>({
  action,
  ...spec
}: TaskFormSpec<Fields, Result>): FastifyPluginAsync {
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
  checklist_done: "done-1",
};

/** What a change brought about beside itself: the asset's state, the next occurrence, warnings. */
export function describeConsequences({
  asset_state,
  next_task,
  warnings,
  task,
}: TaskChange): string {
  const asset =
    asset_state === undefined
      ? []
      : [
          `${task.asset_name ?? "The asset"} is now: ${assetStateLabels[asset_state].toLowerCase()}.`,
        ];
  const next =
    next_task === undefined
      ? []
      : [`The next one, ${next_task.task_number}, is due on ${formatDay(next_task.due_date)}.`];
  return [...asset, ...next, ...warnings.map(describeWarning)].join(" ");
}

/** A link to the next occurrence, where there is one. */
export function toNextLink({ next_task: next }: TaskChange) {
  if (next === undefined) return undefined;
  return { href: `/tasks/${next.id}`, label: `Open ${next.task_number}` };
}
