import type { TaskPriority, TaskType } from "../../db/entities/maintenance-task.js";
import { addDays, dayMs, dayOf, hourMs, momentBetween } from "./calendar.js";
import { isFree, pickWorker, type Draft, type PlannedAsset } from "./draft.js";
import { sampleKinds } from "./kinds.js";
import { pickAssignee } from "./plan-upkeep.js";
import { sayCancelled, sayCompleted, sayOnHold, sayStarted, type Work } from "./plan-work.js";

/** How many single tasks end in each way; of preventive ones the rest is completed. */
const preventive = { overdue: 9, scheduled: 11, cancelled: 4 };
const corrective = {
  overdue: 4,
  scheduled: 12,
  started: 8,
  startedOverdue: 4,
  onHold: 4,
  onHoldOverdue: 2,
  cancelled: 6,
  afterFailure: 25,
  small: 25,
};
const pumpFailures = 10;
const daysBetweenFailures = 70;

const jobs = [
  "Tighten fixings",
  "Clean housing",
  "Renew labels",
  "Check mounting",
  "Take photos for the file",
  "Touch up paint",
  "Move to a better place",
] as const;

/** Plans the single tasks: repairs, and small work without a repeat rule. */
export function planRepairs(draft: Draft, { preventiveTasks }: { preventiveTasks: number }): void {
  planFailingPump(draft);
  const live = draft.assets.filter(
    ({ isScripted, end, kind }) => !isScripted && end !== "deleted" && kind !== undefined,
  );
  const inWork = live.filter(({ end }) => end === "in_maintenance");
  const broken = live.filter(({ end }) => end === "out_of_service");
  planStarted(draft, inWork, corrective.startedOverdue, true);
  planStarted(draft, inWork.slice(corrective.startedOverdue), corrective.started, false);
  planOnHold(draft, broken, corrective.onHoldOverdue, true);
  planOnHold(draft, broken.slice(corrective.onHoldOverdue), corrective.onHold, false);
  const whole = live.filter(({ settles }) => settles === undefined);
  const next = createTurns(draft, whole);
  repeat(corrective.afterFailure, () => {
    planFailure(draft, next());
  });
  repeat(corrective.small, () => {
    planDone(draft, next(), "corrective");
  });
  repeat(corrective.cancelled, () => {
    planCancelled(draft, next(), "corrective");
  });
  repeat(corrective.overdue, () => {
    planOpen(draft, next(), "corrective", true);
  });
  repeat(corrective.scheduled, () => {
    planOpen(draft, next(), "corrective", false);
  });
  repeat(preventive.cancelled, () => {
    planCancelled(draft, next(), "preventive");
  });
  repeat(preventive.overdue, () => {
    planOpen(draft, next(), "preventive", true);
  });
  repeat(preventive.scheduled, () => {
    planOpen(draft, next(), "preventive", false);
  });
  const { cancelled, overdue, scheduled } = preventive;
  repeat(preventiveTasks - cancelled - overdue - scheduled, () => {
    planDone(draft, next(), "preventive");
  });
}

function repeat(times: number, plan: () => void): void {
  for (let turn = 0; turn < times; turn += 1) plan();
}

/** One asset after the other, in an order by chance, from the beginning again when all had a turn. */
function createTurns({ random }: Draft, assets: readonly PlannedAsset[]): () => PlannedAsset {
  const order = random.shuffle(assets);
  let turn = 0;
  return () => {
    const asset = order[turn % order.length];
    turn += 1;
    if (asset === undefined) throw new Error("The sample plan has no assets to work on.");
    return asset;
  };
}

interface NewWork {
  type: TaskType;
  title: string;
  at: number;
  due?: string | undefined;
  priority?: TaskPriority;
  isDown?: boolean;
}

/** Somebody reports or plans work; answers with what its further steps need. */
function sayCreated(draft: Draft, asset: PlannedAsset, work: NewWork): Work {
  const { random } = draft;
  const { at, type, title, due, priority = "medium", isDown = false } = work;
  const task = `single ${draft.actions.length}`;
  const assignee = random.chance(0.7) ? pickAssignee(draft, asset, at) : undefined;
  draft.actions.push({
    at,
    actor: pickWorker(draft, asset.place, at),
    step: {
      do: "create_task",
      task,
      asset: asset.key,
      fields: {
        title,
        type,
        priority,
        requires_downtime: isDown,
        ...(due !== undefined && { due_date: due }),
        ...(random.chance(0.6) && { estimated_minutes: random.between(1, 16) * 15 }),
      },
      ...(assignee !== undefined && { assignee }),
    },
    events: { own: 1, system: 0 },
  });
  asset.tasks += 1;
  return { task, asset, type, checklist: 0, isDown, assignee };
}

function titleOf({ random }: Draft, { kind }: PlannedAsset, type: TaskType): string {
  if (type !== "corrective" || kind === undefined) return random.pick(jobs);
  return random.pick(sampleKinds[kind].faults);
}

