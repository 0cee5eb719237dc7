import { dayField, wholeField } from "../forms/form-fields.js";
import { personField } from "../forms/person-choice.js";

/** What is decided about the ticked tasks, `ids`. */
export const planFields = {
  due_date: dayField("Move to"),
  later_by_days: wholeField("Move by", { min: 1, max: 366 }),
  assigned_to_user_id: personField("Responsible"),
};
