import type { Tx } from "../../db/database.js";
import { TaskChecklistItem } from "../../db/entities/tasks.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { toChange } from "../history/differences.js";
import type { Change } from "../history/record-events.js";
import type { TaskUpdate } from "./task-update-rules.js";

export async function addChecklist(
  tx: Tx,
  caller: Caller,
  taskId: string,
  steps: readonly string[],
): Promise<void> {
  if (steps.length === 0) return;
  const task = { organization_id: caller.organizationId, task_id: taskId };
  const items = steps.map((label, index) => ({ ...task, position: index + 1, label }));
  await tx.insert(TaskChecklistItem, items);
}

export async function readSteps(
  tx: Tx,
  caller: Caller,
  taskId: string,
): Promise<{ label: string; done: boolean }[]> {
  const items = await findItems(tx, caller, taskId);
  return items.map(({ label, done_at }) => ({ label, done: done_at !== null }));
}

function findItems(tx: Tx, caller: Caller, taskId: string) {
  return tx.find(TaskChecklistItem, {
    where: { organization_id: caller.organizationId, task_id: taskId },
    order: { position: "ASC" },
  });
}

export type FinishedSteps = Pick<TaskChecklistItem, "position" | "done_at" | "done_by">[];

export interface StepsChange {
  changes: Change[];
  before: FinishedSteps;
}

type StepChanges = Pick<TaskUpdate, "checklist_done" | "checklist_tick" | "checklist_untick">;

/** Finishes or reopens steps of a locked task. Steps finished earlier retain person and time. */
export async function changeSteps(
  tx: Tx,
  caller: Caller,
  taskId: string,
  { checklist_done, checklist_tick, checklist_untick }: StepChanges,
): Promise<StepsChange> {
  const given = { checklist_done, checklist_tick, checklist_untick };
  const unchanged: StepsChange = { changes: [], before: [] };
  if (Object.values(given).every((numbers) => numbers === undefined)) return unchanged;
  const steps = await findItems(tx, caller, taskId);
  for (const [field, numbers = []] of Object.entries(given)) {
    const unknown = numbers.find((number) => number < 1 || number > steps.length);
    if (unknown !== undefined) {
      const details = { field, step: unknown, steps: steps.length };
      throw new AppError("validation_failed", "unknown_step", details);
    }
  }
  const finishedSteps = steps.filter(({ done_at }) => done_at !== null);
  const before = finishedSteps.map(({ position }) => position);
  const finished = new Set([...(checklist_done ?? before), ...(checklist_tick ?? [])]);
  for (const number of checklist_untick ?? []) finished.delete(number);
  const after = [...finished].toSorted((left, right) => left - right);
  if (before.join() === after.join()) return unchanged;
  await tx.query(
    `UPDATE task_checklist_items SET
       done_at = CASE WHEN position = ANY ($3::int[]) THEN coalesce(done_at, app_now()) END,
       done_by = CASE WHEN position = ANY ($3::int[]) THEN coalesce(done_by, $4) END
     WHERE organization_id = $1 AND task_id = $2`,
    [caller.organizationId, taskId, after, caller.userId],
  );
  return {
    changes: [toChange("checklist_done", before, after)],
    before: finishedSteps.map(({ position, done_at, done_by }) => ({ position, done_at, done_by })),
  };
}

export async function compareSteps(
  tx: Tx,
  caller: Caller,
  taskId: string,
  finished: FinishedSteps,
): Promise<StepsChange> {
  const items = await findItems(tx, caller, taskId);
  const now = items.filter(({ done_at }) => done_at !== null);
  const numbers = (steps: FinishedSteps) => steps.map(({ position }) => position);
  return {
    changes: [toChange("checklist_done", numbers(now), numbers(finished))],
    before: now.map(({ position, done_at, done_by }) => ({ position, done_at, done_by })),
  };
}

export async function restoreSteps(
  tx: Tx,
  caller: Caller,
  taskId: string,
  finished: FinishedSteps,
): Promise<void> {
  await tx.query(
    `UPDATE task_checklist_items i SET done_at = f.done_at, done_by = f.done_by
     FROM task_checklist_items own
     LEFT JOIN unnest($3::int[], $4::timestamptz[], $5::text[]) AS f (position, done_at, done_by)
       ON f.position = own.position
     WHERE own.organization_id = $1 AND own.task_id = $2
       AND i.organization_id = $1 AND i.task_id = $2 AND i.position = own.position`,
    [
      caller.organizationId,
      taskId,
      finished.map(({ position }) => position),
      finished.map(({ done_at }) => done_at),
      finished.map(({ done_by }) => done_by),
    ],
  );
}
