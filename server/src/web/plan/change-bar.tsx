import type { VNode } from "preact";
import { unassigned } from "../forms/choices.js";
import { Select, TextInput, type Option } from "../forms/controls.js";
import { useForm } from "../forms/form-context.js";

/** What is decided about the ticked tasks; it stays in sight while one ticks. */
export function ChangeBar({ people, of }: { people: readonly Option[]; of: string }): VNode {
  const { errors, values } = useForm();
  const isBegun = errors.length > 0 || Object.keys(values).length > 0;
  return (
    <details class="plan-bar no-print" open={isBegun}>
      <summary>
        Change the ticked tasks <span class="soft">of {of}</span>
      </summary>
      <div class="plan-bar-controls">
        <TextInput name="due_date" type="date" />
        <Select name="assigned_to_user_id" empty="As it is" options={[unassigned, ...people]} />
        <div class="plan-bar-buttons">
          <button type="submit">Change</button>
          <button type="submit" class="quiet" name="later_by_days" value="1">
            1 day later
          </button>
          <button type="submit" class="quiet" name="later_by_days" value="7">
            7 days later
          </button>
        </div>
      </div>
    </details>
  );
}
