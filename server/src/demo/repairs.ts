import { addDays, addMonths } from "../domain/shared/dates.js";
import { createId, createToken } from "../domain/shared/ids.js";
import { addWorkdays, isWorkday, momentOn, toWorkday } from "./calendar.js";
import {
  answeredReports,
  badFault,
  badMonth,
  failuresIn,
  faults,
  type Fault,
} from "./data/work.js";
import type { AssetRow, Ledger, TaskRow } from "./ledger.js";
import { toRecord } from "./recurring.js";
import { act, assetOf, findWorkers, idOf, isFree, sampleMonths, type Story } from "./story.js";

const hourMs = 3_600_000;
const pumpEvery = 70;

interface Failure {
  fault: Fault;
  name: string;
  day: string;
  /** True if the asset can't be used until the repair is done. */
  isDown: boolean;
  /** From a report, by someone with or without an account. */
  isReported: boolean;
  /** In days. */
  lasts?: number;
  hasPhotos: boolean;
}

/** Plans what failed: some assets in every month, more in the two hot months of each year. */
export function planFailures(story: Story): void {
  const { asOf, random, start, plannedAssets } = story;
  const first = addDays(start, 25);
  const last = addWorkdays(asOf, -3);
  const pumpDays = Array.from({ length: 10 }, (_, turn) =>
    toStart(upTo26(toStart(addDays(asOf, -22 - turn * pumpEvery)))),
  );
  for (let monthsAgo = 0; monthsAgo <= sampleMonths; monthsAgo += 1) {
    const month = addMonths(asOf, -monthsAgo).slice(0, 8);
    const days = Array.from(
      { length: 28 },
      (_, index) => `${month}${String(index + 1).padStart(2, "0")}`,
    ).filter((day) => day >= first && day <= last && toStart(day) === day && day < `${month}27`);
    const ofPump = pumpDays.filter((day) => day.startsWith(month));
    const share = monthsAgo === 0 ? days.length / 17 : 1;
    const count = Math.round(failuresIn(monthsAgo) * Math.min(1, share)) - ofPump.length;
    for (const day of ofPump) planFailure(story, toPumpFailure(day));
    for (let index = 0; index < count && days.length > 0; index += 1) {
      const day = days[Math.floor(((index + random.next()) / count) * days.length)] ?? asOf;
      const isHot = failuresIn(monthsAgo) === 6 && index % 3 !== 0;
      const fault = random.pick(
        faults.filter(
          ({ category, title }) =>
            title !== "Replace shaft seal" && (!isHot || category === "Rooftop units"),
        ),
      );
      const named = plannedAssets.filter(({ category }) => category === fault.category);
      const { name } = random.pick(named);
      const isBad = monthsAgo === badMonth && index === 1;
      const isDown = isBad || (index + ofPump.length) % 3 !== 2;
      const more = { isReported: index % 3 === 1 && !isBad, hasPhotos: monthsAgo < 5 };
      if (isBad)
        planFailure(story, {
          fault: badFault,
          name: "Lift B, canteen",
          day: toStart(`${month}05`),
          isDown,
          lasts: 9,
          ...more,
        });
      else planFailure(story, { fault, name, day, isDown, ...more });
    }
  }
}

const shaftSeal = faults.find(({ title }) => title === "Replace shaft seal") ?? badFault;
const toPumpFailure = (day: string): Failure => ({
  ...{ fault: shaftSeal, name: "Circulation pump, heating circuit 1", day },
  ...{ isDown: true, isReported: false, hasPhotos: true },
});

/** Repairs end in the month in which they began. */
const upTo26 = (day: string) => (day.slice(8) > "26" ? `${day.slice(0, 8)}26` : day);

/** The latest day up to this one on which a repair can end on the next day. */
function toStart(day: string): string {
  return isWorkday(day) && isWorkday(addDays(day, 1)) ? day : toStart(addDays(day, -1));
}

/** When it failed, and when the repair was planned, begun and done. `minutes` is the work. */
function planTimes({ random }: Story, { fault, day, isDown, lasts }: Failure) {
  const minutes = Math.max(15, Math.round((fault.minutes * random.between(80, 130)) / 500) * 5);
  const isOnCall = !isDown && minutes < 120 && random.chance(0.25);
  const latest = isDown ? 760 : 880 - minutes;
  const failed = momentOn(day, isOnCall ? random.between(1080, 1160) : random.between(410, latest));
  const planned = failed + random.between(15, 50) * 60_000;
  const nextDay = momentOn(addDays(day, 1), Math.max(400 + minutes, random.between(560, 860)));
  const soon = isDown ? nextDay : planned + (minutes + 40) * 60_000;
  const done = lasts === undefined ? soon : momentOn(toWorkday(addDays(day, lasts)), 840);
  return { minutes, failed, planned, begun: done - Math.min(minutes, 400) * 60_000, done };
}

