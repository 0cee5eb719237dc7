import type {
  StepDefinition,
  StepKind,
  TaskChecklistItem,
  TaskPriority,
} from "../../db/entities/tasks.js";
import { AppError } from "../../errors.js";
import { toTimestamp } from "../shared/dates.js";
import { pick } from "../shared/omit.js";
import { cleanText } from "../shared/text.js";

const definitionColumns = [
  ...(["max", "min", "kind", "unit", "label", "meter", "options", "required"] as const),
  ...(["follow_up", "out_of_service", "follow_up_priority"] as const),
] as const satisfies (keyof StepDefinition)[];
const answerColumns = [
  ...(["answer", "drawing", "done_at", "done_by", "task_link_id", "follow_up_task_id"] as const),
] as const;

export type StepAnswer = Pick<TaskChecklistItem, (typeof answerColumns)[number]>;
export type Step = StepDefinition & StepAnswer & Pick<TaskChecklistItem, "position">;

/** A step as given: only its label, or with a kind and rules. */
export interface GivenStep {
  label: string;
  /** Defaults to the kind that the other fields fit, otherwise to a check. */
  kind?: StepKind | undefined;
  required?: boolean | undefined;
  unit?: string | undefined;
  min?: number | undefined;
  max?: number | undefined;
  options?: string[] | undefined;
  meter?: string | undefined;
  follow_up?: string | undefined;
  follow_up_priority?: TaskPriority | undefined;
  out_of_service?: boolean | undefined;
  /** The number of the present step that this one is, if its label may differ. */
  was?: number | undefined;
}

export const maxSteps = 50;
const maxOptions = 20;
const maxAnswer = 2000;
/** Below the limit of the column, with four decimals. */
const maxNumber = 999_999_999_999;
const field = "checklist";

export function cleanChecklist(steps: readonly (string | GivenStep)[]): StepDefinition[] {
  if (steps.length > maxSteps) {
    const details = { field, max: maxSteps, of: "steps" } as const;
    throw new AppError("validation_failed", "too_many_entries", details);
  }
  return steps.map((step, index) =>
    cleanStep(typeof step === "string" ? { label: step } : step, index + 1),
  );
}

function cleanStep(given: GivenStep, position: number): StepDefinition {
  const clean = (text: string, max: number, label = "checklist: each step") =>
    cleanText(text, { field: `${field}.${position}`, label, max });
  const optional = (text: string | undefined, max: number, label: string) =>
    text === undefined || text.trim() === "" ? null : clean(text, max, label);
  const { min = null, max = null } = given;
  const options = given.options?.map((one) => clean(one, 100, "options")) ?? [];
  const step: StepDefinition = {
    label: clean(given.label, 200),
    kind: given.kind ?? kindOf(given),
    required: given.required ?? false,
    unit: optional(given.unit, 20, "unit"),
    min,
    max,
    options: options.length === 0 ? null : [...new Set(options)],
    meter: optional(given.meter, 60, "meter"),
    follow_up: optional(given.follow_up, 200, "follow_up"),
    follow_up_priority: null,
    out_of_service: given.out_of_service ?? false,
  };
  if (step.follow_up !== null) step.follow_up_priority = given.follow_up_priority ?? "high";
  checkStep(step, position);
  return step;
}

function kindOf({ options, unit, min, max, meter }: GivenStep): StepKind {
  if (options !== undefined && options.length > 0) return "choice";
  return [unit, min, max, meter].some((one) => one !== undefined && one !== "")
    ? "number"
    : "check";
}

/** The kinds that each field is for. */
const kindsOf = {
  unit: ["number"],
  min: ["number"],
  max: ["number"],
  meter: ["number"],
  options: ["choice"],
  follow_up: ["number", "pass_fail"],
  out_of_service: ["number", "pass_fail"],
} as const satisfies Partial<Record<keyof StepDefinition, readonly StepKind[]>>;

function checkStep(step: StepDefinition, position: number): void {
  const place = { field: `${field}.${position}`, step: position };
  for (const [name, kinds] of Object.entries(kindsOf)) {
    const value = step[name as keyof typeof kindsOf];
    if (value === null || value === false || kinds.some((kind) => kind === step.kind)) continue;
    const details = { ...place, name, kinds: kinds.join(" or ") };
    throw new AppError("validation_failed", "step_of_other_kind", details);
  }
  if (!areLimits(step)) throw new AppError("validation_failed", "step_limits", place);
  const count = step.options?.length ?? 0;
  if (step.kind === "choice" && (count < 2 || count > maxOptions)) {
    throw new AppError("validation_failed", "step_options", { ...place, max: maxOptions });
  }
}

function areLimits({ min, max }: StepDefinition): boolean {
  if (isTooLong(min) || isTooLong(max)) return false;
  return min === null || max === null || min <= max;
}

function isTooLong(number: number | null): boolean {
  return number !== null && (Math.abs(number) > maxNumber || Number(number.toFixed(4)) !== number);
}

const fixedOptions: Partial<Record<StepKind, string[]>> = {
  check: ["true", "false"],
  pass_fail: ["pass", "fail"],
};

