import type { VNode } from "preact";
import { useForm } from "./form-context.js";

interface RadioChoice {
  value: string;
  label: string;
  /** One sentence. */
  help?: string;
}

export function RadioChoices({
  name,
  legend,
  choices,
  preset,
}: {
  name: string;
  legend: string;
  choices: readonly RadioChoice[];
  /** Selected in a new form. */
  preset?: string;
}): VNode {
  const { values, errors } = useForm();
  const error = errors.find(({ field }) => field === name)?.message;
  return (
    <fieldset
      class="choices"
      id={name}
      aria-describedby={error === undefined ? undefined : `${name}-error`}
    >
      <legend>{legend}</legend>
      {error !== undefined && (
        <p class="error" id={`${name}-error`}>
          {error}
        </p>
      )}
      {choices.map(({ value, label, help }) => {
        const id = `${name}-${value}`;
        return (
          <div class="choice" key={value}>
            <input
              type="radio"
              id={id}
              name={name}
              value={value}
              checked={value === (values[name] ?? preset)}
              required
              aria-describedby={help === undefined ? undefined : `${id}-help`}
            />
            <label for={id}>{label}</label>
            {help !== undefined && (
              <p class="help" id={`${id}-help`}>
                {help}
              </p>
            )}
          </div>
        );
      })}
    </fieldset>
  );
}
