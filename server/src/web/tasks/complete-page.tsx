import type { VNode } from "preact";
import { maxSent } from "../../domain/files/add-files.js";
import { findFilesOf } from "../../domain/files/find-files.js";
import { changeInSet } from "../../domain/history/change-several.js";
import { findMinutesInProgress } from "../../domain/tasks/time-in-progress.js";
import { findDoneNote } from "../../domain/tasks/task-link-reviews.js";
import { updateTask } from "../../domain/tasks/task-updates.js";
import { t } from "../../language/translate.js";
import { photoMomentField } from "../files/gallery.js";
import { FormActions, PostForm } from "../forms/controls.js";
import { seeOther } from "../forms/form-reply.js";
import { StaleNotice } from "../forms/stale-notice.js";
import { InventoryNumber } from "../layout/facts.js";
import { Notice } from "../layout/notices.js";
import { readMadeAt } from "../layout/offline-cookie.js";
import { formatDay } from "../text/format.js";
import {
  describeConsequences,
  taskControls,
  taskFormRoute,
  toNextLink,
} from "./task-form-route.js";
import {
  asksUsable,
  completionFormFields,
  findEmptied,
  toCompletion,
  toCompletionValues,
} from "./complete-fields.js";
import {
  CostFields,
  DetailFields,
  RecordFields,
  Usable,
  type RecordView,
} from "./complete-form.js";
import { findNextOwn } from "./own-tasks.js";
import { isOpen, toAddressOf, type OpenedTask } from "./read-task.js";
import {
  readSelected,
  receiveFiles,
  stepControls,
  toStepFields,
  toStepsUpdate,
  toStepValues,
} from "./step-fields.js";
import { Steps } from "./steps.js";
import { TaskFormPage } from "./task-form-page.js";

/** `/tasks/:id/complete`: the record of the work done, which can be corrected later. */
export const completeTaskForm = taskFormRoute({
  action: "complete",
  once: "complete",
  fields: (form) => ({
    ...completionFormFields,
    moment: photoMomentField,
    ...toStepFields(form),
  }),
  upload: { maxFiles: maxSent },
  controls: { ...taskControls, ...stepControls, photo: "file", file: "file" },
  begin: async ({ db, caller, subject }) => {
    const minutes = isTimed(subject)
      ? await findMinutesInProgress(db, caller, subject.task.id)
      : undefined;
    const timed = minutes === undefined ? {} : { actual_minutes: String(minutes) };
    const note = isOpen(subject) ? await findDoneNote(db, caller, subject.task.id) : undefined;
    const values = { ...toCompletionValues(subject), ...toStepValues(subject), ...timed };
    const isEmpty = (subject.task.completion_notes ?? "") === "";
    return { ...values, ...(note !== undefined && isEmpty && { completion_notes: note }) };
  },
  receive: (form) => receiveFiles(form),
  check: ({ subject, given, errors }) => findEmptied(subject, given, errors),
  change: (tx, { request, caller, subject, given, version }) => {
    const made_at = readMadeAt(request);
    return changeInSet(tx, caller, "task", (inSet) =>
      updateTask(tx, inSet, subject.task.id, {
        made_at,
        ...(subject.state !== "completed" && { completed_at: made_at }),
        ...toCompletion(given, toStepsUpdate(subject, request.body, given), subject),
        expected_version: version,
      }),
    );
  },
  done: async (change, { db, app, caller, subject: { task, state } }) => {
    const address = toAddressOf(task);
    if (state === "completed") {
      const saved = t("Record of {number} saved.", { number: task.task_number });
      return seeOther(address, saved, undefined, { undo: change.set });
    }
    const text = describeConsequences(
      t("{number} completed.", { number: task.task_number }),
      change,
    );
    const next = await findNextOwn(db, caller, app.services.cursors, task.workspace_id);
    const link = next && {
      href: toAddressOf(next),
      label: t("Next: {title}", { title: next.title }),
      isNext: true,
    };
    return seeOther(address, text, link ?? toNextLink(change), { undo: change.set });
  },
  page: async (form) => {
    const { request, db, caller, subject, values } = form;
    const files = await findFilesOf(db, caller, { task_id: subject.task.id });
    return (
      <CompletePage
        opened={subject}
        selected={request.body === undefined ? undefined : readSelected(request.body)}
        currency={subject.task.currency ?? caller.currency}
        isTimed={request.body === undefined && isTimed(subject) && values.actual_minutes !== ""}
        pictures={files.filter(({ width }) => width !== null)}
      />
    );
  },
});

/** True if the caller's time in progress is filled in, when there is one. */
function isTimed({ task, state }: OpenedTask): boolean {
  return (state === "in_progress" || state === "on_hold") && task.actual_minutes === null;
}

interface CompleteView extends Omit<RecordView, "task"> {
  opened: OpenedTask;
  /** Set if the steps differ from the stored ones. */
  selected: readonly number[] | undefined;
  currency: string;
}

function CompletePage({ opened, selected, currency, ...record }: CompleteView): VNode {
  const { task, state, asset } = opened;
  const isDone = state === "completed";
  const values = { number: task.task_number };
  const title = isDone ? t("Edit the record of {number}", values) : t("Complete {number}", values);
  return (
    <TaskFormPage
      opened={opened}
      title={title}
      crumbs={[{ href: toAddressOf(task), label: task.title }]}
      facts={<About opened={opened} />}
    >
      {!isDone && <WhatFollows opened={opened} />}
      <StaleNotice what="task" href={toAddressOf(task)} />
      <PostForm class="panel folding-form" hasFiles>
        {task.checklist.length > 0 && (
          <fieldset>
            <legend>{t("Checklist")}</legend>
            <Steps steps={task.checklist} selected={selected} />
          </fieldset>
        )}
        <RecordFields task={task} {...record}>
          {asset !== null && asksUsable(opened) && <Usable asset={asset} />}
        </RecordFields>
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

function About({ opened: { asset } }: Pick<CompleteView, "opened">): VNode | null {
  if (asset === null) return null;
  return (
    <span>
      <bdi>{asset.name}</bdi> <InventoryNumber>{asset.inventory_number}</InventoryNumber>
    </span>
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
