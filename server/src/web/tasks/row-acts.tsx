import type { VNode } from "preact";
import { changeInSet } from "../../domain/history/change-several.js";
import { putOffFrom } from "../../domain/tasks/put-off-from.js";
import { updateTask } from "../../domain/tasks/task-updates.js";
import { addDays } from "../../domain/shared/dates.js";
import { t } from "../../language/translate.js";
import { PostForm, Suggestions, type Option } from "../forms/controls.js";
import { dayField, textField } from "../forms/form-fields.js";
import { toFormErrors } from "../forms/form-errors.js";
import { refuseAt, seeOther } from "../forms/form-reply.js";
import type { FormRequest } from "../forms/form-spec.js";
import { cameFrom } from "../layout/came-from.js";
import { Dots, Popover } from "../layout/popover.js";
import { formatDay } from "../text/format.js";
import { toAddressOf } from "./read-task.js";
import { describeConsequences, taskFormRoute } from "./task-form-route.js";
import { showTask } from "./task-page.js";

export interface ActedOn {
  id: string;
  title: string;
  due_date: string | null;
}

const names = "people";

/** The possible assignees. Appears once on a page with rows of tasks. */
export function PeopleSuggestions({ people }: { people: readonly Option[] }): VNode {
  const own = t("{name} (you)", { name: "" });
  const values = people.map(({ label }) =>
    label.endsWith(own) ? label.slice(0, -own.length) : label,
  );
  return <Suggestions id={names} values={values} />;
}

/** The most frequent actions on a task, in its row. They return to the list. */
export function TaskActs({
  task: { id, title, due_date },
  today,
  word,
}: {
  task: ActedOn;
  today: string;
  /** The label of the button: the most important action. Without it, the button shows dots. */
  word?: string;
}): VNode {
  return (
    <Popover
      class={word === undefined ? "acting dots no-print" : "acting no-print"}
      label={
        <>
          {word ?? <Dots words={t("Actions")} />}
          <span class="visually-hidden">
            {" "}
            (<bdi>{title}</bdi>)
          </span>
        </>
      }
    >
      <PostForm action={`/tasks/${id}/act`}>
        <label for={`for-${id}`}>{t("Assign to")}</label>
        <div class="assigning">
          <input
            id={`for-${id}`}
            name="person"
            list={names}
            autocomplete="off"
            maxLength={254}
            required
          />
          <button type="submit">{t("Assign")}</button>
        </div>
        <div class="assigning">
          <button type="submit" class="quiet" name="assigned_to_user_id" value="me" formNoValidate>
            {t("Assign to me")}
          </button>
          <button
            type="submit"
            class="quiet"
            name="due_date"
            value={addDays(putOffFrom(due_date, today), 7)}
            formNoValidate
          >
            {t("+7 days")}
          </button>
          <a class="button quiet" href={`/tasks/${id}/complete`}>
            {t("Complete")}
          </a>
        </div>
      </PostForm>
    </Popover>
  );
}

function backTo({ request, id }: FormRequest): string {
  return `${cameFrom(request) ?? "/tasks"}#${id}`;
}

export const taskActForm = taskFormRoute({
  action: "act",
  isPage: false,
  fields: {
    person: textField("Assignee"),
    assigned_to_user_id: textField("Assignee"),
    due_date: dayField("Due"),
  },
  check: ({ given }) =>
    Object.keys(given).length === 0 ? [{ message: t("Choose an assignee.") }] : [],
  change: (tx, { caller, subject: { task }, given }) => {
    const { due_date, person, assigned_to_user_id = person } = given;
    // A button takes precedence over text left in the field next to it.
    const update = due_date === undefined ? { assigned_to_user_id } : { due_date };
    return changeInSet(tx, caller, "task", (inSet) => updateTask(tx, inSet, task.id, update));
  },
  toErrors: (error, form) => refuseAt(backTo(form), toFormErrors(error)[0]?.message),
  done: (change, form) => {
    const { task_number: number } = form.subject.task;
    const { due_date: due, person = form.caller.userName } = form.given;
    const who = change.changed.find(({ field }) => field === "assigned_to")?.to;
    const done =
      due === undefined
        ? t("{number} assigned to {person}.", {
            number,
            person: typeof who === "string" ? who : person,
          })
        : t("{number} is due on {day}.", { number, day: formatDay(due) });
    const href = toAddressOf(form.subject.task);
    const link = { href, label: t("Open the task") };
    return seeOther(backTo(form), describeConsequences(done, change), link, { undo: change.set });
  },
  page: ({ request, subject }) => showTask(request, subject),
});
