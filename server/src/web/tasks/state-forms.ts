import { updateTask } from "../../domain/tasks/task-updates.js";
import type { TaskState } from "../../db/entities/tasks.js";
import { t } from "../../language/translate.js";
import { choiceField, required } from "../forms/form-fields.js";
import type { FormRequest } from "../forms/form-spec.js";
import { seeOther } from "../forms/form-reply.js";
import { describeConsequences, taskFormRoute } from "./task-form-route.js";
import { readTicked } from "./complete-fields.js";
import { readTask, toAddressOf, type OpenedTask } from "./read-task.js";
import { showTask } from "./task-page.js";

/**
 * The states that the buttons on a task's page set. Completing and cancelling have their own forms.
 */
const buttonStates = ["scheduled", "in_progress", "on_hold"] as const;

const open = ({ db, caller, id }: FormRequest) => readTask(db, caller, id);

export const taskStateForm = taskFormRoute({
  action: "state",
  isPage: false,
  open,
  fields: { state: required(choiceField("State", buttonStates), "Choose a state.") },
  change: (tx, { caller, subject: { task }, given, version }) =>
    updateTask(tx, caller, task.id, { ...given, expected_version: version }),
  done: (change, { subject, given: { state } }) => {
    const address = toAddressOf(subject.task);
    if (change.changed.length === 0) return seeOther(address);
    return seeOther(address, describeConsequences(describeState(subject, state), change));
  },
  page: ({ request, subject }) => showTask(request, subject),
});

export const taskChecklistForm = taskFormRoute({
  action: "checklist",
  isPage: false,
  open,
  change: (tx, { request, caller, subject: { task }, version }) =>
    updateTask(tx, caller, task.id, {
      checklist_done: readTicked(request.body),
      expected_version: version,
    }),
  done: (_, { request, subject: { task } }) => {
    const left = task.checklist.length - new Set(readTicked(request.body)).size;
    const saved =
      left === 0
        ? t("Checklist saved. Every step is done.")
        : t("Checklist saved. {left} of {all} left.", { left, all: task.checklist.length });
    return seeOther(toAddressOf(task), saved);
  },
  page: ({ request, subject }) => showTask(request, subject),
});

function describeState({ task, state: before }: OpenedTask, state: TaskState): string {
  const values = { number: task.task_number };
  const isReopened = before === "completed" || before === "cancelled";
  if (isReopened) return t("{number} reopened.", values);
  if (state === "on_hold") return t("{number} put on hold.", values);
  return state === "scheduled"
    ? t("{number} set to scheduled.", values)
    : t("{number} started.", values);
}
