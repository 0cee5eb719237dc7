import type { TaskType } from "../../db/entities/maintenance-task.js";
import { hourMs } from "./calendar.js";
import { findWorkers, pickWorker, type Draft, type PlannedAsset } from "./draft.js";

/** A task that is worked on, as far as the steps of the work need it. */
export interface Work {
  task: string;
  asset: PlannedAsset;
  type: TaskType;
  /** Steps of its checklist. */
  checklist: number;
  /** Takes the asset out of use. */
  isDown: boolean;
  assignee: string | undefined;
  /** Key of the occurrence that its end makes. */
  next?: string;
}

/** Who was told to, while they are there; else somebody of the place. */
function pickDoer(draft: Draft, { asset, assignee }: Work, at: number): string {
  const able = findWorkers(draft, asset.place, at);
  const isThere = able.some(({ key }) => key === assignee);
  return assignee !== undefined && isThere ? assignee : pickWorker(draft, asset.place, at);
}

export function sayStarted(draft: Draft, work: Work, at: number): void {
  const done = Math.floor(work.checklist / 2);
  draft.actions.push({
    at,
    actor: pickDoer(draft, work, at),
    step: {
      do: "update_task",
      task: work.task,
      fields: {
        state: "in_progress",
        ...(done > 0 && {
          checklist_done: Array.from({ length: done }, (_, index) => index + 1),
        }),
      },
    },
    events: { own: done > 0 ? 2 : 1, system: work.isDown ? 1 : 0 },
  });
}

export function sayOnHold(draft: Draft, work: Work, at: number): void {
  draft.actions.push({
    at,
    actor: pickDoer(draft, work, at),
    step: { do: "update_task", task: work.task, fields: { state: "on_hold" } },
    note: "Waiting for a spare part.",
    events: { own: 1, system: 0 },
  });
}

export function sayCancelled(draft: Draft, work: Work, at: number): void {
  const { task, next } = work;
  draft.actions.push({
    at,
    actor: pickDoer(draft, work, at),
    step: {
      do: "update_task",
      task,
      fields: { state: "cancelled" },
      ...(next !== undefined && { next }),
    },
    note: next === undefined ? "No longer needed." : "Skipped: done with another job.",
    events: { own: 1, system: next === undefined ? 0 : 1 },
  });
}

/** Done at a time; begun some hours before, as downtime needs and others often tell. */
export function sayCompleted(draft: Draft, work: Work, at: number): void {
  const { random } = draft;
  const { task, asset, isDown, checklist, next } = work;
  const begun = at - random.between(1, 5) * hourMs;
  if (isDown) {
    sayBegun(draft, work, begun);
    asset.windows.push({ from: begun, to: at });
  } else if (random.chance(0.45)) sayBegun(draft, work, begun);
  draft.actions.push({
    at,
    actor: pickDoer(draft, work, at),
    step: {
      do: "update_task",
      task,
      fields: {
        state: "completed",
        ...(checklist > 0 && {
          checklist_done: Array.from({ length: checklist }, (_, index) => index + 1),
        }),
        ...(work.type === "corrective" && {
          failure_cause: random.pick(["wear", "wear", "operation", "external", "unknown"]),
          activity: random.pick(["repair", "replace", "adjust"]),
          downtime_minutes: Math.round((at - begun) / 60_000),
        }),
        ...(random.chance(0.5) && { actual_minutes: random.between(2, 48) * 5 }),
      },
      ...(next !== undefined && { next }),
    },
    events: { own: 1, system: (isDown ? 1 : 0) + (next === undefined ? 0 : 1) },
    assetCost: asset.fields.purchase_cost,
  });
}

function sayBegun(draft: Draft, work: Work, at: number): void {
  sayStarted(draft, { ...work, checklist: 0 }, at);
}
