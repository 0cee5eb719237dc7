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
import { FoldedFields } from "../forms/folded-fields.js";
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
import { countOf, formatDay } from "../text/format.js";
import { taskStateLabels } from "../text/value-labels.js";

const path = "/tasks";

/** The parts of the form. A link can open one of them. */
const parts = ["due", "assignee"] as const;
type Part = (typeof parts)[number];

function toPart(text: string): Part | undefined {
  return parts.find((part) => part === text);
}

export function toChangeAddress(ids: readonly string[], part: Part): string {
  return `${path}/change?part=${part}&${ids.map((id) => `ids=${id}`).join("&")}`;
}

const fields = {
  assigned_to_user_id: personField("Assignee"),
  due_date: dayField("Due"),
  later_by: wholeField("Days later", { min: 1, max: 3650 }),
  /** A button, which takes precedence over the fields. */
  later_by_days: wholeField("Days later", { min: 1, max: 3650 }),
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
    ...(given.due_date !== undefined &&
    given.later_by !== undefined &&
    given.later_by_days === undefined
      ? [{ field: "later_by", message: t("Fill in “Due date” or “Days later”, not both.") }]
      : []),
  ],
  once: "change_tasks",
  change: async (tx, { caller, subject: { records }, given }) => {
    const {
      later_by,
      later_by_days: days = later_by,
      due_date,
      assigned_to_user_id: person,
      state,
    } = given;
    const dates =
      days === undefined ? new Map<string, string>() : await findDates(tx, caller, records);
    return changeMany(tx, caller, {
      noun: "task",
      records,
      change: (inSet, id) => {
        const later = days === undefined ? undefined : addDays(dates.get(id) ?? "", days);
        const update: TaskUpdate = { state, due_date: later ?? due_date };
        if (person === unassigned.value) update.clear_fields = ["assigned_to_user_id"];
        else update.assigned_to_user_id = person;
        return updateTask(tx, inSet, id, update);
      },
    });
  },
  done: (result, { subject: { back } }) => afterMany(result, "task", back),
  page: async ({ db, caller, subject, values, query }) => (
    <ChangeTasksPage
      chosen={subject}
      part={toPart(query("part"))}
      people={await personOptions(db, caller)}
      asksIfSure={values.state === "cancelled"}
    />
  ),
});

async function findNames({ db, caller }: FormRequest, ids: readonly string[]) {
  const found = await findTasksById(db, caller, ids);
  return [...found.values()].map(({ id, task_number, title, ...task }) => ({
    id,
    name: `${task_number} ${title}`,
    about: [
      task.due_date === null
        ? t("No due date")
        : t("Due {when}", { when: formatDay(task.due_date) }),
      task.inventory_number,
      task.asset_name,
      task.workspace_name,
    ],
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
  /** The part that is open. Without one, all are. */
  part: Part | undefined;
  people: readonly Option[];
  asksIfSure: boolean;
}): VNode {
  const { part, chosen } = props;
  const tasks = countOf(chosen.records.length, "task");
  const title =
    part === undefined
      ? undefined
      : part === "due"
        ? t("Reschedule {tasks}", { tasks })
        : t("Assign {tasks}", { tasks });
  const people = [unassigned, ...props.people];
  const states = toOptions(taskStateLabels).filter(({ value }) =>
    taskStates.includes(value as TaskState),
  );
  return (
    <ChangeManyPage
      chosen={chosen}
      current={path}
      one="task"
      {...(part !== undefined && { query: `?part=${part}`, title, submit: title })}
      actions={part === "due" && <Later />}
    >
      <FoldedFields
        title={t("Reschedule")}
        names={["due_date", "later_by"]}
        open={part !== "assignee"}
      >
        <div class="field-row">
          <TextInput name="due_date" type="date" autofocus={part === "due"} />
          <TextInput
            name="later_by"
            inputMode="numeric"
            help={t("Instead of a date. Overdue tasks count from today.")}
          />
        </div>
      </FoldedFields>
      <FoldedFields title={t("Assign")} names={["assigned_to_user_id"]} open={part !== "due"}>
        <Select
          name="assigned_to_user_id"
          options={people}
          empty={t("Keep current")}
          autofocus={part === "assignee"}
        />
      </FoldedFields>
      <FoldedFields title={t("State")} names={["state"]} open={part === undefined}>
        <Select name="state" options={states} empty={t("Keep current")} />
        {props.asksIfSure && <Checkbox name="sure" />}
      </FoldedFields>
    </ChangeManyPage>
  );
}

/** After the button that sends the fields, which Enter in a field presses. */
function Later(): VNode {
  return (
    <>
      <button type="submit" class="quiet" name="later_by_days" value="1">
        {t("1 day later")}
      </button>
      <button type="submit" class="quiet" name="later_by_days" value="7">
        {t("7 days later")}
      </button>
    </>
  );
}
