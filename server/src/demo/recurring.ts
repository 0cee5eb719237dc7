import { toChange } from "../domain/history/differences.js";
import { addDays, addMonths } from "../domain/shared/dates.js";
import { createId } from "../domain/shared/ids.js";
import { addWorkdays, groupBy, isWorkday, momentOn, toWorkday } from "./calendar.js";
import { kinds } from "./data/northgate.js";
import { readList } from "./data/tables.js";
import {
  answeredSteps,
  hourlyRate,
  onTimeIn,
  procedures,
  repeatingWork,
  skipNotes,
  type RepeatingWork,
} from "./data/work.js";
import { toStep, type AssetRow, type TaskRow } from "./ledger.js";
import {
  act,
  addFile,
  assetOf,
  findWorkers,
  idOf,
  isFree,
  momentToday,
  pickNote,
  sampleMonths,
  siteOf,
  vary,
  type Story,
} from "./story.js";

/** Work on an asset, with its due dates. The last one is still open. */
interface Series {
  work: RepeatingWork;
  asset: string;
  place: string;
  dues: string[];
  late: Set<string>;
  assignee: string;
}

interface Occurrence {
  series: Series;
  due: string;
  late: boolean;
}

/** Adds the procedures, whose steps the work has. */
export function planProcedures(story: Story): void {
  const { ledger, start } = story;
  const categories = ledger.rows["asset_categories"] ?? [];
  const [by, at] = [idOf(story, "marek"), new Date(momentOn(start, 600))];
  for (const { work: title, name, category } of procedures) {
    const id = createId("procedure");
    const category_id = categories.find((one) => one["name"] === category)?.["id"];
    ledger.add("procedures", { id, name, category_id, version: 1, created_by: by, created_at: at });
    const { checklist = [] } = repeatingWork.find((one) => one.title === title) ?? {};
    const steps = checklist.map((label) => ({ ...noRules, ...toStep(label) }));
    const version = { procedure_id: id, version: 1, steps, edited_by: by, edited_at: at };
    ledger.add("procedure_versions", version);
    story.procedures.set(title, id);
  }
}

const noRules = {
  ...{ unit: null, min: null, max: null, options: null, meter: null },
  ...{ follow_up: null, follow_up_priority: null },
};

/** Plans work that repeats by calendar. Every month has its share of late work. */
export function planRepeatingWork(story: Story): void {
  const series = repeatingWork
    .filter(({ every }) => !every.includes(" "))
    .flatMap((work) => toSeries(story, work));
  const all = series.flatMap((one) => one.dues.map((due) => ({ series: one, due, late: false })));
  const months = groupBy(
    all.filter(({ due }) => due < story.asOf),
    ({ due }) => due.slice(0, 7),
  );
  for (const [month, due] of months) chooseLate(story, month, due);
  for (const { series: one, due, late } of all) if (late) one.late.add(due);
  for (const one of series) planSeries(story, one);
}

function toSeries(story: Story, work: RepeatingWork): Series[] {
  const named = work.of.split("; ");
  const others = ({ name }: { name: string }) => !name.includes("archive");
  const isMeant = (asset: { name: string }) =>
    work.of === "" ||
    (work.of === "other" ? others(asset) : named.some((name) => asset.name.startsWith(name)));
  const targets = story.plannedAssets.filter(
    (one) => one.category === work.category && isMeant(one),
  );
  return targets.map(({ name: asset, workspace: place }, index) => {
    const dues = findDues(story, work, (index + 0.5) / targets.length);
    const workers = findWorkers(story, place, addDays(story.asOf, -1));
    const assignee = workers[index % workers.length] ?? "marek";
    return { work, asset, place, dues, late: new Set(), assignee };
  });
}

/** The open occurrence is due `share` of an interval ahead, on a working day up to the 28th. */
function findDues({ asOf, start }: Story, { every, due }: RepeatingWork, share: number): string[] {
  const interval = Number(every);
  const ahead = due === "" ? 1 + Math.floor(share * interval * 30) : Number(due);
  const toDay = (step: 1 | -1): string => {
    let day = addDays(asOf, ahead);
    while (Number(day.slice(8)) > 28 || !isWorkday(day)) day = addDays(day, step);
    return day;
  };
  const before = toDay(-1);
  const present = due !== "" || before > asOf ? before : toDay(1);
  const dues = [present];
  for (let back = interval; back < sampleMonths + interval; back += interval) {
    const earlier = addMonths(present, -back);
    if (earlier > addDays(start, 20)) dues.unshift(earlier);
  }
  return dues;
}

export function monthsBefore(asOf: string, day: string): number {
  const count = (date: string) => 12 * Number(date.slice(0, 4)) + Number(date.slice(5, 7));
  return count(asOf) - count(day);
}

