import { photoMoments } from "../../db/entities/files.js";
import { addFiles } from "../../domain/files/add-files.js";
import type { GivenFile } from "../../domain/files/prepare-file.js";
import type { Caller } from "../../domain/access/caller.js";
import { maxSteps } from "../../domain/tasks/checklist-steps.js";
import type { ShownStep } from "../../domain/tasks/task-details.js";
import type { TaskUpdate } from "../../domain/tasks/task-update-rules.js";
import { lazily, t, type Words } from "../../language/translate.js";
import {
  choiceField,
  hiddenField,
  Problem,
  readAll,
  readText,
  textField,
  type FormField,
  type Values,
} from "../forms/form-fields.js";
import type { OpenedForm } from "../forms/form-spec.js";
import { readFormKey } from "../forms/key-and-version.js";
import { readNumber, writeNumber } from "../forms/typed-numbers.js";
import { quote } from "../../domain/shared/quote.js";
import type { OpenedTask } from "./read-task.js";

export type StepFields = Record<string, FormField<string>>;

export type StepsUpdate = Pick<
  TaskUpdate,
  "checklist_done" | "checklist_untick" | "checklist_answers" | "checklist_drawings"
>;

export const stepName = ({ number }: ShownStep) => `step-${number}`;
/** The file control of a photo. */
export const photoName = ({ number }: ShownStep) => `photo-${number}`;
/** The id of a stored drawing of a signature, and the file control for a new one. */
export const drawingName = ({ number }: ShownStep) => `drawing-${number}`;
export const drawnName = ({ number }: ShownStep) => `photo-drawing-${number}`;
export const isCheck = ({ kind }: ShownStep) => kind === null;

/** The fields of the steps with answers. Checks are checkboxes named "done". */
export function toStepFields({ subject: { task } }: { subject: OpenedTask }): StepFields {
  const answered = task.checklist.filter((step) => !isCheck(step));
  const signed = answered.filter(({ kind }) => kind === "signature");
  return Object.fromEntries([
    ...answered.map((step) => [stepName(step), toField(step)] as const),
    ...signed.map((step) => [drawingName(step), fileField] as const),
  ]);
}

/** The id of a stored file, which offline forms have to keep. */
const fileField = { ...hiddenField, isHidden: false };

function toField(step: ShownStep): FormField<string> {
  const { kind, label, options } = step;
  if (kind === "number") {
    return { label: () => label, read: (text) => String(readSigned(quote(label), text)) };
  }
  if (kind === "pass_fail") return choiceField(() => label, ["pass", "fail"]);
  if (kind === "choice") return choiceField(() => label, options ?? []);
  return kind === "photo" ? fileField : textField(() => label);
}

/** A measured number may be negative. */
function readSigned(label: string, text: string): number {
  const [, sign = "", rest = ""] = /^\s*([-−–]?)(.*)$/su.exec(text) ?? [];
  const number = readNumber(rest);
  if (number !== undefined) return sign === "" || number === 0 ? number : -number;
  throw new Problem(
    t("{label} must be a number like {example}, without a thousands separator.", {
      label,
      example: writeNumber(7.5),
    }),
  );
}

export function signedNumberField(label: Words): FormField<number> {
  const toLabel = lazily(label);
  return { label: toLabel, read: (text) => readSigned(toLabel(), text) };
}

/** The stored answer as the control shows it. */
export function toStepText({ kind, answer }: ShownStep): string {
  if (answer === null) return "";
  return kind === "number" ? writeNumber(Number(answer)) : answer;
}

export function toStepValues({ task }: OpenedTask): Values<StepFields> {
  const signed = task.checklist.filter(({ kind }) => kind === "signature");
  return Object.fromEntries([
    ...task.checklist.map((step) => [stepName(step), toStepText(step)] as const),
    ...signed.map((step) => [drawingName(step), step.drawing ?? ""] as const),
  ]);
}

/** The steps that a posted form changes. An emptied answer is removed. */
export function toStepsUpdate(
  { task: { checklist } }: OpenedTask,
  body: unknown,
  given: Readonly<Record<string, unknown>>,
): StepsUpdate {
  if (checklist.length === 0) return {};
  const answers: Record<string, string> = {};
  const emptied: number[] = [];
  for (const step of checklist.filter((one) => !isCheck(one))) {
    const answer = given[stepName(step)];
    if (typeof answer !== "string") {
      if (step.answer !== null && isSent(body, stepName(step))) emptied.push(step.number);
    } else if (answer.trim() !== (step.answer ?? "")) answers[step.number] = answer;
  }
  const drawings = checklist.flatMap((step) => {
    const id = given[drawingName(step)];
    return typeof id === "string" && id !== step.drawing ? [[step.number, id] as const] : [];
  });
  return {
    checklist_done: readSelected(body),
    ...(emptied.length > 0 && { checklist_untick: emptied }),
    ...(Object.keys(answers).length > 0 && { checklist_answers: answers }),
    ...(drawings.length > 0 && { checklist_drawings: Object.fromEntries(drawings) }),
  };
}

function isSent(body: unknown, name: string): boolean {
  return typeof body === "object" && body !== null && Object.hasOwn(body, name);
}

/** The numbers of a form's selected steps. Ignores invalid numbers. */
export function readSelected(body: unknown): number[] {
  const numbers = readAll(body, "done").map((text) => (/^\d{1,3}$/.test(text) ? Number(text) : 0));
  return numbers.filter((number) => number > 0);
}

/** The controls that refusals name. */
export const stepControls: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from({ length: maxSteps }, (_, index) => index + 1).flatMap((number) => [
    [`checklist_answers.${number}`, `step-${number}`],
    [`photo-${number}`, `step-${number}`],
    [`photo-drawing-${number}`, `step-${number}`],
  ]),
);

const isOfStep = ({ field }: GivenFile) => stepControls[field] !== undefined;

/**
 * Adds uploaded files to the task. A photo for a step becomes its answer, and a drawing belongs to
 * its signature, even if the form is refused, because a browser can't send a file again.
 */
export async function receiveFiles(
  form: OpenedForm<OpenedTask>,
  caller: Caller = form.caller,
  uploads: readonly GivenFile[] = form.request.uploads,
): Promise<void> {
  const { app, request, subject } = form;
  const { body } = request;
  if (uploads.length === 0) return;
  const requestKey = readFormKey(body);
  const target = { kind: "task", reference: subject.task.id, requestKey } as const;
  const { values, given } = form as unknown as Record<"values" | "given", Record<string, string>>;
  const moment = photoMoments.find((one) => one === given["moment"]);
  const files = uploads.map((file) => (isOfStep(file) ? file : { ...file, moment }));
  const { ids } = await addFiles(request.db, caller, app.services.files, target, files);
  for (const step of subject.task.checklist) {
    const [sent, name] =
      step.kind === "photo"
        ? [photoName(step), stepName(step)]
        : [drawnName(step), drawingName(step)];
    const id = ids[uploads.findIndex(({ field }) => field === sent)];
    if (id === undefined) continue;
    values[name] = id;
    given[name] = id;
    if (readText(body, name) === "") (body as Record<string, string>)[name] = id;
  }
}
