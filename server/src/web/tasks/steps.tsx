import type { ComponentChildren, VNode } from "preact";
import { quote } from "../../domain/shared/quote.js";
import { formatMeasure } from "../../domain/shared/step-texts.js";
import { t } from "../../language/translate.js";
import { toThumbnailAddress } from "../files/gallery.js";
import { Checkbox } from "../forms/controls.js";
import { FileInput } from "../forms/file-input.js";
import { useForm } from "../forms/form-context.js";
import { describe, FieldError, Help } from "../forms/labelled.js";
import { staticUrls } from "../static-files.js";
import { AlertBadge } from "../layout/badges.js";
import { describeMoment } from "../text/format.js";
import type { Task } from "./read-task.js";
import { drawingName, drawnName, isCheck, photoName, stepName, toStepText } from "./step-fields.js";

type Step = Task["checklist"][number];
type ToPhoto = (id: string) => string | undefined;

/** The steps with their controls. `selected` contains checks that differ from the stored ones. */
export function Steps({
  steps,
  selected,
  toPhoto = toThumbnailAddress,
}: {
  steps: readonly Step[];
  selected?: readonly number[] | undefined;
  /** The address of a stored photo. Undefined for a photo that the reader may not view. */
  toPhoto?: ToPhoto;
}): VNode {
  return (
    <div class="steps-form">
      {steps.map((step) =>
        isCheck(step) ? (
          <Checkbox
            key={step.number}
            name="done"
            id={`done-${step.number}`}
            value={String(step.number)}
            label={<StepLabel step={step} />}
            checked={selected === undefined ? step.done : selected.includes(step.number)}
          />
        ) : (
          <AnswerField key={step.number} step={step} toPhoto={toPhoto} />
        ),
      )}
      {steps.some(({ kind }) => kind === "signature") && (
        <script src={staticUrls.signature} defer />
      )}
    </div>
  );
}

function StepLabel({ step }: { step: Step }): VNode {
  return (
    <>
      <bdi>{step.label}</bdi>
      {step.required === true && <span class="optional"> {t("(required)")}</span>}
    </>
  );
}

interface AnswerProps {
  step: Step;
  value: string;
  wiring: ReturnType<typeof describe> & { id: string; name: string };
}

function AnswerField({ step, toPhoto }: { step: Step; toPhoto: ToPhoto }): VNode {
  const { values, errors } = useForm();
  const name = stepName(step);
  const error = errors.find(({ field }) => field === name)?.message;
  const help = describeStep(step);
  const value = values[name] ?? toStepText(step);
  const wiring = { id: name, name, ...describe(name, help, error) };
  const isGroup = step.kind === "pass_fail";
  const attributes = {
    class: ["field", "step", error !== undefined && "wrong"].filter(Boolean).join(" "),
    ...(step.out_of_service === true && { "data-stops": describeStop(step) }),
  };
  const rest = (
    <>
      <Help id={name} text={help} />
      <Outcome step={step} />
      <Warnings step={step} />
      <FieldError id={name} text={error} />
    </>
  );
  if (isGroup) {
    return (
      <fieldset {...attributes} id={name} aria-describedby={wiring["aria-describedby"]}>
        <legend>
          <StepLabel step={step} />
        </legend>
        <PassOrFail
          name={name}
          value={value}
          pass={["pass", t("Pass")]}
          fail={["fail", t("Fail")]}
        />
        {rest}
      </fieldset>
    );
  }
  return (
    <div {...attributes}>
      {step.kind === "photo" ? (
        <Photo step={step} value={value} photo={value === "" ? undefined : toPhoto(value)} />
      ) : (
        <>
          <label for={name}>
            <StepLabel step={step} />
          </label>
          <Control step={step} value={value} wiring={wiring} />
        </>
      )}
      {rest}
      {step.kind === "signature" && <Drawing step={step} toPhoto={toPhoto} />}
    </div>
  );
}

/** Two large choices, each with its value and label. */
export function PassOrFail({
  name,
  value,
  isRequired = false,
  ...choices
}: {
  name: string;
  value: string;
  isRequired?: boolean;
} & Record<"pass" | "fail", [value: string, label: string]>): VNode {
  return (
    <div class="pass-fail">
      {(["pass", "fail"] as const).map((one) => (
        <label key={one} class={one}>
          <input
            type="radio"
            name={name}
            value={choices[one][0]}
            checked={value === choices[one][0]}
            required={isRequired}
          />
          {choices[one][1]}
        </label>
      ))}
    </div>
  );
}

function Control({ step, value, wiring }: AnswerProps): VNode {
  const { kind, unit, options } = step;
  if (kind === "choice") {
    return (
      <select {...wiring}>
        <option value="">{t("Choose…")}</option>
        {(options ?? []).map((option) => (
          <option key={option} value={option} selected={option === value}>
            {option}
          </option>
        ))}
      </select>
    );
  }
  if (kind === "text") {
    return (
      <textarea {...wiring} rows={2} maxLength={2000}>
        {value}
      </textarea>
    );
  }
  if (kind === "signature") {
    return <input {...wiring} type="text" value={value} maxLength={200} autocomplete="name" />;
  }
  return (
    <span class="measure">
      <input {...wiring} type="text" inputMode="decimal" value={value} autocomplete="off" />
      {unit !== null && <span>{unit}</span>}
    </span>
  );
}

