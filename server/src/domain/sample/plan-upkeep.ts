import type { RepeatRule } from "../tasks/recurrence.js";
import { dayOfMonth, findNextDue } from "../tasks/recurrence.js";
import { addDays, dayMs, hourMs, momentBetween, startOfDay } from "./calendar.js";
import { findWorkers, pickWorker, type Draft, type PlannedAsset } from "./draft.js";
import { sayCancelled, sayCompleted, sayStarted } from "./plan-work.js";
import { sampleUpkeep, type Upkeep } from "./upkeep.js";

/** Plans whose present occurrence is overdue besides those of the stories, and in progress. */
const overduePlans = 12;
const startedPlans = 4;
const skippedOccurrences = 6;

type Present = "scheduled" | "overdue" | "started" | "month_end" | "leap_day";

interface Job {
  key: string;
  upkeep: Upkeep;
  asset: PlannedAsset;
  present: Present;
}

/** Plans the sixty repeating jobs with all their occurrences; answers with how many are over. */
export function planUpkeep(draft: Draft): { past: number } {
  const jobs = sampleUpkeep.flatMap((upkeep, index) =>
    findAssets(draft, upkeep).map((asset, copy): Job => ({
      key: `plan ${index + 1}.${copy + 1}`,
      upkeep,
      asset,
      present: upkeep.present ?? "scheduled",
    })),
  );
  const open = draft.random.shuffle(jobs.filter(({ upkeep }) => upkeep.present === undefined));
  for (const job of open.slice(0, overduePlans)) job.present = "overdue";
  const calm = open
    .slice(overduePlans)
    .filter(({ upkeep, asset }) => upkeep.downtime === undefined && asset.settles === undefined);
  for (const job of calm.slice(0, startedPlans)) job.present = "started";
  const chains = jobs.map((job) => ({ job, dues: findDues(draft, job) }));
  const past = chains.reduce((sum, { dues }) => sum + dues.length - 1, 0);
  const skipped = new Set<string>();
  for (const { job, dues } of draft.random.shuffle(chains.filter(({ dues }) => dues.length > 3))) {
    if (skipped.size < skippedOccurrences) skipped.add(`${job.key} ${dues.length - 2}`);
  }
  for (const { job, dues } of chains) planChain(draft, job, dues, skipped);
  return { past };
}

function findAssets({ assets }: Draft, { kind, on }: Upkeep): PlannedAsset[] {
  if ("keys" in on) return assets.filter(({ key }) => on.keys.includes(key));
  return assets
    .filter((asset) => asset.kind === kind && !asset.isPart && !asset.isScripted)
    .filter(({ end, created }) => end !== "deleted" && created < assetsArrivedBy(assets))
    .slice(on.from, on.from + on.count);
}

function assetsArrivedBy(assets: readonly PlannedAsset[]): number {
  return Math.min(...assets.map(({ created }) => created)) + dayMs;
}

function toRule({ every, unit, anchor = "due_date" }: Upkeep, due: string): RepeatRule {
  return { every, unit, anchor, anchor_day: dayOfMonth(due), ends_on: null };
}

/** The due days of all occurrences, the present one last; found backwards from that. */
function findDues(draft: Draft, job: Job): string[] {
  const { upkeep } = job;
  if (job.present === "leap_day") return [nextLeapDay(draft.asOf)];
  if (job.present === "month_end") return monthEnds(draft.asOf, upkeep.past);
  const present = presentDue(draft, job);
  if (upkeep.anchor === "completion_date") return completionDues(upkeep, present);
  for (let past = upkeep.past; ; past -= 1) {
    const dues = stepsFrom(upkeep, monthsBefore(present, past * monthsOf(upkeep)), past);
    // A month without such a day leads elsewhere; the same month of another year never does.
    if (dues.at(-1) === present) return dues;
  }
}

function presentDue(draft: Draft, { upkeep, present }: Job): string {
  const { random, asOf } = draft;
  if (present === "overdue") {
    const [least, most] = upkeep.overdueBy ?? [1, 38];
    const due = addDays(asOf, -random.between(least, most));
    return upkeep.overdueBy === undefined && dayOfMonth(due) > 28 ? addDays(due, -3) : due;
  }
  const latest = present === "started" ? 3 : monthsOf(upkeep) * 30 - 12;
  const due = addDays(asOf, random.between(0, latest));
  return dayOfMonth(due) > 28 ? addDays(due, 4) : due;
}

function stepsFrom(upkeep: Upkeep, first: string, count: number): string[] {
  const rule = toRule(upkeep, first);
  const dues = [first];
  for (let step = 0; step < count; step += 1) {
    const dueDate = dues.at(-1) ?? first;
    dues.push(findNextDue(rule, { dueDate, doneOn: dueDate, today: dueDate }).due ?? dueDate);
  }
  return dues;
}

/** Each occurrence is counted from the day the one before was done, which is its due day here. */
function completionDues(upkeep: Upkeep, present: string): string[] {
  const dues = [present];
  for (let step = 0; step < upkeep.past; step += 1) {
    const later = dues[0] ?? present;
    let done = monthsBefore(later, monthsOf(upkeep));
    if (dayOfMonth(done) !== dayOfMonth(later)) done = addDays(done, -1);
    dues.unshift(done);
  }
  // Shorter months make some steps inexact: the chain is what the rule really makes of the first.
  return stepsFrom(upkeep, dues[0] ?? present, upkeep.past);
}

