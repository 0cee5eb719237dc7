import type { VNode } from "preact";
import { updateTask } from "../../domain/task-changes/task-updates.js";
import { FormActions, PostForm } from "../forms/controls.js";
import { seeOther } from "../forms/form-reply.js";
import { Number } from "../layout/page-parts.js";
import { Notice, type FormError } from "../layout/parts.js";
import { formatDay } from "../text/format.js";
import { describeConsequences, taskForm, toNextLink } from "./change-task.js";
import {
  completionFormFields,
  findEmptied,
  readTicked,
  toCompletion,
  toCompletionValues,
} from "./complete-fields.js";
import { CostFields, RecordFields, TimeFields } from "./complete-form.js";
import { toAddressOf, type OpenedTask } from "./read-task.js";
import { Steps } from "./task-content.js";
import { StaleTask, TaskFormPage } from "./task-form-page.js";
import type { TaskValues } from "./task-form-fields.js";

/** `/tasks/:id/complete`: the record of what was done, which also can be corrected later. */
export const completeTaskForm = taskForm({
  action: "complete",
  fields: ({ caller }) => completionFormFields(caller.timeZone),
  begin: ({ subject, caller }) => toCompletionValues(subject, caller),
  check: ({ subject, given, errors }) => findEmptied(subject, given, errors),
  change: (tx, { request, caller, subject, given, version }) =>
    updateTask(tx, caller, subject.task.id, {
      ...toCompletion(given, readTicked(request.body), subject, caller),
      expected_version: version,
    }),
  done: (change, { subject: { task, state } }) => {
    const address = toAddressOf(task);
    if (state === "completed") {
      return seeOther(address, `The record of ${task.task_number} is saved.`);
    }
    const text = `${task.task_number} is completed. ${describeConsequences(change)}`;
    return seeOther(address, text.trim(), toNextLink(change));
  },
  page: ({ request, caller, subject, values, errors }) => (
    <CompletePage
      {...{ opened: subject, values, errors, timeZone: caller.timeZone }}
      ticked={request.method === "POST" ? readTicked(request.body) : undefined}
      currency={subject.task.currency ?? caller.currency}
    />
  ),
});

interface CompleteView {
  opened: OpenedTask;
  values: TaskValues;
  /** When the steps differ from what is stored. */
  ticked: readonly number[] | undefined;
  errors: readonly FormError[];
  currency: string;
  timeZone: string;
}

function CompletePage({ opened, ticked, currency, timeZone, ...shared }: CompleteView): VNode {
  const { task, state } = opened;
  const isDone = state === "completed";
  const title = isDone
    ? `Correct the record of ${task.task_number}`
    : `Complete ${task.task_number}`;
  return (
    <TaskFormPage opened={opened} title={title} facts={<About opened={opened} />}>
      {!isDone && <WhatFollows opened={opened} />}
      <StaleTask opened={opened} />
      <PostForm class="panel">
        {task.checklist.length > 0 && (
          <fieldset>
            <legend>Checklist</legend>
            <Steps steps={task.checklist} ticked={ticked} />
          </fieldset>
        )}
        <RecordFields {...shared} task={task} />
        <TimeFields {...shared} task={task} timeZone={timeZone} isDone={isDone} />
        <CostFields {...shared} currency={currency} />
        <FormActions
          submit={isDone ? "Save the record" : "Complete task"}
          cancel={toAddressOf(task)}
          cancelWords="Go back"
        />
      </PostForm>
    </TaskFormPage>
  );
}

function About({ opened: { task, asset } }: Pick<CompleteView, "opened">): VNode {
  return (
    <>
      <strong>{task.title}</strong>
      {asset !== null && (
        <span>
          {asset.name} <Number>{asset.inventory_number}</Number>
        </span>
      )}
    </>
  );
}

/** Said before, because it happens by itself. */
function WhatFollows({ opened: { task } }: Pick<CompleteView, "opened">): VNode | null {
  if (task.recurrence === undefined) return null;
  const due = task.next_due_date;
  return (
    <Notice>
      <p>
        This task repeats: completing it creates the next one
        {due != null && task.recurrence.anchor === "due_date" && `, due on ${formatDay(due)}`}.
      </p>
    </Notice>
  );
}
