import type { ComponentChildren, VNode } from "preact";
import { t, tRich } from "../../language/translate.js";
import { unassigned } from "../forms/choices.js";
import { Select, TextInput, type Option } from "../forms/controls.js";
import { useForm } from "../forms/form-context.js";

/** What is decided about the ticked tasks; it stays in sight while one ticks. */
export function ChangeBar({ people, of }: { people: readonly Option[]; of: number }): VNode {
  const { errors, values } = useForm();
  const isBegun = errors.length > 0 || Object.keys(values).length > 0;
  return (
    <details class="plan-bar no-print" open={isBegun}>
      <summary>
        {tRich(
          "Change the ticked tasks <soft>of {count, plural, one {# task} other {# tasks}}</soft>",
          { count: of, soft: (words: ComponentChildren) => <span class="soft">{words}</span> },
        )}
      </summary>
      <div class="plan-bar-controls">
        <TextInput name="due_date" type="date" />
        <Select
          name="assigned_to_user_id"
          empty={t("As it is")}
          options={[unassigned, ...people]}
        />
        <div class="plan-bar-buttons">
          <button type="submit">{t("Change")}</button>
          <button type="submit" class="quiet" name="later_by_days" value="1">
            {t("1 day later")}
          </button>
          <button type="submit" class="quiet" name="later_by_days" value="7">
            {t("7 days later")}
          </button>
        </div>
      </div>
    </details>
  );
}
