import { addDays } from "../domain/shared/dates.js";
import { addWorkdays, momentOn, toWorkday } from "./calendar.js";
import { jobsAhead, jobsDone, singleJobs } from "./data/jobs.js";
import { people } from "./data/northgate.js";
import { onTimeIn } from "./data/work.js";
import type { TaskRow } from "./ledger.js";
import { monthsBefore, toRecord } from "./recurring.js";
import {
  act,
  assetOf,
  findWorkers,
  idOf,
  momentToday,
  pickNote,
  vary,
  type Story,
} from "./story.js";
import { mondayOf } from "./today.js";

type Job = (typeof singleJobs)[number] & { asset: string; place: string };

/** Plans short jobs that were done until this morning, and long ones for the weeks ahead. */
export function planJobs(story: Story): void {
  const all = story.random.shuffle(
    story.plannedAssets
      .filter(({ name }) => !name.includes("planning office"))
      .flatMap(({ name: asset, category, workspace: place }) =>
        singleJobs
          .filter((job) => job.category === category)
          .map((job) => ({ ...job, asset, place })),
      ),
  );
  const short = all.filter(({ minutes }) => minutes < 60);
  planMorning(story, short);
  planJobsDone(story, short);
  const long = all.filter(({ minutes }) => minutes >= 60);
  planJobsAhead(story, long);
}

function planMorning(story: Story, jobs: Job[]): void {
  const { asOf, random } = story;
  const here = new Set(people.filter(({ lastActive }) => lastActive === 0).map(({ key }) => key));
  for (const minutes of [392, 417, 438]) {
    const job = take(jobs, (one) => workersOf(story, one).some((key) => here.has(key)));
    if (job === undefined) continue;
    const by = random.pick(workersOf(story, job).filter((key) => here.has(key)));
    planJobDone(story, job, { by, due: toWorkday(asOf), at: momentToday(story, minutes) });
  }
}

/** Counts up to a whole late job, so that each month has its share. */
function isLate(
  { late, asOf }: { late: Map<number, number>; asOf: string },
  job: Job,
  day: string,
) {
  if (job.type === "other" || job.type === "improvement") return false;
  const monthsAgo = monthsBefore(asOf, day);
  const share = (late.get(monthsAgo) ?? 0.5) + 1 - onTimeIn(monthsAgo);
  const isNow = share >= 1 && addWorkdays(day, 4) < asOf;
  late.set(monthsAgo, isNow ? share - 1 : share);
  return isNow;
}

function planJobsDone(story: Story, jobs: Job[]): void {
  const { asOf, random } = story;
  const late = new Map<number, number>();
  let [day, owed] = [asOf, 0];
  for (const { days, perDay } of jobsDone) {
    for (let nth = 0; nth < days; nth += 1) {
      day = addWorkdays(day, -1);
      for (owed += perDay; owed >= 1; owed -= 1) {
        const job = jobs.shift();
        if (job === undefined) return;
        const doneOn = isLate({ late, asOf }, job, day) ? addWorkdays(day, 4) : day;
        const by = random.pick(findWorkers(story, job.place, doneOn));
        const at = momentOn(doneOn, random.between(450, 900));
        planJobDone(story, job, { by, due: day, at });
      }
    }
  }
}

function take(jobs: Job[], isFit: (job: Job) => boolean): Job | undefined {
  const index = jobs.findIndex(isFit);
  return index < 0 ? undefined : jobs.splice(index, 1)[0];
}

function workersOf(story: Story, { place }: Job): string[] {
  return findWorkers(story, place, addDays(story.asOf, -1));
}

function planJobDone(
  story: Story,
  job: Job,
  { by, due, at }: { by: string; due: string; at: number },
): void {
  const { random } = story;
  const minutes = vary(story, job.minutes);
  const planned = addWorkdays(due, -random.between(2, 7));
  const asker = random.pick(["dara", "marek", "ana", by, by, by]);
  const task = planJob(story, job, { by, due, planned, asker });
  const note = job.note === "" ? undefined : pickNote(story, [job.note], job.asset);
  const isTimed = random.chance(0.6);
  act(story, { at, by }, (ledger) => {
    const record = isTimed ? toRecord({ parts: 0 }, minutes, note) : {};
    ledger.moveTask(task(), "completed", { record });
  });
}

/** Every technician has long jobs in the weeks after the next, fewer with each week. */
function planJobsAhead(story: Story, jobs: Job[]): void {
  const { asOf, random } = story;
  const technicians = people.filter(({ hours }) => Number(hours) > 0).map(({ key }) => key);
  for (const [week, { each, of }] of jobsAhead.entries()) {
    const monday = addDays(mondayOf(toWorkday(asOf)), 7 * (week + 2));
    const some = random.shuffle(technicians).slice(0, Math.round(of * technicians.length));
    for (const [index, by] of some.flatMap((key) => Array<string>(each).fill(key)).entries()) {
      const job = take(jobs, (one) => workersOf(story, one).includes(by));
      if (job === undefined) continue;
      const due = toWorkday(addDays(monday, (index * 3) % 5));
      const planned = addWorkdays(asOf, -random.between(2, 25));
      planJob(story, job, { by, due, planned, asker: by });
    }
  }
}

function planJob(
  story: Story,
  { title, type, minutes, asset }: Job,
  { by, due, planned, asker }: Record<"by" | "due" | "planned" | "asker", string>,
): () => TaskRow {
  const at = momentOn(planned, story.random.between(430, 800));
  return act(story, { at, by: asker }, (ledger) => {
    const { id: asset_id, workspace_id } = assetOf(story, asset);
    return ledger.addTask({
      ...{ title, type, priority: "medium", due_date: due, estimated_minutes: minutes },
      ...{ assigned_to_user_id: idOf(story, by), asset_id, workspace_id },
    });
  });
}
