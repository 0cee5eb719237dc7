import type { TaskType } from "../../db/entities/tasks.js";
import { findNextDue } from "../../domain/tasks/next-due-date.js";
import type { NewTask } from "../../domain/tasks/create-task.js";
import { kindOf, repeatingWork, smallJobs, type RepeatingWork } from "../data/northgate.js";
import { addDays, addMonths, dayMs, dayOf, hourMs, momentBetween } from "./calendar.js";
import {
  completeTask,
  createTask,
  isOfKind,
  setState,
  updateTask,
  usualState,
  type Plan,
  type PlannedAsset,
  type Task,
} from "./steps.js";

const allTasks = 400;
const overduePlans = 12;
const skippedOccurrences = 6;

/** Plans the four hundred tasks: recurring work, the pump's story and single tasks. */
export function planTasks(plan: Plan): void {
  planRepeatingWork(plan);
  const pump = plan.assets.find(({ key }) => key === "pump");
  for (let turn = 0; turn < 10 && pump !== undefined; turn += 1) {
    const around = plan.end - (22 + turn * 70) * dayMs;
    const from = momentBetween(plan.random, around - 4 * dayMs, around + 4 * dayMs);
    planFailure(plan, pump, "Shaft seal leaks", from);
  }
  planDown(plan);
  planSingleTasks(plan);
}

function planRepeatingWork(plan: Plan): void {
  const { random, assets, start } = plan;
  const pairs = repeatingWork.flatMap((work) =>
    assets
      .filter((asset) => isOfKind(asset, work.category) && asset.end !== "deleted")
      .filter(({ created }) => created < start + dayMs)
      .slice(work.assets[0] - 1, work.assets[1])
      .map((asset) => ({ work, asset })),
  );
  let overdue = 0;
  let skipped = 0;
  for (const { work, asset } of random.shuffle(pairs)) {
    const isOverdue = work.due === "" && overdue < overduePlans;
    if (isOverdue) overdue += 1;
    const dues = findDues(work, findPresentDue(plan, work, isOverdue));
    const isSkipping = dues.length > 3 && skipped < skippedOccurrences;
    if (isSkipping) skipped += 1;
    planSeries(plan, work, asset, dues, isSkipping);
  }
}

/** A random day is the 28th at the latest, which every month has. */
function findPresentDue({ random, asOf }: Plan, { due, every }: RepeatingWork, isOverdue: boolean) {
  if (due === "month end") return asOf.slice(0, 8) + "31";
  if (due === "leap day") {
    let day = addDays(asOf, 1);
    while (!day.endsWith("02-29")) day = addDays(day, 1);
    return day;
  }
  if (due !== "") return addDays(asOf, Number(due));
  const days = isOverdue ? -random.between(4, 38) : random.between(0, every * 30 - 16);
  const day = addDays(asOf, days);
  const beyond = Number(day.slice(-2)) - 28;
  return beyond > 0 ? addDays(day, isOverdue ? -beyond : 4) : day;
}

/** Counts back from the current due date to the first, then forward by the rule. */
function findDues(work: RepeatingWork, present: string): string[] {
  let past = Number(work.past);
  // A rule that began on a 31st means the last day of each month.
  while (work.due === "month end" && !addMonths(present, -past).endsWith("31")) past += 1;
  for (; ; past -= 1) {
    const first = addMonths(present, -past * work.every);
    const rule = {
      every: work.every,
      unit: "month",
      anchor: work.anchor,
      anchor_day: Number(first.slice(-2)),
      on_weekday: null,
      ends_on: null,
    } as const;
    const dues = [first];
    for (let last = first; dues.length <= past; dues.push(last)) {
      last = findNextDue(rule, { dueDate: last, doneOn: last, today: last }).due ?? last;
    }
    // A start in a shorter month leads to another day. Fewer occurrences fix that.
    if (dues.at(-1) === addMonths(present, 0)) return dues;
  }
}

/** Plans all occurrences of recurring work, the current one last. May skip one. */
function planSeries(
  plan: Plan,
  work: RepeatingWork,
  asset: PlannedAsset,
  dues: readonly string[],
  isSkipping: boolean,
): void {
  const { random, start, end } = plan;
  const { title, type, every, anchor, minutes, downtime, checklist } = work;
  const [first = plan.asOf] = dues;
  if (downtime) asset.isStatePlanned = true;
  const from = Math.max(start + 2 * dayMs, Math.min(Date.parse(first), end) - 40 * dayMs);
  let at = momentBetween(random, from, Math.min(end - dayMs, from + 12 * dayMs));
  const years = every % 12 === 0 && { every: every / 12, unit: "year" as const };
  let task = createTask(plan, asset, at, {
    title,
    type,
    due_date: first,
    priority: asset.fields.criticality === "critical" ? "high" : "medium",
    estimated_minutes: minutes,
    requires_downtime: downtime,
    recurrence: { every, unit: "month", anchor, ...years },
    ...(checklist.length > 0 && { checklist }),
  });
  for (const [index, due] of dues.slice(0, -1).entries()) {
    const next = `${task.key} +`;
    at = doneAt(plan, work, due, at);
    if (isSkipping && index === dues.length - 3) {
      const note = "Skipped: done with another job.";
      updateTask(plan, task, at, { state: "cancelled", note }, { next });
    } else completeTask(plan, task, at, next);
    task = { ...task, key: next };
  }
}

/**
 * Mostly on time, sometimes up to two weeks late. On the due day if the next date depends on
 * completion.
 */
