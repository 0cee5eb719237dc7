import { isDeepStrictEqual } from "node:util";
import type { Tx } from "../../db/database.js";
import { TaskChecklistItem, type StepDefinition } from "../../db/entities/tasks.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { momentOf } from "../access/clock.js";
import { toChange } from "../history/differences.js";
import type { Change } from "../history/record-events.js";
import {
  findMeters,
  matchMeters,
  noSuchMeter,
  pickMeter,
  type FoundMeter,
} from "../meters/meters.js";
import {
  answerField,
  cleanAnswer,
  cleanChecklist,
  findByKey,
  findOrigins,
  keysOf,
  recordedAnswer,
  recordedSteps,
  redefine,
  type Step,
} from "./checklist-steps.js";
import type { ProcedureCopy } from "./procedures.js";
import type { TaskUpdate } from "./task-update-rules.js";

/** Columns of `task_checklist_items i`. Deleted photos and drawings are left out. */
export const stepColumns = `i.position, i.label, i.kind, i.required, i.unit, i.min::float8 AS min,
  i.max::float8 AS max, i.options, i.meter, i.follow_up, i.follow_up_priority, i.out_of_service,
  i.follow_up_task_id, held.answer, held.drawing, held.done_at, held.done_by, held.task_link_id`;
export const stepsTable = `task_checklist_items i LEFT JOIN LATERAL (
    SELECT i.answer, i.done_at, i.done_by, i.task_link_id, (SELECT f.id FROM files f
      WHERE f.organization_id = $1 AND f.id = i.drawing) AS drawing WHERE i.kind <> 'photo' OR EXISTS (
      SELECT FROM files f WHERE f.organization_id = $1 AND f.id = i.answer)) held ON TRUE`;

export async function addChecklist(
  tx: Tx,
  caller: Caller,
  taskId: string,
  definitions: readonly StepDefinition[],
): Promise<void> {
  await insertSteps(tx, caller, taskId, redefine([], definitions));
}

export function readSteps(tx: Tx, caller: Caller, taskId: string): Promise<Step[]> {
  return tx.query(
    `SELECT ${stepColumns} FROM ${stepsTable}
     WHERE i.organization_id = $1 AND i.task_id = $2 ORDER BY i.position`,
    [caller.organizationId, taskId],
  );
}

/** Replaces the steps of a locked task. */
export async function storeSteps(
  tx: Tx,
  caller: Caller,
  taskId: string,
  steps: readonly Step[],
): Promise<void> {
  const its = { organization_id: caller.organizationId, task_id: taskId };
  await tx.delete(TaskChecklistItem, its);
  await insertSteps(tx, caller, taskId, steps);
}

async function insertSteps(
  tx: Tx,
  { organizationId: organization_id }: Caller,
  task_id: string,
  steps: readonly Step[],
): Promise<void> {
  if (steps.length === 0) return;
  await tx.insert(
    TaskChecklistItem,
    steps.map((step) => ({ ...step, organization_id, task_id })),
  );
}

/**
 * A meter must exist on the asset, and gives the unit. Steps of a procedure are for many assets:
 * without the meter, their answer is no reading.
 */
export async function withStepMeters(
  tx: Tx,
  caller: Caller,
  steps: StepDefinition[],
  assetId: string | null,
  { areOfProcedure = false } = {},
): Promise<StepDefinition[]> {
  if (steps.every(({ meter }) => meter === null)) return steps;
  const field = "checklist";
  if (areOfProcedure && assetId === null) return steps;
  if (assetId === null) throw new AppError("validation_failed", "meter_of_place", { field });
  const meters = await findMeters(tx, caller, assetId);
  return steps.map((step) => {
    if (step.meter === null) return step;
    if (areOfProcedure) return withOnlyMeter(step, matchMeters(meters, step.meter));
    const meter = pickMeter(meters, step.meter, field);
    if (meter === undefined) throw noSuchMeter(meters, step.meter, field);
    return { ...step, meter: meter.name, unit: meter.unit };
  });
}

function withOnlyMeter(step: StepDefinition, [meter, ...others]: FoundMeter[]): StepDefinition {
  if (others.length > 0) return { ...step, meter: null };
  return meter === undefined ? step : { ...step, meter: meter.name, unit: meter.unit };
}

