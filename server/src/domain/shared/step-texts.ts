import { numberFormat } from "../../language/formats.js";
import { t } from "../../language/translate.js";
import { quote } from "./quote.js";

export interface OfStep {
  step: number;
  label: string;
}

const named = ({ step, label }: OfStep) => ({ step, label: quote(label) });

export const stepTexts = {
  unknown_step: ({ field, step, steps }: { field: string; step: number; steps: number }) =>
    steps === 0
      ? t("{field} names step {step}, but the task has no checklist.", { field, step })
      : t("{field} names step {step}, but the steps are 1 to {steps}.", { field, step, steps }),
  step_of_other_kind: ({ step, name, kinds }: { step: number; name: string; kinds: string }) =>
    t("step {step}: {name} is only for the kind {kinds}.", { step, name, kinds }),
  step_limits: ({ step }: { step: number }) =>
    t("step {step}: limits have at most 4 decimals, and min isn't above max.", { step }),
  step_options: ({ step, max }: { step: number; max: number }) =>
    t("step {step}: a choice has 2 to {max} options.", { step, max }),
  step_not_number: (of: OfStep) => t("step {step}, {label}, needs a number.", named(of)),
  step_not_photo: (of: OfStep) =>
    t("step {step}, {label}, needs the id of a photo of this task.", named(of)),
  step_not_option: ({ options, ...of }: OfStep & { options: readonly string[] }) =>
    t("step {step}, {label}, must be one of: {options}.", {
      ...named(of),
      options: options.join(", "),
    }),
  step_needs_answer: (of: OfStep) => t("step {step}, {label}, needs an answer.", named(of)),
  steps_required: ({ steps }: { steps: readonly OfStep[] }) =>
    t("{count, plural, one {a required step is} other {required steps are}} open: {steps}.", {
      count: steps.length,
      steps: steps.map(({ step, label }) => `${step} ${quote(label)}`).join(", "),
    }),
  no_such_procedure: "we can't find that procedure.",
  procedure_not_found: ({ name, names }: { name: string; names: readonly string[] }) =>
    names.length === 0
      ? t("there is no procedure {name}. The organization has none yet.", { name: quote(name) })
      : t("there is no procedure {name}. The procedures are {names}.", {
          name: quote(name),
          names: names.map((one) => quote(one)).join(", "),
        }),
  procedure_archived: ({ name }: { name: string }) =>
    t("{name} is archived. Restore it first.", { name: quote(name) }),
  procedure_name_taken: ({ name }: { name: string }) =>
    t("there is already a procedure {name}.", { name: quote(name) }),
  procedure_and_steps: "give a procedure or steps, not both.",
  procedure_of_done: (of: OfStep) =>
    t("step {step}, {label}, is already done, so the procedure can't be changed.", named(of)),
  steps_of_finished: "the steps of finished work can't be changed. Reopen the task first.",
};

export interface FailedStep {
  number: number;
  label: string;
  answer: string;
  unit: string | null;
  min: number | null;
}

export const stepWarnings = {
  step_failed: ({ number, label, answer, unit, min }: FailedStep) => {
    const step = { number, label: quote(label) };
    if (answer === "fail") return t("Step {number} failed: {label}.", step);
    const value = formatMeasure(Number(answer), unit);
    return min !== null && Number(answer) < min
      ? t("Step {number}, {label}: {value} is below the limit.", { ...step, value })
      : t("Step {number}, {label}: {value} is above the limit.", { ...step, value });
  },
  usable_overruled: ({ number, label }: { number: number; label: string }) =>
    t(
      "The asset is out of service because step {number}, {label}, failed, although you answered that it can be used.",
      { number, label: quote(label) },
    ),
  follow_up_added: ({ task_number: number, title }: { task_number: string; title: string }) =>
    t("{number} added: {title}.", { number, title: quote(title) }),
  step_without_meter: ({ name }: { name: string }) =>
    t("The asset has no meter {name}, so no reading was recorded.", { name: quote(name) }),
};

/** "7.2 bar" */
export function formatMeasure(value: number, unit: string | null): string {
  const number = numberFormat({ maximumFractionDigits: 4 }).format(value);
  return unit === null ? number : `${number} ${unit}`;
}
