import type { ComponentChildren, VNode } from "preact";
import { useForm } from "./form-context.js";

interface RadioChoice {
  value: string;
  label: ComponentChildren;
  /** One sentence. */
  help?: string;
}

/** One of a few choices, each with what it means. */
export function RadioChoices({
  name,
  legend,
  choices,
}: {
  name: string;
  legend: string;
  choices: readonly RadioChoice[];
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
      {choices.map((choice) => {
        const id = `${name}-${choice.value}`;
        const help = choice.help === undefined ? undefined : `${id}-help`;
        return (
          <div class="choice" key={choice.value}>
            <input
              type="radio"
              id={id}
              name={name}
              value={choice.value}
              checked={choice.value === values[name]}
              required
              aria-describedby={help}
            />
            <label for={id}>{choice.label}</label>
            {help !== undefined && (
              <p class="help" id={help}>
                {choice.help}
              </p>
            )}
          </div>
        );
      })}
    </fieldset>
  );
}
