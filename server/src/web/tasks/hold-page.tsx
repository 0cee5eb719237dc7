import { changeInSet } from "../../domain/history/change-several.js";
import { updateTask } from "../../domain/tasks/task-updates.js";
import { t } from "../../language/translate.js";
import { FormActions, PostForm, TextArea } from "../forms/controls.js";
import { textField } from "../forms/form-fields.js";
import { seeOther } from "../forms/form-reply.js";
import { StaleNotice } from "../forms/stale-notice.js";
import { describeConsequences, taskFormRoute } from "./task-form-route.js";
import { readTaskToChange, toAddressOf } from "./read-task.js";
import { TaskFormPage } from "./task-form-page.js";

/** `/tasks/:id/hold`: puts a task on hold and asks why. The reason becomes a comment. */
export const holdTaskForm = taskFormRoute({
  action: "hold",
  once: "hold",
  open: async ({ db, caller, id, request }) => {
    const opened = await readTaskToChange(db, caller, id);
    return request.method === "GET" && opened.state === "on_hold"
      ? seeOther(toAddressOf(opened.task))
      : opened;
  },
  fields: { comment: textField("Why is it on hold?") },
  change: (tx, { caller, subject: { task }, given: { comment }, version }) =>
    changeInSet(tx, caller, "task", (inSet) =>
      updateTask(tx, inSet, task.id, { state: "on_hold", comment, expected_version: version }),
    ),
  done: (change, { subject: { task } }) => {
    const text = t("{number} put on hold.", { number: task.task_number });
    const told = describeConsequences(text, change);
    return seeOther(toAddressOf(task), told, undefined, { undo: change.set });
  },
  page: ({ subject: opened }) => {
    const { task } = opened;
    const values = { number: task.task_number };
    return (
      <TaskFormPage
        opened={opened}
        title={t("Put {number} on hold", values)}
        heading={t("Put {number} on hold?", values)}
        facts={<strong dir="auto">{task.title}</strong>}
      >
        <StaleNotice what="task" href={toAddressOf(task)} />
        <PostForm class="panel">
          <TextArea
            name="comment"
            autofocus
            help={t("For example, the part you're waiting for. Added as a comment.")}
            maxLength={4000}
            mentions={toAddressOf(task)}
            rows={3}
          />
          <FormActions submit={t("Put on hold")} cancel={toAddressOf(task)} />
        </PostForm>
      </TaskFormPage>
    );
  },
});
