import type { VNode } from "preact";
import { updateTask } from "../../domain/task-changes/task-updates.js";
import { personOptions, withPresent, workspaceOptions } from "../forms/choices.js";
import { FormActions, PostForm, Select, type Option } from "../forms/controls.js";
import { seeOther } from "../forms/form-reply.js";
import { PresentValues } from "../forms/stale-notice.js";
import type { FormError } from "../layout/parts.js";
import { describeConsequences, taskForm } from "./change-task.js";
import { isOpen, toAddressOf, type OpenedTask } from "./read-task.js";
import { findDifferences } from "./task-differences.js";
import { PlanFields, RepeatFields, WorkFields } from "./task-form.js";
import { StaleTask, TaskFormPage } from "./task-form-page.js";
import {
  changedTaskFields,
  checkRepetition,
  describeValue,
  toValues,
  type ChangedTask,
  type TaskValues,
} from "./task-form-fields.js";

/** `/tasks/:id/edit`: what is to be done, when, by whom and how often. */
export const editTaskForm = taskForm({
  action: "edit",
  fields: changedTaskFields,
  begin: ({ subject }) => toValues(subject),
  check: (form) => {
    const wrong = checkRepetition(form);
    return [...wrong, ...checkStop(form.subject, form.given, [...form.errors, ...wrong])];
  },
  change: async (tx, { caller, subject, given, version }) => {
    const update = findDifferences(subject, given);
    if (update === undefined) return undefined;
    return updateTask(tx, caller, subject.task.id, { ...update, expected_version: version });
  },
  done: (change, { subject: { task } }) => {
    const more = change === undefined ? "" : describeConsequences(change);
    return seeOther(toAddressOf(task), `${task.task_number} is saved. ${more}`.trim());
  },
  page: async ({ db, caller, subject, values, errors }) => {
    const [people, workspaces] = await Promise.all([
      personOptions(db, caller),
      workspaceOptions(db, caller, { least: "member" }),
    ]);
    const choices = { people: withPresent(people, subject.task), workspaces };
    return <EditTaskPage {...{ opened: subject, values, errors, ...choices }} />;
  },
});

/** An emptied interval alone could be an oversight. */
function checkStop(
  { task, state }: OpenedTask,
  { every, stop_repeating }: ChangedTask,
  wrong: readonly FormError[],
): FormError[] {
  const repeats = task.recurrence !== undefined && isOpen({ state });
  const isSaid = every !== undefined || stop_repeating === true;
  if (!repeats || isSaid || wrong.some(({ field }) => field === "every")) return [];
  const message = "Enter how often the task repeats, or tick “Stop repeating”.";
  return [{ field: "every", message }];
}

interface EditView {
  opened: OpenedTask;
  values: TaskValues;
  errors: readonly FormError[];
  people: readonly Option[];
  workspaces: readonly Option[];
}

function EditTaskPage({ opened, people, workspaces, ...shared }: EditView): VNode {
  const { task } = opened;
  const describe = (field: string, value: string) =>
    [...people, ...workspaces].find((one) => value !== "" && one.value === value)?.label ??
    describeValue(field, value);
  return (
    <TaskFormPage opened={opened} title={`Edit ${task.task_number}`}>
      <StaleTask opened={opened}>
        <PresentValues values={shared.values} present={toValues(opened)} describe={describe} />
      </StaleTask>
      <PostForm class="panel folding-form">
        <WorkFields {...shared} />
        {task.asset_id === null && (
          <Select {...shared} name="workspace_id" options={workspaces} required />
        )}
        <PlanFields {...shared} people={people} hasDowntime={task.asset_id !== null} />
        {isOpen(opened) && <RepeatFields {...shared} stops={task.recurrence !== undefined} />}
        <FormActions submit="Save changes" cancel={toAddressOf(task)} cancelWords="Go back" />
      </PostForm>
    </TaskFormPage>
  );
}