/** The photo that is stored, which a new one replaces. */
function Photo({
  step,
  value,
  photo,
}: Omit<AnswerProps, "wiring"> & { photo: string | undefined }): VNode {
  return (
    <>
      {value !== "" && <input type="hidden" name={stepName(step)} value={value} />}
      <label for={photoName(step)}>
        <StepLabel step={step} />
      </label>
      <FileInput
        name={photoName(step)}
        label={value === "" ? t("Add photo") : t("Replace photo")}
        accept="image/*"
        camera
        isButton
      />
      {photo !== undefined && <img class="step-photo" src={photo} alt={step.label} />}
      {value !== "" && photo === undefined && <span class="soft">{t("(photo added)")}</span>}
    </>
  );
}

/** A place to draw the signature, for which a script is needed, and the stored drawing. */
function Drawing({ step, toPhoto }: { step: Step; toPhoto: ToPhoto }): VNode {
  const name = drawingName(step);
  const id = useForm().values[name] ?? step.drawing ?? "";
  const drawing = id === "" ? undefined : toPhoto(id);
  return (
    <>
      {id !== "" && <input type="hidden" name={name} value={id} />}
      {drawing !== undefined && <img class="step-drawing" src={drawing} alt={t("Signature")} />}
      <div
        class="signature-pad"
        hidden
        data-label={t("Draw your signature (optional)")}
        data-clear={t("Clear||a drawing")}
        data-file={`${t("Signature")}.png`}
      >
        <input type="file" name={drawnName(step)} accept="image/png" hidden />
      </div>
    </>
  );
}

/** Shown by a script where the form asks whether the asset can be used. */
function describeStop({ label }: Step): string {
  return t("Out of service while the step {label} fails.", { label: quote(label) });
}

function describeStep(step: Step): string | undefined {
  if (step.kind === "signature") return t("Type your full name to sign.");
  return describeLimits(step);
}

export function describeLimits({
  min,
  max,
  unit,
}: Pick<Step, "min" | "max" | "unit">): string | undefined {
  const [low, high] = [min, max].map((one) => (one === null ? null : formatMeasure(one, unit)));
  if (low != null && high != null) return t("Allowed: {low} to {high}", { low, high });
  if (low != null) return t("At least {low}", { low });
  return high == null ? undefined : t("At most {high}", { high });
}

/** Why an answer failed, and the task that was added for it. */
function Outcome({ step }: { step: Step }): VNode | null {
  const { failed, follow_up_task: followUp, answered_at: at, kind } = step;
  if (failed !== true && followUp === null && (kind !== "signature" || at === null)) return null;
  return (
    <p class="step-outcome">
      {failed === true && <AlertBadge>{describeFailure(step)}</AlertBadge>}
      {followUp !== null && (
        <a href={`/tasks/${followUp}`}>{t("Task {number}", { number: followUp })}</a>
      )}
      {kind === "signature" && at !== null && (
        <span class="soft">{describeMoment(new Date(at), { now: new Date() })}</span>
      )}
    </p>
  );
}

/** Shown by a script as soon as an answer fails, instead of the stored outcome. */
function Warnings({ step }: { step: Step }): VNode | null {
  const { kind, min, max } = step;
  const texts = {
    ...(min !== null && { below: t("Below the limit") }),
    ...(max !== null && { above: t("Above the limit") }),
    ...(kind === "pass_fail" && { failed: t("Failed||a step") }),
  };
  if (Object.keys(texts).length === 0) return null;
  return (
    <div role="status" data-min={min ?? ""} data-max={max ?? ""}>
      {Object.entries(texts).map(([name, text]) => (
        <p key={name} class="step-outcome" data-warning={name} hidden>
          <AlertBadge>{text}</AlertBadge>
        </p>
      ))}
    </div>
  );
}

export function describeFailure({ kind, answer, min }: Step): string {
  if (kind !== "number") return t("Failed||a step");
  return min !== null && Number(answer) < min ? t("Below the limit") : t("Above the limit");
}

/** The steps of finished work, or for people who can't change it. */
export function StepsRead({ steps }: { steps: readonly Step[] }): VNode {
  return (
    <ol class="steps-read">
      {steps.map((step) => (
        <li key={step.number}>
          <bdi>{step.label}</bdi> <ShownAnswer step={step} />
          {!isCheck(step) && <Outcome step={step} />}
        </li>
      ))}
    </ol>
  );
}

function ShownAnswer({ step }: { step: Step }): VNode {
  const { kind, answer, drawing, unit, done, label } = step;
  const soft = (words: ComponentChildren) => <span class="soft">{words}</span>;
  if (kind === null) return soft(done ? t("(done)") : t("(not done)"));
  if (answer === null) return soft(t("(no answer)"));
  if (kind === "photo") {
    const address = `/files/${answer}`;
    return (
      <a href={address}>
        <img class="step-photo" src={toThumbnailAddress(answer)} alt={label} loading="lazy" />
      </a>
    );
  }
  return (
    <>
      <strong dir="auto">{toAnswerText(kind, answer, unit)}</strong>
      {drawing !== null && (
        <a href={`/files/${drawing}`}>
          <img
            class="step-drawing"
            src={toThumbnailAddress(drawing)}
            alt={t("Signature")}
            loading="lazy"
          />
        </a>
      )}
    </>
  );
}

export function toAnswerText(kind: string, answer: string, unit: string | null): string {
  if (kind === "number") return formatMeasure(Number(answer), unit);
  if (kind !== "pass_fail") return answer;
  return answer === "pass" ? t("Pass") : t("Fail");
}