function doneAt({ random, end }: Plan, work: RepeatingWork, due: string, after: number): number {
  const day = Date.parse(due);
  if (work.anchor === "completion_date") {
    return momentBetween(random, day + 6 * hourMs, day + 15 * hourMs);
  }
  const from = Math.max(after + dayMs, day - (work.every === 1 ? 3 : 7) * dayMs);
  const to = day + (work.every >= 3 && random.chance(0.08) ? 14 : 0.6) * dayMs;
  return momentBetween(random, Math.min(from, end - 2 * dayMs), Math.min(to, end - dayMs));
}

/** Number of single tasks per type and outcome. Completed preventive tasks are the rest. */
const singleTasks: [type: TaskType, outcome: Outcome, count: number][] = [
  ["corrective", "failure", 25],
  ["corrective", "completed", 25],
  ["corrective", "cancelled", 6],
  ["corrective", "overdue", 10],
  ["corrective", "scheduled", 8],
  ["preventive", "cancelled", 4],
  ["preventive", "overdue", 9],
  ["preventive", "scheduled", 11],
];
type Outcome = "failure" | "completed" | "cancelled" | "overdue" | "scheduled";

/** Plans repairs and small tasks without recurrence, one asset after another. */
function planSingleTasks(plan: Plan): void {
  const assets = plan.random.shuffle(
    plan.assets.filter(
      ({ isStatePlanned, fields }) => !isStatePlanned && fields.category !== undefined,
    ),
  );
  const tasks = singleTasks.flatMap(([type, outcome, count]) =>
    Array.from({ length: count }, () => ({ type, outcome })),
  );
  const planned = plan.actions.filter(
    ({ step }) => step.do === "create_task" || ("next" in step && step.next !== undefined),
  );
  while (planned.length + tasks.length < allTasks) {
    tasks.push({ type: "preventive", outcome: "completed" });
  }
  for (const [index, { type, outcome }] of tasks.entries()) {
    const asset = assets[index % assets.length];
    if (asset !== undefined) planSingleTask(plan, asset, type, outcome);
  }
}

function planSingleTask(plan: Plan, asset: PlannedAsset, type: TaskType, outcome: Outcome): void {
  const { random, asOf, end } = plan;
  const title = type === "corrective" ? pickFault(plan, asset) : random.pick(smallJobs);
  const priority = random.pick(["low", "medium", "medium", "high"] as const);
  if (outcome === "overdue" || outcome === "scheduled") {
    const at = momentBetween(random, end - 50 * dayMs, end - 40 * dayMs);
    const days = outcome === "overdue" ? -random.between(1, 30) : random.between(0, 40);
    createTask(plan, asset, at, { title, type, due_date: addDays(asOf, days), priority });
    return;
  }
  const at = momentBetween(random, asset.created + 3 * dayMs, end - 20 * dayMs);
  if (outcome === "failure") {
    planFailure(plan, asset, title, at);
    return;
  }
  const due = addDays(dayOf(at), random.between(4, 21));
  const task = createTask(plan, asset, at, { title, type, due_date: due, priority });
  const endedAt = momentBetween(random, at + dayMs, at + 15 * dayMs);
  if (outcome === "cancelled") {
    updateTask(plan, task, endedAt, { state: "cancelled", note: "No longer needed." });
  } else completeTask(plan, task, endedAt);
}

function pickFault({ random }: Plan, { fields }: PlannedAsset): string {
  return random.pick(kindOf(fields.category ?? "").faults);
}

/** Plans a failure and its repair, with a downtime of some hours to two days. */
function planFailure(plan: Plan, asset: PlannedAsset, title: string, from: number): void {
  const { random } = plan;
  const reported = from + random.between(5, 90) * 60_000;
  const done = reported + random.between(7, 40) * hourMs;
  const to = done + random.between(10, 50) * 60_000;
  asset.isStatePlanned = true;
  setState(plan, asset, from, { state: "out_of_service", note: `${title}.` });
  const priority = random.pick(["high", "high", "urgent"] as const);
  const due_date = addDays(dayOf(from), 3);
  const task = createRepair(plan, asset, reported, {
    title,
    due_date,
    priority,
    requires_downtime: true,
  });
  completeTask(plan, task, done);
  setState(plan, asset, to, { state: usualState(asset), note: "Repaired and tested." });
}

const retiredFor = ["scrapped", "sold", "disposed", "stolen", "returned", "donated"] as const;
const startedTasks = 12;
const tasksOnHold = 4;

/** Plans assets that are down on the reference day: some through their task, the rest by hand. */
function planDown(plan: Plan): void {
  const { random, assets, asOf } = plan;
  const inWork = assets.filter(({ end }) => end === "in_maintenance").slice(0, startedTasks);
  const waiting = assets.filter(({ end }) => end === "out_of_service").slice(0, tasksOnHold);
  for (const asset of assets) {
    const { end: state, downSince: at } = asset;
    if (at === undefined) continue;
    const due_date = addDays(asOf, random.between(0, 9));
    if (inWork.includes(asset)) {
      const reported = at - random.between(1, 9) * dayMs;
      const task = createRepair(plan, asset, reported, { due_date, requires_downtime: true });
      updateTask(plan, task, at, { state: "in_progress" });
      continue;
    }
    const reason = state === "deleted" ? random.pick(retiredFor) : undefined;
    setState(plan, asset, at, { state, reason });
    if (!waiting.includes(asset)) continue;
    const task = createRepair(plan, asset, at + 2 * hourMs, { due_date });
    const begun = momentBetween(random, at + dayMs, at + 4 * dayMs);
    updateTask(plan, task, begun, { state: "in_progress" });
    const held = begun + random.between(1, 6) * hourMs;
    updateTask(plan, task, held, { state: "on_hold", note: "Waiting for a spare part." });
  }
}

function createRepair(plan: Plan, asset: PlannedAsset, at: number, fields: Partial<NewTask>): Task {
  const title = pickFault(plan, asset);
  return createTask(plan, asset, at, { type: "corrective", title, priority: "high", ...fields });
}
