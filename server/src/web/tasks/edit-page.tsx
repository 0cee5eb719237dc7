import type { VNode } from "preact";
import { updateTask } from "../../domain/tasks/task-updates.js";
import { changeInSet } from "../../domain/history/change-several.js";
import { findMeters, type FoundMeter } from "../../domain/meters/meters.js";
import { listProcedures } from "../../domain/tasks/procedures.js";
import { t } from "../../language/translate.js";
import { personOptions, withAssigned, workspaceOptions } from "../forms/choices.js";
import { FormActions, PostForm, Select, TextInput, type Option } from "../forms/controls.js";
import { FoldedFields } from "../forms/folded-fields.js";
import { seeOther } from "../forms/form-reply.js";
import { PresentValues, StaleNotice } from "../forms/stale-notice.js";
import type { FormError } from "../layout/error-summary.js";
import { describeConsequences, taskFormRoute } from "./task-form-route.js";
import { toProcedureOptionsOf } from "./procedure-options.js";
import { isOpen, toAddressOf, type OpenedTask } from "./read-task.js";
import { findDifferences } from "./task-differences.js";
import { PlanFields, RepeatFields, WorkFields } from "./task-form.js";
import { TaskFormPage } from "./task-form-page.js";
import {
  changedTaskFields,
  checkRepetition,
  describeValue,
  toValues,
  type ChangedTask,
} from "./task-form-fields.js";

/** `/tasks/:id/edit`: the work, its due date, its assignee and its recurrence. */
export const editTaskForm = taskFormRoute({
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
    return changeInSet(tx, caller, "task", (inSet) =>
      updateTask(tx, inSet, subject.task.id, { ...update, expected_version: version }),
    );
  },
  done: (change, { subject: { task } }) => {
    const saved = t("{number} saved.", { number: task.task_number });
    const text = change === undefined ? saved : describeConsequences(saved, change);
    return seeOther(toAddressOf(task), text, undefined, { undo: change?.set });
  },
  page: async ({ db, caller, subject }) => {
    const [people, workspaces, meters, procedures] = await Promise.all([
      personOptions(db, caller),
      workspaceOptions(db, caller),
      subject.asset === null ? [] : findMeters(db, caller, subject.asset.id),
      listProcedures(db, caller, { isArchived: false }),
    ]);
    const view = {
      opened: subject,
      people: withAssigned(people, subject.task),
      workspaces,
      meters,
      procedures: toProcedureOptionsOf(subject, procedures),
    };
    return <EditTaskPage {...view} />;
  },
});

/** Requires a selected “Stop repeating”, because an empty interval could be a mistake. */
function checkStop(
  { task, state }: OpenedTask,
  { every, every_usage, stop_repeating }: ChangedTask,
  wrong: readonly FormError[],
): FormError[] {
  const repeats = task.recurrence !== undefined && isOpen({ state });
  const isSaid = (every ?? every_usage) !== undefined || stop_repeating === true;
  if (!repeats || isSaid || wrong.some(({ field }) => field === "every")) return [];
  const message = t("Enter how often the task repeats, or select “Stop repeating”.");
  return [{ field: "every", message }];
}

interface EditView {
  opened: OpenedTask;
  people: readonly Option[];
  workspaces: readonly Option[];
  meters: readonly FoundMeter[];
  procedures: readonly Option[];
}

function EditTaskPage({ opened, people, workspaces, meters, procedures }: EditView): VNode {
  const { task } = opened;
  const describe = (field: string, value: string) =>
    [...people, ...workspaces, ...procedures].find((one) => value !== "" && one.value === value)
      ?.label ?? describeValue(field, value);
  return (
    <TaskFormPage opened={opened} title={t("Edit {number}", { number: task.task_number })}>
      <StaleNotice what="task" href={toAddressOf(task)}>
        <PresentValues present={toValues(opened)} describe={describe} />
      </StaleNotice>
      <PostForm class="panel folding-form">
        <WorkFields />
        {task.asset_id === null && <Select name="workspace_id" options={workspaces} required />}
        {task.asset_id !== null && (task.progress ?? task.state) === "scheduled" && (
          <TextInput
            name="asset_id"
            help={t("Name or inventory number. Choosing another asset moves the task.")}
          />
        )}
        <PlanFields people={people} hasDowntime={task.asset_id !== null} />
        {isOpen(opened) && procedures.length > 0 && (
          <FoldedFields title={t("Procedure")} names={["procedure"]}>
            <Select
              name="procedure"
              options={procedures}
              empty={t("None")}
              help={t("Its steps replace the task's steps, if none is done.")}
            />
          </FoldedFields>
        )}
        {isOpen(opened) && <RepeatFields stops={task.recurrence !== undefined} meters={meters} />}
        <FormActions
          submit={t("Save changes")}
          cancel={toAddressOf(task)}
          cancelWords={t("Go back")}
        />
      </PostForm>
    </TaskFormPage>
  );
}