export interface StepsChange {
  changes: Change[];
  before: Step[];
  after: Step[];
  /** The earlier steps of those after, by index. */
  origins?: readonly (Step | undefined)[] | undefined;
}

const unchanged: StepsChange = { changes: [], before: [], after: [] };

interface ChangedTask {
  id: string;
  assetId: string | null;
  /** The procedure whose steps replace the present ones. */
  procedure?: ProcedureCopy | null | undefined;
}

/** Redefines, answers, finishes or reopens steps of a locked task. Earlier answers keep person and time. */
export async function changeSteps(
  tx: Tx,
  caller: Caller,
  task: ChangedTask,
  update: TaskUpdate,
): Promise<StepsChange> {
  const { checklist, checklist_done, checklist_tick, checklist_untick } = update;
  const { checklist_answers: answers = {}, checklist_drawings: drawings = {} } = update;
  const numbers = [...new Set([...Object.keys(answers), ...Object.keys(drawings)])].map(Number);
  const given = { checklist_done, checklist_tick, checklist_untick };
  const asked = [...Object.values(given), checklist, task.procedure];
  if (numbers.length === 0 && asked.every((one) => one == null)) return unchanged;
  const { id } = task;
  const before = await readSteps(tx, caller, id);
  const defined = await findDefinitions(tx, caller, task, checklist);
  const were = (checklist ?? []).map((step) => (typeof step === "string" ? undefined : step.was));
  const steps = defined === undefined ? before : redefine(before, defined, were);
  const named = { ...given, checklist_answers: numbers };
  for (const [field, positions] of Object.entries(named)) refuseUnknown(steps, field, positions);
  const photos = await findPhotos(tx, caller, id, steps, numbers.length);
  const answered = new Map(
    numbers.map((number) => {
      const its = { answer: answers[number], drawing: drawings[number] };
      return [number, readAnswer(steps[number - 1] as Step, its, photos)];
    }),
  );
  const ticks = takeChecks(steps, answered, given);
  const { made_at } = update;
  const done_at = made_at === undefined ? await momentOf(tx) : new Date(made_at);
  const by = { done_at, ...authorOf(caller) };
  const after = steps.map((step) => toChanged(step, { given: ticks, answered, by }));
  const changes = describeSteps(before, after);
  if (changes.length === 0) return unchanged;
  await storeSteps(tx, caller, id, after);
  return { changes, before, after, origins: defined && findOrigins(before, defined, were) };
}

/** Removes the answers to checks. True marks a check as finished, false as unfinished. */
function takeChecks(steps: readonly Step[], answered: Map<number, Answer>, given: Ticks): Ticks {
  const { checklist_tick = [], checklist_untick = [] } = given;
  const [tick, untick] = [[...checklist_tick], [...checklist_untick]];
  for (const { position, kind } of steps) {
    const answer = answered.get(position);
    if (kind !== "check" || answer === undefined) continue;
    answered.delete(position);
    (answer.answer === "true" ? tick : untick).push(position);
  }
  return { ...given, checklist_tick: tick, checklist_untick: untick };
}

async function findDefinitions(
  tx: Tx,
  caller: Caller,
  { assetId, procedure }: ChangedTask,
  checklist: TaskUpdate["checklist"],
): Promise<StepDefinition[] | undefined> {
  if (procedure == null) {
    return checklist && withStepMeters(tx, caller, cleanChecklist(checklist), assetId);
  }
  return withStepMeters(tx, caller, procedure.steps, assetId, { areOfProcedure: true });
}

type Answer = Pick<Step, "answer" | "drawing">;

/** A drawing belongs to the typed name. Another name without a new drawing drops it. */
function readAnswer(
  step: Step,
  given: { answer: string | undefined; drawing: string | undefined },
  photos: readonly string[],
): Answer {
  const { drawing } = given;
  const answer = given.answer === undefined ? step.answer : cleanAnswer(step, given.answer, photos);
  if (drawing === undefined) {
    return { answer, drawing: answer === step.answer ? step.drawing : null };
  }
  const { position, label, kind } = step;
  const place = { field: `checklist_answers.${position}`, step: position, label };
  if (answer === null) throw new AppError("validation_failed", "step_needs_answer", place);
  if (kind === "signature" && photos.includes(drawing)) return { answer, drawing };
  throw new AppError("validation_failed", "step_not_photo", place);
}

