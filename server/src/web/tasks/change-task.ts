import type { DataSource } from "typeorm";
import type { Caller } from "../../domain/access/caller.js";
import { omit } from "../../domain/values/omit.js";
import {
  updateTask,
  type TaskChange,
  type TaskUpdate,
} from "../../domain/task-changes/task-updates.js";
import { toFieldLabel, toPageWords } from "../text/field-labels.js";
import { submitChange, type FormOutcome } from "../forms/submit-change.js";
import { toFormErrors } from "../forms/forms.js";
import type { FormError } from "../layout/parts.js";
import { assetStateLabels } from "../text/value-labels.js";
import { formatDay } from "../text/format.js";

export type TaskOutcome = FormOutcome<TaskChange>;

/** Changes a task as a form asks for it. */
export function changeTask(
  db: DataSource,
  caller: Caller,
  id: string,
  update: TaskUpdate,
): Promise<TaskOutcome> {
  return submitChange(db, caller, {
    work: (tx) => updateTask(tx, caller, id, update),
    anew: (tx) => updateTask(tx, caller, id, omit(update, "expected_version", "note")),
    toErrors: toTaskErrors,
  });
}

/** Which control of a form stands for an argument that has another name. */
const controls: Partial<Record<string, string>> = {
  recurrence: "every",
  "recurrence.ends_on": "ends_on",
  checklist_done: "done-1",
};

/** A refusal about something that no form has a field for is one of the form as a whole. */
const withoutControl = new Set(["state", "task_id", "expected_version"]);

export function toTaskErrors(error: unknown): FormError[] {
  return toFormErrors(error).map(({ field, message }) => ({
    field:
      field === undefined || withoutControl.has(field) ? undefined : (controls[field] ?? field),
    message: message
      .replace(/^Recurrence\.“/, "“")
      .replace(/^Recurrence\b/, `“${toFieldLabel("recurrence")}”`)
      // What assistants do next; people look and choose on the page.
      .replace(/ Use list \w+( \w+)? to [^.]*\./, "")
      .replace(/: create invite with .*$/, "."),
  }));
}

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
  return [...asset, ...next, ...warnings.map(toPageWords)].join(" ");
}

/** A link to the next occurrence, where there is one. */
export function toNextLink({ next_task: next }: TaskChange) {
  if (next === undefined) return undefined;
  return { href: `/tasks/${next.id}`, label: `Open ${next.task_number}` };
}
