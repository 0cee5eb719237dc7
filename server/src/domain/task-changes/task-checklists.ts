import type { EntityManager } from "typeorm";
import { TaskChecklistItem } from "../../db/entities/task-checklist-item.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { toChange } from "../changes/differences.js";
import type { Change } from "../events/record-events.js";
import type { TaskUpdate } from "./task-update-rules.js";

/** The steps of a new task, numbered from 1. */
export async function addChecklist(
  tx: EntityManager,
  caller: Caller,
  taskId: string,
  steps: readonly string[],
): Promise<void> {
  if (steps.length === 0) return;
  const task = { organization_id: caller.organizationId, task_id: taskId };
  const items = steps.map((label, index) => ({ ...task, position: index + 1, label }));
  await tx.getRepository(TaskChecklistItem).insert(items);
}

export async function readSteps(
  tx: EntityManager,
  caller: Caller,
  taskId: string,
): Promise<{ label: string; done: boolean }[]> {
  const items = await tx.find(TaskChecklistItem, {
    where: { organization_id: caller.organizationId, task_id: taskId },
    order: { position: "ASC" },
  });
  return items.map(({ label, done_at }) => ({ label, done: done_at !== null }));
}

type StepChanges = Pick<TaskUpdate, "checklist_done" | "checklist_tick" | "checklist_untick">;

/** Finishes steps of a locked task, or opens them again. Who finished one earlier, and when, stays. */
export async function changeSteps(
  tx: EntityManager,
  caller: Caller,
  taskId: string,
  { checklist_done, checklist_tick, checklist_untick }: StepChanges,
): Promise<Change[]> {
  const given = { checklist_done, checklist_tick, checklist_untick };
  if (Object.values(given).every((numbers) => numbers === undefined)) return [];
  const steps = await readSteps(tx, caller, taskId);
  for (const [field, numbers = []] of Object.entries(given)) {
    const unknown = numbers.find((number) => number < 1 || number > steps.length);
    if (unknown !== undefined) {
      const details = { field, step: unknown, steps: steps.length };
      throw new AppError("validation_failed", "unknown_step", details);
    }
  }
  const before = steps.flatMap(({ done }, index) => (done ? [index + 1] : []));
  const finished = new Set([...(checklist_done ?? before), ...(checklist_tick ?? [])]);
  for (const number of checklist_untick ?? []) finished.delete(number);
  const after = [...finished].toSorted((left, right) => left - right);
  if (before.join() === after.join()) return [];
  await tx.query(
    `UPDATE task_checklist_items SET
       done_at = CASE WHEN position = ANY ($3::int[]) THEN coalesce(done_at, fettle_now()) END,
       done_by = CASE WHEN position = ANY ($3::int[]) THEN coalesce(done_by, $4) END
     WHERE organization_id = $1 AND task_id = $2`,
    [caller.organizationId, taskId, after, caller.userId],
  );
  return [toChange("checklist_done", before, after)];
}