/** A contractor's answer isn't the answer of the person who shared the task. */
function authorOf({ userId, taskLinkId }: Caller): Author {
  if (taskLinkId !== undefined) return { done_by: null, task_link_id: taskLinkId };
  return { done_by: userId, task_link_id: null };
}

function refuseUnknown(steps: readonly Step[], field: string, numbers: number[] = []): void {
  const unknown = numbers.find((number) => steps[number - 1] === undefined);
  if (unknown !== undefined) {
    const details = { field, step: unknown, steps: steps.length };
    throw new AppError("validation_failed", "unknown_step", details);
  }
}

type Ticks = Pick<TaskUpdate, "checklist_done" | "checklist_tick" | "checklist_untick">;

interface Changed {
  given: Ticks;
  answered: Map<number, Answer>;
  by: Author & { done_at: Date };
}

type Author = Pick<Step, "done_by" | "task_link_id">;

function toChanged(step: Step, { given, answered, by }: Changed): Step {
  const { position, kind } = step;
  const answer = answered.get(position);
  if (answer !== undefined)
    return isSameAnswer(step, answer) ? step : { ...step, ...by, ...answer };
  const { checklist_done: all, checklist_tick = [], checklist_untick = [] } = given;
  const open = { answer: null, drawing: null, done_at: null, done_by: null, task_link_id: null };
  if (checklist_untick.includes(position)) return { ...step, ...open };
  const isGiven = [...checklist_tick, ...(all ?? [])].includes(position);
  if (kind !== "check") return refuseTick(step, isGiven);
  const wasDone = step.done_at !== null;
  if (isGiven) return wasDone ? step : { ...step, ...by };
  return all !== undefined && wasDone ? { ...step, ...open } : step;
}

function refuseTick(step: Step, isTicked: boolean): Step {
  if (!isTicked || step.answer !== null) return step;
  const { position, label } = step;
  const details = { field: `checklist_answers.${position}`, step: position, label };
  throw new AppError("validation_failed", "step_needs_answer", details);
}

/** The ids of the task's pictures, if steps use them. Contractors use their own. */
async function findPhotos(
  tx: Tx,
  caller: Caller,
  taskId: string,
  steps: readonly Step[],
  answers: number,
): Promise<string[]> {
  const hasFiles = steps.some(({ kind }) => kind === "photo" || kind === "signature");
  if (answers === 0 || !hasFiles) return [];
  const rows = await tx.query<{ id: string }>(
    `SELECT f.id FROM files f
     WHERE f.organization_id = $1 AND f.task_id = $2 AND f.width IS NOT NULL
       AND ($3::text IS NULL OR f.task_link_id = $3)`,
    [caller.organizationId, taskId, caller.taskLinkId ?? null],
  );
  return rows.map(({ id }) => id);
}

/** The numbers of the finished checks. */
export function finishedChecks(steps: readonly Step[]): number[] {
  return steps
    .filter(({ kind, done_at }) => kind === "check" && done_at !== null)
    .map(({ position }) => position);
}

function isSameAnswer(one: Answer | undefined, other: Answer | undefined): boolean {
  const isSame = (name: keyof Answer) => (one?.[name] ?? null) === (other?.[name] ?? null);
  return isSame("answer") && isSame("drawing");
}

export function describeSteps(before: readonly Step[], after: readonly Step[]): Change[] {
  const changes = [
    toChange("checklist", recordedSteps(before), recordedSteps(after)),
    toChange("checklist_done", finishedChecks(before), finishedChecks(after)),
  ].filter(({ from, to }) => !isDeepStrictEqual(from, to));
  const keys = new Set([...keysOf(before), ...keysOf(after)]);
  for (const key of keys) {
    const [old, now] = [findByKey(before, key), findByKey(after, key)];
    if (isSameAnswer(old, now)) continue;
    const field = answerField + key;
    changes.push(toChange(field, recordedAnswer(old), recordedAnswer(now)));
  }
  return changes;
}

/** Completed work must have answers to its required steps. */
export function requireAnswers(steps: readonly Step[]): void {
  const missing = steps.filter(({ required, done_at }) => required && done_at === null);
  const [first] = missing;
  if (first === undefined) return;
  const names = missing.map(({ position: step, label }) => ({ step, label }));
  const details = { field: `checklist_answers.${first.position}`, steps: names };
  throw new AppError("invalid_transition", "steps_required", details);
}
