import type { VNode } from "preact";
import type { Tx } from "../../db/database.js";
import { taskStates, type TaskState } from "../../db/entities/tasks.js";
import type { Caller } from "../../domain/access/caller.js";
import { todayOf } from "../../domain/access/clock.js";
import { changeMany } from "../../domain/history/change-many.js";
import { putOffFrom } from "../../domain/tasks/put-off-from.js";
import { updateTask, type TaskUpdate } from "../../domain/tasks/task-updates.js";
import { findTasksById } from "../../domain/tasks/tasks-by-id.js";
import { addDays } from "../../domain/shared/dates.js";
import { t } from "../../language/translate.js";
import { personOptions, unassigned } from "../forms/choices.js";
import { Checkbox, Select, TextInput, toOptions, type Option } from "../forms/controls.js";
import { checkboxField, choiceField, dayField, wholeField } from "../forms/form-fields.js";
import { personField } from "../forms/person-choice.js";
import { formRoute } from "../forms/form-route.js";
import type { FormRequest } from "../forms/form-spec.js";
import {
  afterMany,
  ChangeManyPage,
  readChosen,
  whatIsMissing,
  type Chosen,
} from "../lists/chosen-records.js";
import { taskStateLabels } from "../text/value-labels.js";

const path = "/tasks";

const fields = {
  assigned_to_user_id: personField("Assignee"),
  due_date: dayField("Due"),
  later_by: wholeField("Days later", { min: 1, max: 3650 }),
  state: choiceField("State", taskStates),
  sure: checkboxField("Yes, cancel them"),
};

/** `/tasks/change`: changes several listed tasks at once. */
export const changeTasksForm = formRoute({
  path: `${path}/change`,
  open: (form) => readChosen(form, { path, one: "task", find: (ids) => findNames(form, ids) }),
  fields,
  check: ({ given }) => [
    ...whatIsMissing(given, { loss: "cancelled", fields }),
    ...(given.due_date !== undefined && given.later_by !== undefined
      ? [{ field: "later_by", message: t("Fill in “Due date” or “Days later”, not both.") }]
      : []),
  ],
  once: "change_tasks",
  change: async (tx, { caller, subject: { records }, given }) => {
    const { later_by: days, due_date, assigned_to_user_id: person, state } = given;
    const dates =
      days === undefined ? new Map<string, string>() : await findDates(tx, caller, records);
    return changeMany(tx, caller, {
      noun: "task",
      records,
      change: (inSet, id) => {
        const later = days === undefined ? undefined : addDays(dates.get(id) ?? "", days);
        const update: TaskUpdate = { state, due_date: due_date ?? later };
        if (person === unassigned.value) update.clear_fields = ["assigned_to_user_id"];
        else update.assigned_to_user_id = person;
        return updateTask(tx, inSet, id, update);
      },
    });
  },
  done: (result, { subject: { back } }) => afterMany(result, "task", back),
  page: async ({ db, caller, subject, values }) => (
    <ChangeTasksPage
      chosen={subject}
      people={await personOptions(db, caller)}
      asksIfSure={values.state === "cancelled"}
    />
  ),
});

async function findNames({ db, caller }: FormRequest, ids: readonly string[]) {
  const found = await findTasksById(db, caller, ids);
  return [...found.values()].map(({ id, task_number, title }) => ({
    id,
    name: `${task_number} ${title}`,
  }));
}

/** The day from which each task is postponed. Overdue and undated tasks count from today. */
async function findDates(
  tx: Tx,
  caller: Caller,
  records: Chosen["records"],
): Promise<Map<string, string>> {
  const found = await findTasksById(
    tx,
    caller,
    records.map(({ id }) => id),
  );
  return new Map(
    [...found.values()].map((task) => [task.id, putOffFrom(task.due_date, todayOf(caller))]),
  );
}

function ChangeTasksPage(props: {
  chosen: Chosen;
  people: readonly Option[];
  asksIfSure: boolean;
}): VNode {
  const people = [unassigned, ...props.people];
  const states = toOptions(taskStateLabels).filter(({ value }) =>
    taskStates.includes(value as TaskState),
  );
  return (
    <ChangeManyPage chosen={props.chosen} current={path} one="task">
      <Select name="assigned_to_user_id" options={people} empty={t("Keep current")} />
      <div class="field-row">
        <TextInput name="due_date" type="date" />
        <TextInput
          name="later_by"
          inputMode="numeric"
          help={t("Instead of a date. Overdue tasks count from today.")}
        />
      </div>
      <Select name="state" options={states} empty={t("Keep current")} />
      {props.asksIfSure && <Checkbox name="sure" />}
    </ChangeManyPage>
  );
}
