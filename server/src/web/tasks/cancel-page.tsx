import type { VNode } from "preact";
import { updateTask } from "../../domain/tasks/task-updates.js";
import { changeInSet } from "../../domain/history/change-several.js";
import { t } from "../../language/translate.js";
import { Checkbox, FormActions, PostForm, TextArea } from "../forms/controls.js";
import { checkboxField, textField } from "../forms/form-fields.js";
import { seeOther } from "../forms/form-reply.js";
import { StaleNotice } from "../forms/stale-notice.js";
import { formatDay } from "../text/format.js";
import { describeConsequences, taskFormRoute, toNextLink } from "./task-form-route.js";
import { readTaskToChange, toAddressOf, type OpenedTask } from "./read-task.js";
import { TaskFormPage } from "./task-form-page.js";

/** `/tasks/:id/cancel`: cancels a task, with a reason. */
export const cancelTaskForm = taskFormRoute({
  action: "cancel",
  open: async ({ db, caller, id }) => {
    const opened = await readTaskToChange(db, caller, id);
    // There is nothing left to ask. The form was sent twice and is already done.
    return opened.state === "cancelled" ? seeOther(toAddressOf(opened.task)) : opened;
  },
  fields: { note: textField("Reason"), stop_repeating: checkboxField("Stop repeating too") },
  change: (tx, { caller, subject: { task }, given: { note, stop_repeating: stops }, version }) =>
    changeInSet(tx, caller, "task", (inSet) =>
      updateTask(tx, inSet, task.id, {
        note,
        state: "cancelled",
        expected_version: version,
        ...(stops === true && task.recurrence !== undefined && { clear_fields: ["recurrence"] }),
      }),
    ),
  done: (change, { subject: { task } }) => {
    const text = describeConsequences(
      t("{number} cancelled.", { number: task.task_number }),
      change,
    );
    return seeOther(toAddressOf(task), text, toNextLink(change), { undo: change.set });
  },
  page: ({ subject }) => <CancelPage opened={subject} />,
});

function CancelPage({ opened }: { opened: OpenedTask }): VNode {
  const { task } = opened;
  const repeats = task.recurrence !== undefined;
  const values = { number: task.task_number };
  const facts = <strong dir="auto">{task.title}</strong>;
  return (
    <TaskFormPage
      opened={opened}
      title={t("Cancel {number}", values)}
      heading={t("Cancel {number}?", values)}
      facts={facts}
    >
      <StaleNotice what="task" href={toAddressOf(task)} />
      <p>{t("The task is no longer open. It stays in the history, and you can reopen it.")}</p>
      {repeats && <SkipNote opened={opened} />}
      <PostForm class="panel">
        <TextArea name="note" help={t("Added to the history.")} rows={3} />
        {repeats && <Checkbox name="stop_repeating" help={t("No next task is created.")} />}
        <FormActions
          submit={t("Cancel task")}
          danger
          cancel={toAddressOf(task)}
          cancelWords={t("Keep task")}
        />
      </PostForm>
    </TaskFormPage>
  );
}

function SkipNote({ opened: { task } }: { opened: OpenedTask }): VNode {
  const isFixed = task.recurrence?.anchor === "due_date";
  const due = isFixed ? task.next_due_date : null;
  return (
    <p>
      {due
        ? t("This task repeats. The next one will be created, due on {day}.", {
            day: formatDay(due),
          })
        : t("This task repeats. The next one will be created.")}
    </p>
  );
}