/** Plans a failure, its report, its repair and the return to use. */
function planFailure(story: Story, failure: Failure): void {
  const { random, workspaces, plannedAssets } = story;
  const { fault, name, day, isDown, isReported } = failure;
  const site = plannedAssets.find((one) => one.name === name)?.workspace ?? "";
  const by = random.pick(findWorkers(story, workspaces.get(site) ?? null, day));
  const { minutes, failed, planned, begun, done } = planTimes(story, failure);
  const reporter = isReported && random.chance(0.6) ? "" : by;
  const asset = () => assetOf(story, name);
  const text = `${fault.complaint}.`;
  let task: TaskRow | undefined;
  let report: Record<string, unknown> = {};
  let wasDown: AssetRow["state"] | undefined;
  act(story, failed, reporter, (ledger) => {
    const given = { text, usable: !isDown, at: failed, by: reporter };
    if (isReported) report = addReport(story, ledger, asset(), given);
    if (!isDown || !isFree(asset())) return;
    wasDown = asset().state;
    report["state_before"] = wasDown;
    ledger.setState(asset(), "out_of_service", isReported ? {} : { note: text });
  });
  act(story, planned, isReported ? "ana" : by, (ledger) => {
    const { id: asset_id, workspace_id } = asset();
    const plan = { priority: isDown ? "high" : "medium", due_date: addWorkdays(day, 3) };
    task = ledger.addTask({
      ...{ title: fault.title, type: "corrective", asset_id, workspace_id, ...plan },
      ...{ estimated_minutes: fault.minutes, description: text },
      assigned_to_user_id: idOf(story, by),
    });
    closeReport(story, report, { status: "accepted", task_id: task.id, at: planned });
  });
  act(story, begun, by, (ledger) => {
    if (task !== undefined) ledger.moveTask(task, "in_progress");
  });
  act(story, done - 60_000, by, (ledger) => {
    if (wasDown === undefined || asset().state !== "out_of_service") return;
    ledger.setState(asset(), wasDown, { note: "Tested under load, back in use." });
    report["usable_again_at"] = new Date(done - 60_000);
  });
  const { activity, cause: failure_cause } = fault;
  const downtime_minutes = isDown ? Math.round((done - failed) / 60_000) : minutes;
  const more = { activity, failure_cause, downtime_minutes };
  act(story, done, by, (ledger) => {
    if (task === undefined) return;
    const record = toRecord(fault, minutes, random.pick(fault.notes), more);
    ledger.moveTask(task, "completed", { record });
    if (failure.hasPhotos) addPhotos(story, task, { category: fault.category, by, at: done });
  });
}

function addPhotos(
  { ledger, files, people }: Story,
  task: TaskRow,
  { category, by, at }: { category: string; by: string; at: number },
): void {
  for (const look of ["before", "after"] as const) {
    const file = { owner: { task_id: task.id }, name: `${look}.jpg`, category, look };
    ledger.note({ task }, undefined, file.name);
    files.push({ ...file, by: people.get(by)?.userId ?? null, at: new Date(at) });
  }
}

interface NewReport {
  text: string;
  usable: boolean;
  at: number;
  /** Empty for someone without an account. */
  by: string;
  name?: string;
}

/** The asset's history tells of a report as for every reporter. */
export function addReport(
  story: Story,
  ledger: Ledger,
  asset: AssetRow,
  { text, usable, at, by, name }: NewReport,
) {
  ledger.note({ asset }, `Problem reported: ${text}`);
  const reporter = {
    reported_by: by === "" ? null : idOf(story, by),
    name: name === undefined || name === "" ? null : name,
  };
  const row = {
    id: createId("report"),
    asset_id: asset.id,
    request_key: createToken(),
    description: text,
  };
  return ledger.add("problem_reports", {
    ...row,
    ...reporter,
    still_usable: usable,
    status: "open",
    created_at: new Date(at),
  }) as Record<string, unknown>;
}

function closeReport(
  story: Story,
  report: Record<string, unknown>,
  { at, ...outcome }: { status: string; at: number; task_id?: string; answer?: string },
) {
  Object.assign(report, outcome, { closed_by: idOf(story, "ana"), closed_at: new Date(at) });
}

/** Plans reports that were answered or declined, one a month. */
export function planAnsweredReports(story: Story): void {
  const { asOf, random } = story;
  for (let monthsAgo = 1; monthsAgo < 15; monthsAgo += 1) {
    const row = answeredReports[monthsAgo % answeredReports.length];
    if (row === undefined) continue;
    const at = momentOn(toWorkday(addDays(asOf, -30 * monthsAgo - 6)), random.between(480, 900));
    const { status, answer } = row;
    act(story, at, random.chance(0.5) ? "" : "frank", (ledger) => {
      const { author } = ledger;
      const by = author.id === null ? "" : "frank";
      const report = addReport(story, ledger, assetOf(story, row.asset), {
        text: row.text,
        usable: true,
        at,
        by,
      });
      closeReport(story, report, { status, answer, at: at + random.between(2, 20) * hourMs });
    });
  }
}
