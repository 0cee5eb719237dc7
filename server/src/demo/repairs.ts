import { addDays, addMonths } from "../domain/shared/dates.js";
import { createId, createToken } from "../domain/shared/ids.js";
import { addWorkdays, dayMs, isWorkday, momentOn, toWorkday } from "./calendar.js";
import {
  answeredReports,
  badFault,
  badMonth,
  failuresIn,
  faults,
  outsiders,
  returnNotes,
  type Fault,
} from "./data/work.js";
import { people } from "./data/northgate.js";
import type { AssetRow, Ledger, TaskRow } from "./ledger.js";
import { toRecord } from "./recurring.js";
import {
  act,
  addFile,
  assetOf,
  findWorkers,
  findFresh,
  idOf,
  isFree,
  pickNote,
  sampleMonths,
  siteOf,
  vary,
  type Story,
} from "./story.js";

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
  const { asOf, random, start } = story;
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
      const picked = pickFault(story, isHot);
      const isBad = monthsAgo === badMonth && index === 1;
      const isDown = isBad || (index + ofPump.length) % 3 !== 2;
      const more = { isReported: index % 3 === 1 && !isBad, hasPhotos: monthsAgo < 5 };
      const bad = {
        fault: badFault,
        name: "Lift B, canteen",
        day: toStart(`${month}05`),
        lasts: 9,
      };
      planFailure(story, { ...(isBad ? bad : { ...picked, day }), isDown, ...more });
    }
  }
}