function monthsOf({ every, unit }: Upkeep): number {
  return unit === "year" ? every * 12 : every;
}

function monthsBefore(day: string, months: number): string {
  const index = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 - months;
  const year = Math.floor(index / 12);
  const last = new Date(Date.UTC(year, (index % 12) + 1, 0));
  last.setUTCDate(Math.min(dayOfMonth(day), last.getUTCDate()));
  return last.toISOString().slice(0, 10);
}

function nextLeapDay(asOf: string): string {
  for (let year = Number(asOf.slice(0, 4)); ; year += 1) {
    const day = `${year}-02-29`;
    if (day > asOf && new Date(`${day}T00:00:00Z`).getUTCDate() === 29) return day;
  }
}

/** From the 31st of a month about a year ago; shorter months fall to their last day. */
function monthEnds(asOf: string, past: number): string[] {
  for (let months = past; ; months += 1) {
    const first = monthsBefore(`${asOf.slice(0, 8)}31`, months);
    if (dayOfMonth(first) !== 31) continue;
    const rule = {
      every: 1,
      unit: "month",
      anchor: "due_date",
      anchor_day: 31,
      ends_on: null,
    } as const;
    const dues = [first];
    while ((dues.at(-1) ?? first) < asOf) {
      const dueDate = dues.at(-1) ?? first;
      dues.push(findNextDue(rule, { dueDate, doneOn: dueDate, today: dueDate }).due ?? asOf);
    }
    return dues;
  }
}

function planChain(draft: Draft, job: Job, dues: string[], skipped: Set<string>): void {
  const { random, end } = draft;
  const { key, upkeep, asset } = job;
  const { created, assignee } = sayPlanned(draft, job, dues[0] ?? draft.asOf);
  asset.tasks += dues.length;
  const work = {
    asset,
    checklist: upkeep.checklist.length,
    isDown: upkeep.downtime ?? false,
    assignee,
    type: upkeep.type,
  };
  let at = created;
  for (const [index, due] of dues.slice(0, -1).entries()) {
    const task = `${key} ${index}`;
    const next = `${key} ${index + 1}`;
    at = completionOf(draft, job, due, at);
    if (skipped.has(task)) sayCancelled(draft, { ...work, task, next }, at);
    else sayCompleted(draft, { ...work, task, next }, at);
  }
  if (job.present !== "started") return;
  const task = `${key} ${dues.length - 1}`;
  sayStarted(draft, { ...work, task }, momentBetween(random, end - 2 * dayMs, end - hourMs));
}

/** Somebody plans the work, a few weeks before it is due for the first time. */
function sayPlanned(draft: Draft, { key, upkeep, asset }: Job, due: string) {
  const { random, start, end } = draft;
  const { title, type, every, unit, anchor, minutes, checklist, downtime = false } = upkeep;
  const earliest = Math.max(start + dayMs, Math.min(startOfDay(due), end) - 40 * dayMs);
  const created = momentBetween(random, earliest, Math.min(end - dayMs, earliest + 12 * dayMs));
  const assignee = random.chance(0.8) ? pickAssignee(draft, asset, created) : undefined;
  draft.actions.push({
    at: created,
    actor: pickWorker(draft, asset.place, created),
    step: {
      do: "create_task",
      task: `${key} 0`,
      asset: asset.key,
      fields: {
        title,
        type,
        due_date: due,
        priority: asset.fields.criticality === "critical" ? "high" : "medium",
        estimated_minutes: minutes,
        requires_downtime: downtime,
        recurrence: { every, unit, anchor },
        ...(checklist.length > 0 && { checklist: [...checklist] }),
      },
      ...(assignee !== undefined && { assignee }),
    },
    events: { own: 1, system: 0 },
  });
  return { created, assignee };
}

/** On time mostly; now and then a week or two late. */
function completionOf(draft: Draft, { upkeep }: Job, due: string, after: number): number {
  const { random, end } = draft;
  const day = startOfDay(due);
  if (upkeep.anchor === "completion_date") {
    return momentBetween(random, day + 7 * hourMs, day + 17 * hourMs);
  }
  const months = monthsOf(upkeep);
  const late = months >= 3 && random.chance(0.08);
  const from = Math.max(after + dayMs, day - (months === 1 ? 3 : 7) * dayMs);
  const to = day + (late ? 14 : 1) * dayMs - hourMs;
  return momentBetween(random, Math.min(from, end - 2 * dayMs), Math.min(to, end - dayMs));
}

/** Somebody who is still there on the day of reference. */
export function pickAssignee(draft: Draft, asset: PlannedAsset, at: number): string | undefined {
  const now = new Set(findWorkers(draft, asset.place, draft.end - 1).map(({ key }) => key));
  const able = findWorkers(draft, asset.place, at).filter(({ key }) => now.has(key));
  const own = able.filter(({ role }) => role === "member");
  const [first, ...rest] = own.length > 0 ? own : able;
  return first === undefined ? undefined : draft.random.pick([first, ...rest]).key;
}