/** Marks as much work late as the story wants, besides what is still open. */
function chooseLate({ random, asOf }: Story, month: string, due: Occurrence[]): void {
  const monthsAgo = monthsBefore(asOf, month);
  const isOpen = ({ series, due: day }: Occurrence) => day === series.dues.at(-1);
  const wanted = Math.round(due.length * (1 - onTimeIn(monthsAgo))) - due.filter(isOpen).length;
  const may = due.filter((one) => !isOpen(one) && doneLate(one) < asOf);
  for (const one of random.shuffle(may).slice(0, Math.max(0, wanted))) one.late = true;
}

/** Later than a tenth of the interval, which still counts as on time. */
function doneLate({ series: { work }, due }: Pick<Occurrence, "series" | "due">): string {
  return toWorkday(addDays(due, 3 * Number(work.every) + 2 + (work.title.length % 4)));
}

function planSeries(story: Story, series: Series): void {
  const { random, asOf, start, ledger } = story;
  const { work, dues, late } = series;
  const [first = asOf] = dues;
  let last = toWorkday([addDays(start, 2), addDays(first, -35)].toSorted().at(-1) ?? start);
  const planned = { at: momentOn(last, random.between(430, 800)), by: series.assignee };
  let task = act(story, { ...planned, via: "web" }, () => {
    const plan_id = ledger.addPlan(everyMonths(Number(work.every), first));
    return addOccurrence(story, series, { plan_id, occurrence: 1, due_date: first });
  });
  for (const [index, due] of dues.slice(0, -1).entries()) {
    const early = addDays(due, -random.between(0, Math.min(5, 2 * Number(work.every))));
    const wanted = late.has(due) ? doneLate({ series, due }) : toWorkday(early, -1);
    last = wanted > last ? wanted : addWorkdays(last, 1);
    const next = { occurrence: index + 2, due_date: dues[index + 1] };
    task = planDone(story, series, { day: last, task, next });
  }
}

export function everyMonths(months: number, due: string) {
  const [every, unit] = months % 12 === 0 ? [months / 12, "year"] : [months, "month"];
  return { every, unit, anchor: "due_date", anchor_day: Number(due.slice(8)) };
}

function addOccurrence(
  story: Story,
  series: Series,
  fields: Record<string, unknown>,
  bySystem = false,
): TaskRow {
  const { work, assignee } = series;
  const asset = assetOf(story, series.asset);
  const { title, type, minutes, checklist, downtime } = work;
  const isCritical = asset["criticality"] === "critical";
  const procedure_id = story.procedures.get(title);
  return story.ledger.addTask(
    {
      ...{ title, type, estimated_minutes: minutes, requires_downtime: downtime, ...fields },
      ...{ priority: isCritical ? "high" : "medium", assigned_to_user_id: idOf(story, assignee) },
      ...{ asset_id: asset.id, workspace_id: asset.workspace_id },
      ...(procedure_id !== undefined && { procedure_id, procedure_version: 1 }),
    },
    { steps: checklist, bySystem },
  );
}

/** Plans one piece of work, begun in time for its end within working hours. Returns the next one. */
function planDone(
  story: Story,
  series: Series,
  { day, task, next }: { day: string; task: () => TaskRow; next: Record<string, unknown> },
): () => TaskRow {
  const { random } = story;
  const { work, asset: name, place } = series;
  const workers = findWorkers(story, place, day);
  const by = workers.includes(series.assignee) ? series.assignee : random.pick(workers);
  const minutes = vary(story, work.minutes);
  const end = momentOn(day, 390 + minutes + random.between(10, Math.max(11, 590 - minutes)));
  if (work.downtime || random.chance(0.25)) {
    act(story, { at: end - minutes * 60_000, by }, (ledger) => {
      const asset = assetOf(story, name);
      if (!work.downtime || isFree(asset)) ledger.moveTask(task(), "in_progress", { asset });
    });
  }
  const isLately = day > addDays(story.asOf, -150);
  const notes = random.chance(isLately ? 0.7 : 0.15)
    ? pickNote(story, work.notes, name)
    : undefined;
  const note = random.chance(0.006) ? pickNote(story, skipNotes, name) : undefined;
  return act(story, { at: end, by }, (ledger) => {
    const asset = assetOf(story, name);
    if (note !== undefined) ledger.moveTask(task(), "cancelled", { asset, note });
    else {
      const record = toRecord(work, minutes, notes);
      const photo = isLately ? takePhoto(story, work, { task: task(), by, at: end }) : {};
      ledger.moveTask(task(), "completed", { asset, record, ...photo });
    }
    return addOccurrence(story, series, { plan_id: task()["plan_id"], ...next }, true);
  });
}

