import { maxSent } from "../../domain/files/add-files.js";
import { updateTask } from "../../domain/tasks/task-updates.js";
import { changeInSet } from "../../domain/history/change-several.js";
import type { TaskState } from "../../db/entities/tasks.js";
import { t } from "../../language/translate.js";
import { choiceField, required } from "../forms/form-fields.js";
import { readMadeAt } from "../layout/offline-cookie.js";
import type { FormRequest } from "../forms/form-spec.js";
import { seeOther } from "../forms/form-reply.js";
import { describeConsequences, taskControls, taskFormRoute } from "./task-form-route.js";
import {
  isCheck,
  readSelected,
  receiveFiles,
  stepControls,
  toStepFields,
  toStepsUpdate,
} from "./step-fields.js";
import { readTask, toAddressOf, type OpenedTask } from "./read-task.js";
import { showTask } from "./task-page.js";

/**
 * The states that the buttons on a task's page set. Holding, completing and cancelling have their
 * own forms.
 */
const buttonStates = ["scheduled", "in_progress"] as const;

const open = ({ db, caller, id }: FormRequest) => readTask(db, caller, id);

export const taskStateForm = taskFormRoute({
  action: "state",
  once: "state",
  isPage: false,
  open,
  fields: { state: required(choiceField("State", buttonStates), "Choose a state.") },
  change: (tx, { request, caller, subject: { task }, given, version }) =>
    changeInSet(tx, caller, "task", (inSet) =>
      updateTask(tx, inSet, task.id, {
        ...given,
        made_at: readMadeAt(request),
        expected_version: version,
      }),
    ),
  done: (change, { subject, given: { state } }) => {
    const address = toAddressOf(subject.task);
    if (change.changed.length === 0) return seeOther(address);
    const text = describeConsequences(describeState(subject, state), change);
    return seeOther(address, text, undefined, { undo: change.set });
  },
  page: ({ request, subject }) => showTask(request, subject),
});

export const taskChecklistForm = taskFormRoute({
  action: "checklist",
  once: "checklist",
  isPage: false,
  open,
  fields: toStepFields,
  upload: { maxFiles: maxSent },
  controls: { ...taskControls, ...stepControls },
  receive: (form) => receiveFiles(form),
  change: (tx, { request, caller, subject, given, version }) =>
    changeInSet(tx, caller, "task", (inSet) =>
      updateTask(tx, inSet, subject.task.id, {
        ...toStepsUpdate(subject, request.body, given),
        made_at: readMadeAt(request),
        expected_version: version,
      }),
    ),
  done: async (change, { db, caller, subject: { task } }) => {
    const { checklist } = (await readTask(db, caller, task.id)).task;
    const all = checklist.length;
    const left = checklist.filter(({ done }) => !done).length;
    const saved =
      left === 0
        ? t("Checklist saved. Every step is done.")
        : t("Checklist saved. {left} of {all} left.", { left, all });
    const isAnswered = task.checklist.some((step) => !isCheck(step));
    const text = isAnswered ? describeConsequences(saved, change) : saved;
    return seeOther(toAddressOf(task), text, undefined, { undo: change.set });
  },
  page: ({ request, subject }) => showTask(request, subject, readSelected(request.body)),
});

function describeState({ task, state: before }: OpenedTask, state: TaskState): string {
  const values = { number: task.task_number };
  const isReopened = before === "completed" || before === "cancelled";
  if (isReopened) return t("{number} reopened.", values);
  return state === "scheduled"
    ? t("{number} set to scheduled.", values)
    : t("{number} started.", values);
}
