import type { VNode } from "preact";
import { isAdminSomewhere } from "../../domain/access/roles.js";
import { changeInSet } from "../../domain/history/change-several.js";
import { findMeters, type FoundMeter } from "../../domain/meters/meters.js";
import { maxSteps } from "../../domain/tasks/checklist-steps.js";
import { updateTask } from "../../domain/tasks/task-updates.js";
import { t } from "../../language/translate.js";
import { FormActions, PostForm } from "../forms/controls.js";
import { seeOther } from "../forms/form-reply.js";
import { StaleNotice } from "../forms/stale-notice.js";
import { toAddressOf, type OpenedTask } from "./read-task.js";
import { findWrongRows, stepRowFields, StepRows, toRowValues, toSteps } from "./step-rows.js";
import { TaskFormPage } from "./task-form-page.js";
import { describeConsequences, taskFormRoute } from "./task-form-route.js";

const blankRows = 3;

function rowsOf({ task }: OpenedTask): number {
  return Math.min(maxSteps, task.checklist.length + blankRows);
}

/** `/tasks/:id/steps`: the steps with their kinds, limits and rules. */
export const editStepsForm = taskFormRoute({
  action: "steps",
  fields: ({ subject }) => stepRowFields(rowsOf(subject)),
  begin: ({ subject }) => toRowValues(subject.task.checklist),
  check: ({ subject, given }) => findWrongRows(rowsOf(subject), given),
  change: (tx, { caller, subject, given, version }) =>
    changeInSet(tx, caller, "task", (inSet) =>
      updateTask(tx, inSet, subject.task.id, {
        checklist: toSteps(rowsOf(subject), given),
        expected_version: version,
      }),
    ),
  done: (change, { subject: { task } }) => {
    const saved = t("Steps of {number} saved.", { number: task.task_number });
    const text = describeConsequences(saved, change);
    return seeOther(toAddressOf(task), text, undefined, { undo: change.set });
  },
  page: async ({ db, caller, subject }) => {
    const { asset } = subject;
    const meters = asset === null ? [] : await findMeters(db, caller, asset.id);
    const mayEditProcedures = await isAdminSomewhere(db, caller);
    return <StepsPage {...{ opened: subject, meters, mayEditProcedures }} />;
  },
});

interface StepsView {
  opened: OpenedTask;
  /** True if the person may make a procedure of the steps. */
  mayEditProcedures: boolean;
  meters: readonly FoundMeter[];
}

function StepsPage({ opened, meters, mayEditProcedures }: StepsView): VNode {
  const { task } = opened;
  return (
    <TaskFormPage opened={opened} title={t("Edit steps of {number}", { number: task.task_number })}>
      <StaleNotice what="task" href={toAddressOf(task)} />
      <PostForm class="panel folding-form">
        <p class="help">
          {t("To remove a step, clear its text. A renamed step keeps its answer.")}
        </p>
        {task.procedure !== null && (
          <p class="help">
            {t("Only for this task. The next one copies {name}.", { name: task.procedure })}
          </p>
        )}
        <StepRows rows={rowsOf(opened)} meters={meters} hasAsset={task.asset_id !== null} />
        <FormActions
          submit={t("Save steps")}
          cancel={toAddressOf(task)}
          cancelWords={t("Go back")}
        />
      </PostForm>
      {mayEditProcedures && task.checklist.length > 0 && (
        <p>
          <a href={`/settings/procedures/new?task=${task.id}`}>{t("Save as a procedure")}</a>
        </p>
      )}
    </TaskFormPage>
  );
}