/** The picture that answers a step of the work, if one does. */
function takePhoto(
  story: Story,
  { category, checklist }: RepeatingWork,
  { task, by, at }: { task: TaskRow; by: string; at: number },
): { photo?: string } {
  const label = checklist.find((one) => answeredSteps[one]?.kind === "photo");
  if (label === undefined) return {};
  const id = createId("file");
  const name = `${story.say(label)}.jpg`;
  addFile(story, { id, owner: { task_id: task.id }, name, category, look: "", by, at });
  story.ledger.note({ task }, undefined, name);
  return { photo: id };
}

/** The record of a completion: labour by the hour, parts by the price list. */
export function toRecord(
  { parts, invoice = 0 }: { parts: number; invoice?: number },
  minutes: number,
  notes: string | undefined,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    ...(notes !== undefined && { completion_notes: notes }),
    ...{ actual_minutes: minutes, labor_cost: Math.round((minutes / 60) * hourlyRate * 100) / 100 },
    ...(parts > 0 && { parts_cost: parts }),
    ...(invoice > 0 && { other_cost: invoice }),
    ...{ currency: "EUR", ...more },
  };
}

/** Monthly readings of the meters, and work by usage. The first compressor's work is due now. */
export function planMeters(story: Story): void {
  for (const { category, meter, perMonth } of kinds.filter((kind) => kind.meter !== "")) {
    const [name = "", unit = ""] = readList(meter);
    for (const asset of story.plannedAssets.filter((one) => one.category === category))
      planReadings(story, asset.name, { name, unit, step: story.random.between(...perMonth) });
  }
}

function planReadings(
  story: Story,
  name: string,
  { step, ...meter }: { name: string; unit: string; step: number },
): void {
  const { asOf, ledger, random, start } = story;
  const work = repeatingWork.find(
    ({ every, of }) => every.includes(" ") && of.split("; ").some((one) => name.startsWith(one)),
  );
  const every = Number(work?.every.split(" ")[0] ?? 0);
  const isDue = name === "Compressor K2, print hall";
  const begin = isDue ? 2 * every - sampleMonths * step : random.between(2, 12) * step;
  const id = createId("meter");
  let row: Record<string, unknown> = {};
  for (let nth = 0; nth <= sampleMonths; nth += 1) {
    const isLast = nth === sampleMonths;
    const value = begin + nth * step + (isLast ? 0 : (nth % 3) * Math.floor(step / 9));
    const day = nth === 0 ? addWorkdays(start, 1) : toWorkday(addMonths(asOf, nth - sampleMonths));
    const at = isLast ? momentToday(story, 375) : momentOn(day, 380 + random.between(0, 4));
    const onAsset = (run: (asset: AssetRow, at: Date) => void) =>
      act(story, { at, by: "marek", via: "import" }, () => {
        run(assetOf(story, name), new Date(at));
      });
    if (nth === 0) {
      onAsset((asset, created_at) => {
        const made = { created_by: idOf(story, "marek"), created_at };
        row = ledger.add("meters", { id, asset_id: asset.id, ...meter, usage_before: 0, ...made });
      });
    }
    onAsset((asset, read_at) => {
      const total = { value, total: value, read_at, replaced: false, source: "import" };
      const by = { recorded_by: idOf(story, "marek"), recorded_at: read_at };
      ledger.add("meter_readings", { id: createId("reading"), meter_id: id, ...total, ...by });
      const change = toChange(`meter: ${story.say(meter.name)}`, row["value"], value);
      Object.assign(row, { value, read_at });
      ledger.changeAsset(asset, "asset_updated", {}, { changes: [change] });
    });
    if (work !== undefined && nth === sampleMonths - 7)
      planUsage(story, name, work, { id, at: at + 3_600_000, every, isDue });
  }
}

function planUsage(
  story: Story,
  name: string,
  work: RepeatingWork,
  meter: { id: string; at: number; every: number; isDue: boolean },
) {
  const { ledger, asOf } = story;
  const place = siteOf(story, name);
  const [assignee = "marek"] = findWorkers(story, place, addDays(asOf, -1));
  const task = act(story, { at: meter.at, by: assignee, via: "web" }, () => {
    const rule = { every_usage: meter.every, meter_id: meter.id, anchor: "due_date" };
    const plan_id = ledger.addPlan(rule);
    const total = ledger.rows["meters"]?.find(({ id }) => id === meter.id)?.["value"] as number;
    const due_usage = (Math.floor(total / meter.every) + 1) * meter.every;
    const series = { work, asset: name, place, dues: [], late: new Set<string>(), assignee };
    return addOccurrence(story, series, { plan_id, occurrence: 1, due_usage });
  });
  if (!meter.isDue) return;
  act(story, { at: momentToday(story, 376), by: "marek", via: "import" }, () => {
    ledger.bringForward(task(), asOf, "Operating hours reached 8,000 h.");
  });
}