/** The answer as stored, or "true" or "false" for a check. Throws if it doesn't fit the kind. */
export function cleanAnswer(step: Step, given: string, photos: readonly string[]): string {
  const { position, label, kind } = step;
  const place = { field: `checklist_answers.${position}`, step: position, label };
  if (kind === "number") return cleanNumber(given, place);
  if (kind === "photo") {
    if (photos.includes(given)) return given;
    throw new AppError("validation_failed", "step_not_photo", place);
  }
  if (kind === "text" || kind === "signature") {
    const rule = { field: place.field, label: `step ${position}` };
    const isText = kind === "text";
    return cleanText(given, { ...rule, max: isText ? maxAnswer : 200, multiline: isText });
  }
  const options = fixedOptions[kind] ?? step.options ?? [];
  const option = options.find((one) => one.toLowerCase() === given.trim().toLowerCase());
  if (option !== undefined) return option;
  throw new AppError("validation_failed", "step_not_option", { ...place, options });
}

function cleanNumber(given: string, place: { field: string; step: number; label: string }): string {
  const number = Number(given.trim() === "" ? Number.NaN : given);
  if (Number.isFinite(number) && !isTooLong(number)) return String(number);
  throw new AppError("validation_failed", "step_not_number", place);
}

/** True if the answer is "fail" or a number outside its limits. */
export function isFailed({ kind, answer, min, max }: Step): boolean {
  if (answer === null) return false;
  if (kind === "pass_fail") return answer === "fail";
  if (kind !== "number") return false;
  return (min !== null && Number(answer) < min) || (max !== null && Number(answer) > max);
}

/** The failed step that takes the asset out of service, if there is one. */
export function findStop(steps: readonly Step[]): Step | undefined {
  return steps.find((step) => step.out_of_service && isFailed(step));
}

/** Names of steps in the history. A repeated label gets a number. */
export function keysOf(steps: readonly Pick<Step, "label">[]): string[] {
  return steps.map(({ label }, index) => {
    const before = steps.slice(0, index).filter((one) => one.label === label).length;
    return before === 0 ? label : `${label} (${before + 1})`;
  });
}

export function findByKey<One extends Pick<Step, "label">>(
  steps: readonly One[],
  key: string,
): One | undefined {
  return steps[keysOf(steps).indexOf(key)];
}

/** Field of the history for a step's answer. */
export const answerField = "step: ";

/** True for a field of the history about the steps or their answers. */
export function isStepsField(field: string): boolean {
  return field === "checklist" || field === "checklist_done" || field.startsWith(answerField);
}

/** The answer as the history shows it. A signature is its time, so no name has to be erased. */
export function recordedAnswer(step: Step | undefined): unknown {
  if (step === undefined || step.answer === null) return undefined;
  if (step.kind === "number") return Number(step.answer);
  return step.kind === "signature" && step.done_at ? toTimestamp(step.done_at) : step.answer;
}

/** Definitions as the history shows them, with keys in the order of jsonb. */
export function recordedSteps(steps: readonly Step[]): object[] {
  return steps.map((step) =>
    Object.fromEntries(
      definitionColumns
        .map((name) => [name, step[name]] as const)
        .filter(([, value]) => value !== null && value !== false && value !== "check"),
    ),
  );
}

const unanswered: StepAnswer = {
  answer: null,
  drawing: null,
  done_at: null,
  done_by: null,
  task_link_id: null,
  follow_up_task_id: null,
};

/** The number that each new step had before, where the form knows it. */
type Numbers = readonly (number | undefined)[];

/** The earlier step of each new one: the one with its number, otherwise with its label. */
export function findOrigins(
  before: readonly Step[],
  definitions: readonly StepDefinition[],
  numbers: Numbers = [],
): (Step | undefined)[] {
  return keysOf(definitions).map((key, index) => {
    const number = numbers[index];
    if (number !== undefined) return before.find(({ position }) => position === number);
    const named = findByKey(before, key);
    return named === undefined || numbers.includes(named.position) ? undefined : named;
  });
}

/** Numbers new steps. Steps of the same kind and unit keep the answers of their origins. */
export function redefine(
  before: readonly Step[],
  definitions: readonly StepDefinition[],
  numbers?: Numbers,
): Step[] {
  const origins = findOrigins(before, definitions, numbers);
  const steps = definitions.map((one, index) => ({
    ...pick(one, ...definitionColumns),
    ...unanswered,
    position: index + 1,
  }));
  return steps.map((step, index) => {
    const old = origins[index];
    const fits = old !== undefined && old.kind === step.kind && old.unit === step.unit;
    const isOffered = step.options === null || step.options.includes(old?.answer ?? "");
    return fits && isOffered ? { ...step, ...answerOf(old) } : step;
  });
}

function answerOf(step: Step): StepAnswer {
  return pick(step, ...answerColumns);
}

/** Earlier steps to restore. Times are texts if they come from a history. */
export interface StepsRestoration {
  checklist?: Step[];
  done?: Step[];
  /** By the step's key. */
  answers: Map<string, Step[]>;
}

/** The steps after an undo. Others' later answers to other steps stay. */
export function toRestored(
  present: readonly Step[],
  { checklist, done, answers }: StepsRestoration,
): Step[] {
  const steps = checklist === undefined ? [...present] : redefine(present, checklist);
  const keys = keysOf(steps);
  return steps.map((step, index) => {
    const key = keys[index] ?? "";
    const from = step.kind === "check" ? done : answers.get(key);
    if (from === undefined) return step;
    const old = findByKey(from, key);
    const { done_at: at, ...answer } = old === undefined ? unanswered : answerOf(old);
    return { ...step, ...answer, done_at: at && new Date(at) };
  });
}