/** Picks a fault and an asset on which its complaint is new. */
function pickFault({ random, written, plannedAssets }: Story, isHot: boolean) {
  const may = faults.filter(
    ({ title, category }) =>
      ![shaftSeal.title, badFault.title].includes(title) &&
      (!isHot || category === "Rooftop units"),
  );
  const pairs = random.shuffle(plannedAssets).flatMap(({ name, category }) =>
    may
      .filter((fault) => fault.category === category && name.startsWith(fault.of))
      .filter(({ complaints }) => findFresh(written, complaints, name).length > 0)
      .map((fault) => ({ fault, name })),
  );
  const { fault } = random.pick(pairs);
  return { fault, name: pairs.find((pair) => pair.fault === fault)?.name ?? "" };
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
function planTimes(story: Story, { fault, day, isDown, lasts }: Failure) {
  const minutes = vary(story, fault.minutes, 130, 15);
  const { random } = story;
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
  const { random } = story;
  const { fault, name, day, isDown, isReported } = failure;
  const site = siteOf(story, name);
  const by = random.pick(findWorkers(story, site, day));
  const { minutes, failed, planned, begun, done } = planTimes(story, failure);
  const reporter = isReported && random.chance(0.6) ? random.pick(outsiders) : by;
  const reviewer = findReviewer(story, site, reporter);
  const photo = { category: fault.category, by };
  const asset = () => assetOf(story, name);
  const text = pickNote(story, fault.complaints, name) ?? "";
  let report: Record<string, unknown> = {};
  let wasDown: AssetRow["state"] | undefined;
  act(story, { at: failed, by: reporter }, (ledger) => {
    const given = { text, usable: !isDown, at: failed, by: reporter };
    if (isReported) report = addReport(story, ledger, asset(), given);
    if (!isDown || !isFree(asset())) return;
    wasDown = asset().state;
    report["state_before"] = wasDown;
    ledger.setState(asset(), "out_of_service", isReported ? {} : { note: text });
  });
  const task = act(story, { at: planned, by: isReported ? reviewer : by }, (ledger) => {
    const { id: asset_id, workspace_id } = asset();
    const plan = { priority: isDown ? "high" : "medium", due_date: addWorkdays(day, 3) };
    const repair = ledger.addTask({
      ...{ title: fault.title, type: "corrective", asset_id, workspace_id, ...plan },
      ...{ estimated_minutes: fault.minutes, description: text },
      assigned_to_user_id: idOf(story, by),
    });
    const outcome = { status: "accepted", task_id: repair.id };
    closeReport(story, report, { ...outcome, by: reviewer, at: planned });
    return repair;
  });
  act(story, { at: begun, by }, (ledger) => {
    ledger.moveTask(task(), "in_progress");
    if (failure.hasPhotos) addPhoto(story, task(), { ...photo, look: "before", at: begun });
  });
  act(story, { at: done - 60_000, by }, (ledger) => {
    if (wasDown === undefined || asset().state !== "out_of_service") return;
    const note = pickNote(story, returnNotes, name);
    ledger.setState(asset(), wasDown, note === undefined ? {} : { note });
    report["usable_again_at"] = new Date(done - 60_000);
  });
  const { activity, cause: failure_cause } = fault;
  const downtime_minutes = isDown ? Math.round((done - failed) / 60_000) : minutes;
  const more = { activity, failure_cause, downtime_minutes };
  act(story, { at: done, by }, (ledger) => {
    const record = toRecord(fault, minutes, pickNote(story, fault.notes, name), more);
    ledger.moveTask(task(), "completed", { record });
    if (failure.hasPhotos) addPhoto(story, task(), { ...photo, look: "after", at: done });
  });
}

function addPhoto(
  story: Story,
  task: TaskRow,
  photo: { category: string; look: "before" | "after"; by: string; at: number },
): void {
  const name = story.say(`${photo.look}.jpg`);
  story.ledger.note({ task }, undefined, name);
  addFile(story, { owner: { task_id: task.id }, name, ...photo });
}

interface NewReport {
  text: string;
  usable: boolean;
  at: number;
  /** A member, or the name that someone without an account gave. Empty if they gave none. */
  by: string;
}

/** Names of people without an account are deleted after this many days. */
const daysOfNames = 85;

/** The asset's history tells of a report as for every reporter. */
export function addReport(
  { asOf, people: members, say }: Story,
  ledger: Ledger,
  asset: AssetRow,
  { text, usable, at, by }: NewReport,
): Record<string, unknown> {
  ledger.note({ asset }, `Problem reported: ${say(text)}`);
  const reported_by = members.get(by)?.userId ?? null;
  const isNamed = reported_by === null && by !== "" && at > Date.parse(asOf) - daysOfNames * dayMs;
  return ledger.add("problem_reports", {
    ...{ id: createId("report"), asset_id: asset.id, request_key: createToken() },
    ...{ reported_by, name: isNamed ? by : null, description: text, still_usable: usable },
    ...{ status: "open", created_at: new Date(at) },
  });
}

function closeReport(
  story: Story,
  report: Record<string, unknown>,
  {
    at,
    by,
    ...outcome
  }: { status: string; by: string; at: number; task_id?: string; answer?: string },
) {
  Object.assign(report, outcome, { closed_by: idOf(story, by), closed_at: new Date(at) });
}

/** Managers of the organization or of the place review reports, but not their own. */
function findReviewer({ random }: Story, place: string, reporter: string): string {
  const isOf = ([name, role]: [string, string]) => role === "admin" && name === place;
  const local = people.filter((one) => (one.lastActive ?? 99) < 30 && one.workspaces.some(isOf));
  const keys = ["ana", "ana", "dara", "marek", ...local.map(({ key }) => key)];
  return random.pick(keys.filter((key) => key !== reporter));
}

/** Plans reports that were answered or declined, one a month. */
export function planAnsweredReports(story: Story): void {
  const { asOf, random } = story;
  for (const [index, { asset, text, by, status, answer }] of answeredReports.entries()) {
    const at = momentOn(toWorkday(addDays(asOf, -30 * index - 36)), random.between(480, 900));
    act(story, { at, by }, (ledger) => {
      const reviewer = findReviewer(story, siteOf(story, asset), by);
      const given = { text, usable: true, at, by };
      const report = addReport(story, ledger, assetOf(story, asset), given);
      closeReport(story, report, {
        status,
        answer,
        by: reviewer,
        at: at + random.between(2, 20) * hourMs,
      });
    });
  }
}
