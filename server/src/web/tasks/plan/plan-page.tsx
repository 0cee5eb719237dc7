import { changePlanned, type PlanChange } from "../../../domain/tasks/plan-changes.js";
import { t } from "../../../language/translate.js";
import { unassigned } from "../../forms/choices.js";
import { readAll, dayField, wholeField } from "../../forms/form-fields.js";
import { seeOther } from "../../forms/form-reply.js";
import { formRoute } from "../../forms/form-route.js";
import type { Form, FormRequest } from "../../forms/form-spec.js";
import { changeSetAddress } from "../../history/changes/addresses.js";
import type { FormError } from "../../layout/error-summary.js";
import { countOf, formatDay } from "../../text/format.js";
import { PlanContent } from "./plan-content.js";
import { planAddress, readPlan, toPlanAddress } from "./read-plan.js";
import { personField } from "../../forms/person-choice.js";

/** The changes for the selected tasks, `ids`. */
const planFields = {
  due_date: dayField("Move to"),
  later_by_days: wholeField("Move by", { min: 1, max: 366 }),
  assigned_to_user_id: personField("Assignee"),
};

/** The maximum number of tasks in one change. */
const maxIds = 100;

function readIds({ request }: FormRequest): string[] {
  return [...new Set(readAll(request.body, "ids"))];
}

/**
 * `/plan`: work due in a week or month, by day and person. Its form moves the selected tasks to
 * another day or person, and returns to the view.
 */
export const planForm = formRoute({
  path: planAddress,
  fields: planFields,
  check: checkChoice,
  // "Later by a day" must move the tasks once, even if the form is sent twice.
  once: "plan",
  change: (tx, form) => changePlanned(tx, form.caller, readIds(form), toChange(form)),
  done: ({ changed, id }, form) => {
    const { request, given } = form;
    return seeOther(
      toPlanAddress(request.query as object),
      describe(changed, given),
      id === undefined ? undefined : { href: changeSetAddress(id), label: t("View changes") },
      { undo: id },
    );
  },
  page: async (form) => {
    const plan = await readPlan(form.request, form.caller);
    if (plan.errors.length > 0) form.reply.code(400);
    return <PlanContent plan={plan} selected={new Set(readIds(form))} />;
  },
});

function checkChoice(form: Form<undefined, typeof planFields>): FormError[] {
  const { given, errors } = form;
  const count = readIds(form).length;
  if (count === 0) return [{ message: t("Select tasks to change them.") }];
  if (count > maxIds) return [{ message: t("Select at most {max} tasks.", { max: maxIds }) }];
  if (Object.keys(given).length === 0 && errors.length === 0) {
    const message = t("Enter a date or choose an assignee.");
    return [{ field: "due_date", message }];
  }
  return [];
}

function toChange({ given }: { given: FormGiven }): PlanChange {
  const { due_date, later_by_days, assigned_to_user_id: person } = given;
  return {
    due_date,
    later_by_days,
    ...(person !== undefined && {
      assigned_to_user_id: person === unassigned.value ? null : person,
    }),
  };
}

type FormGiven = Form<undefined, typeof planFields>["given"];

/** "3 tasks are moved to 27 Nov 2026." */
function describe(changed: number, { due_date, later_by_days: days }: FormGiven): string {
  if (changed === 0) return t("Already set. Nothing changed.");
  const count = changed;
  if (days !== undefined) {
    return t("{count, plural, one {# task} other {# tasks}} moved by {by}.", {
      count,
      by: countOf(days, "day"),
    });
  }
  return due_date === undefined
    ? t("{count, plural, one {# task} other {# tasks}} reassigned.", { count })
    : t("{count, plural, one {# task} other {# tasks}} moved to {day}.", {
        count,
        day: formatDay(due_date),
      });
}