/** Breaks down, is repaired and given back: at least two hours, at most some days. */
function sayFailure(draft: Draft, asset: PlannedAsset, title: string, from: number): void {
  const { random } = draft;
  const reported = from + random.between(5, 90) * 60_000;
  const done = reported + random.between(7, 40) * hourMs;
  const work = sayCreated(draft, asset, {
    type: "corrective",
    title,
    at: reported,
    due: addDays(dayOf(from), 3),
    priority: random.pick(["high", "high", "urgent"]),
    isDown: true,
  });
  const to = done + random.between(10, 50) * 60_000;
  asset.windows.push({
    from,
    to,
    byHand: { state: "out_of_service", note: `${title}.`, back: "Repaired and tested." },
  });
  sayCompleted(draft, work, done);
}

function planFailingPump(draft: Draft): void {
  const pump = draft.assets.find(({ key }) => key === "pump");
  if (pump === undefined) return;
  for (let turn = pumpFailures - 1; turn >= 0; turn -= 1) {
    const around = draft.end - (22 + turn * daysBetweenFailures) * dayMs;
    const from = momentBetween(draft.random, around - 4 * dayMs, around + 4 * dayMs);
    sayFailure(draft, pump, "Shaft seal leaks", from);
  }
}

function planFailure(draft: Draft, asset: PlannedAsset): void {
  const { random, end } = draft;
  for (;;) {
    const from = momentBetween(random, asset.created + 6 * dayMs, end - 8 * dayMs);
    if (!isFree(asset, from, from + 3 * dayMs)) continue;
    sayFailure(draft, asset, titleOf(draft, asset, "corrective"), from);
    return;
  }
}

function planDone(draft: Draft, asset: PlannedAsset, type: TaskType): void {
  const { random, end } = draft;
  const at = momentBetween(random, asset.created + 2 * dayMs, end - 20 * dayMs);
  const due = addDays(dayOf(at), random.between(4, 21));
  const work = sayCreated(draft, asset, { type, title: titleOf(draft, asset, type), at, due });
  sayCompleted(draft, work, momentBetween(random, at + dayMs, at + 15 * dayMs));
}

function planCancelled(draft: Draft, asset: PlannedAsset, type: TaskType): void {
  const { random, end } = draft;
  const at = momentBetween(random, asset.created + 2 * dayMs, end - 20 * dayMs);
  const work = sayCreated(draft, asset, { type, title: titleOf(draft, asset, type), at });
  sayCancelled(draft, work, momentBetween(random, at + dayMs, at + 18 * dayMs));
}

function planOpen(draft: Draft, asset: PlannedAsset, type: TaskType, isOverdue: boolean): void {
  const { random, end, asOf } = draft;
  const at = momentBetween(random, end - 50 * dayMs, end - (isOverdue ? 40 : 2) * dayMs);
  const inDays = isOverdue ? -random.between(1, 30) : random.between(0, 40);
  const due = !isOverdue && random.chance(0.15) ? undefined : addDays(asOf, inDays);
  const title = titleOf(draft, asset, type);
  sayCreated(draft, asset, {
    type,
    title,
    at,
    due,
    priority: random.pick(["low", "medium", "medium", "high"]),
  });
}

/** The work that keeps these assets in maintenance. */
function planStarted(
  draft: Draft,
  assets: readonly PlannedAsset[],
  count: number,
  isOverdue: boolean,
): void {
  const { random, asOf } = draft;
  for (const asset of assets.slice(0, count)) {
    const begun = asset.settles ?? draft.end - dayMs;
    const at = momentBetween(random, begun - 9 * dayMs, begun - dayMs);
    const due = addDays(asOf, isOverdue ? -1 : random.between(0, 5));
    const title = titleOf(draft, asset, "corrective");
    const work = sayCreated(draft, asset, {
      type: "corrective",
      title,
      at,
      due,
      priority: "high",
      isDown: true,
    });
    sayStarted(draft, work, begun);
    asset.windows.push({ from: begun, to: Infinity });
  }
}

/** The work that these broken assets wait for. */
function planOnHold(
  draft: Draft,
  assets: readonly PlannedAsset[],
  count: number,
  isOverdue: boolean,
): void {
  const { random, asOf, end } = draft;
  for (const asset of assets.slice(0, count)) {
    const broken = asset.settles ?? end - 9 * dayMs;
    const at = momentBetween(random, broken + hourMs, broken + 9 * hourMs);
    const due = addDays(asOf, isOverdue ? -random.between(1, 3) : random.between(1, 14));
    const title = titleOf(draft, asset, "corrective");
    const work = sayCreated(draft, asset, { type: "corrective", title, at, due, priority: "high" });
    const begun = momentBetween(random, at + dayMs, at + 4 * dayMs);
    sayStarted(draft, work, begun);
    sayOnHold(draft, work, begun + random.between(1, 6) * hourMs);
  }
}
