import type { VNode } from "preact";
import { changeInSet } from "../../domain/history/change-several.js";
import { putOffFrom } from "../../domain/tasks/put-off-from.js";
import { updateTask } from "../../domain/tasks/task-updates.js";
import { addDays } from "../../domain/shared/dates.js";
import type { TaskRow } from "../../domain/tasks/task-rows.js";
import { AppError } from "../../errors.js";
import { t } from "../../language/translate.js";
import { PostForm, Suggestions, type Option } from "../forms/controls.js";
import { choiceField, dayField, textField } from "../forms/form-fields.js";
import { toFormErrors } from "../forms/form-errors.js";
import { refuseAt, seeOther } from "../forms/form-reply.js";
import type { FormRequest } from "../forms/form-spec.js";
import { cameFrom } from "../layout/came-from.js";
import { ActionLink, OfSubject } from "../layout/page-head.js";
import { Dots, Popover } from "../layout/popover.js";
import { formatDay } from "../text/format.js";
import { isOpen, toAddressOf } from "./read-task.js";
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
  onlyAssigns = false,
}: {
  task: ActedOn;
  today: string;
  /** The label of the button: the most important action. Without it, the button shows dots. */
  word?: string;
  /** True beside the task's other actions. */
  onlyAssigns?: boolean;
}): VNode {
  return (
    <Popover
      class={word === undefined ? "acting dots no-print" : "acting no-print"}
      label={
        <>
          {word ?? <Dots words={t("Actions")} />}
          <OfSubject name={title} />
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
          {!onlyAssigns && (
            <>
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
            </>
          )}
        </div>
      </PostForm>
    </Popover>
  );
}

/** The next step of the reader's own task: its button starts it, and opens it to work on. */
export function StartOrComplete({
  task: { id, title, state, progress },
}: {
  task: TaskRow;
}): VNode {
  const now = progress ?? state;
  if (now === "in_progress") {
    return (
      <ActionLink href={`/tasks/${id}/complete`} quiet>
        {t("Complete")}
        <OfSubject name={title} />
      </ActionLink>
    );
  }
  return (
    <PostForm action={`/tasks/${id}/act`}>
      <button type="submit" class="quiet" name="state" value="in_progress">
        {now === "on_hold" ? t("Continue") : t("Start")}
        <OfSubject name={title} />
      </button>
    </PostForm>
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
    state: choiceField("State", ["in_progress"]),
  },
  check: ({ given }) =>
    Object.keys(given).length === 0 ? [{ message: t("Choose an assignee.") }] : [],
  change: (tx, { caller, subject, given }) => {
    const { due_date, state, person, assigned_to_user_id = person } = given;
    // A list may be older than the end of the task, which Start must not reopen.
    if (state !== undefined && !isOpen(subject)) {
      const details = { present: subject.state, next: [], asked: state, field: "state" };
      throw new AppError("invalid_transition", "state_unreachable", details);
    }
    // A button takes precedence over text left in the field next to it.
    const update =
      state !== undefined
        ? { state }
        : due_date === undefined
          ? { assigned_to_user_id }
          : { due_date };
    return changeInSet(tx, caller, "task", (inSet) =>
      updateTask(tx, inSet, subject.task.id, update),
    );
  },
  toErrors: (error, form) => refuseAt(backTo(form), toFormErrors(error)[0]?.message),
  done: (change, form) => {
    const { task_number: number } = form.subject.task;
    const { due_date: due, state, person = form.caller.userName } = form.given;
    const address = toAddressOf(form.subject.task);
    if (state !== undefined) {
      const started = describeConsequences(t("{number} started.", { number }), change);
      return seeOther(address, started, undefined, { undo: change.set });
    }
    const who = change.changed.find(({ field }) => field === "assigned_to")?.to;
    const done =
      due === undefined
        ? t("{number} assigned to {person}.", {
            number,
            person: typeof who === "string" ? who : person,
          })
        : t("{number} is due on {day}.", { number, day: formatDay(due) });
    const link = { href: address, label: t("Open the task") };
    return seeOther(backTo(form), describeConsequences(done, change), link, { undo: change.set });
  },
  page: ({ request, subject }) => showTask(request, subject),
});
