import type { VNode } from "preact";
import { changeInSet } from "../../domain/history/change-several.js";
import { updateTask } from "../../domain/tasks/task-updates.js";
import { t } from "../../language/translate.js";
import { FormActions, PostForm } from "../forms/controls.js";
import { seeOther } from "../forms/form-reply.js";
import { StaleNotice } from "../forms/stale-notice.js";
import { InventoryNumber } from "../layout/facts.js";
import { Notice } from "../layout/notices.js";
import { formatDay } from "../text/format.js";
import { describeConsequences, taskFormRoute, toNextLink } from "./task-form-route.js";
import {
  completionFormFields,
  findEmptied,
  readTicked,
  toCompletion,
  toCompletionValues,
} from "./complete-fields.js";
import { CostFields, DetailFields, RecordFields } from "./complete-form.js";
import { toAddressOf, type OpenedTask } from "./read-task.js";
import { Steps } from "./task-content.js";
import { TaskFormPage } from "./task-form-page.js";

/** `/tasks/:id/complete`: the record of the work done, which can be corrected later. */
export const completeTaskForm = taskFormRoute({
  action: "complete",
  fields: completionFormFields,
  begin: ({ subject }) => toCompletionValues(subject),
  check: ({ subject, given, errors }) => findEmptied(subject, given, errors),
  change: (tx, { request, caller, subject, given, version }) =>
    changeInSet(tx, caller, "task", (inSet) =>
      updateTask(tx, inSet, subject.task.id, {
        ...toCompletion(given, readTicked(request.body), subject),
        expected_version: version,
      }),
    ),
  done: (change, { subject: { task, state } }) => {
    const address = toAddressOf(task);
    if (state === "completed") {
      const saved = t("Record of {number} saved.", { number: task.task_number });
      return seeOther(address, saved, undefined, { undo: change.set });
    }
    const text = describeConsequences(
      t("{number} completed.", { number: task.task_number }),
      change,
    );
    return seeOther(address, text, toNextLink(change), { undo: change.set });
  },
  page: ({ request, caller, subject }) => (
    <CompletePage
      opened={subject}
      ticked={request.body === undefined ? undefined : readTicked(request.body)}
      currency={subject.task.currency ?? caller.currency}
    />
  ),
});

interface CompleteView {
  opened: OpenedTask;
  /** Set if the steps differ from the stored ones. */
  ticked: readonly number[] | undefined;
  currency: string;
}

function CompletePage({ opened, ticked, currency }: CompleteView): VNode {
  const { task, state } = opened;
  const isDone = state === "completed";
  const values = { number: task.task_number };
  const title = isDone ? t("Edit the record of {number}", values) : t("Complete {number}", values);
  return (
    <TaskFormPage opened={opened} title={title} facts={<About opened={opened} />}>
      {!isDone && <WhatFollows opened={opened} />}
      <StaleNotice what="task" href={toAddressOf(task)} />
      <PostForm class="panel folding-form">
        {task.checklist.length > 0 && (
          <fieldset>
            <legend>{t("Checklist")}</legend>
            <Steps steps={task.checklist} ticked={ticked} />
          </fieldset>
        )}
        <RecordFields task={task} />
        <DetailFields task={task} isDone={isDone} />
        <CostFields currency={currency} />
        <FormActions
          submit={isDone ? t("Save record") : t("Complete task")}
          cancel={toAddressOf(task)}
          cancelWords={t("Go back")}
        />
      </PostForm>
    </TaskFormPage>
  );
}

function About({ opened: { task, asset } }: Pick<CompleteView, "opened">): VNode {
  return (
    <>
      <strong dir="auto">{task.title}</strong>
      {asset !== null && (
        <span>
          <bdi>{asset.name}</bdi> <InventoryNumber>{asset.inventory_number}</InventoryNumber>
        </span>
      )}
    </>
  );
}

/** Announced before, because it happens automatically. */
function WhatFollows({ opened: { task } }: Pick<CompleteView, "opened">): VNode | null {
  if (task.recurrence === undefined) return null;
  const due = task.next_due_date;
  return (
    <Notice>
      <p>
        {due != null && task.recurrence.anchor === "due_date"
          ? t("This task repeats. Completing it creates the next one, due on {day}.", {
              day: formatDay(due),
            })
          : t("This task repeats. Completing it creates the next one.")}
      </p>
    </Notice>
  );
}
