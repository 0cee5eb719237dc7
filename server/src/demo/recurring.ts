import { addDays, addMonths } from "../domain/shared/dates.js";
import { createId } from "../domain/shared/ids.js";
import { addWorkdays, groupBy, isWorkday, momentOn, toWorkday } from "./calendar.js";
import { kinds } from "./data/northgate.js";
import { hourlyRate, onTimeIn, repeatingWork, type RepeatingWork } from "./data/work.js";
import type { AssetRow, TaskRow } from "./ledger.js";
import {
  act,
  assetOf,
  findWorkers,
  idOf,
  isFree,
  momentToday,
  sampleMonths,
  type Story,
} from "./story.js";

/** Work on an asset or a workspace, with its due dates. The last one is still open. */
interface Series {
  work: RepeatingWork;
  asset: string | undefined;
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

const monthsOfPlaces = 12;

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
  const isOfKind = kinds.some(({ category }) => category === work.category);
  const places = [...story.workspaces.keys()];
  const named = work.of.split("; ");
  const others = ({ name }: { name: string }) => !name.includes("archive");
  const isMeant = (asset: { name: string }) =>
    work.of === "" ||
    (work.of === "other" ? others(asset) : named.some((name) => asset.name.startsWith(name)));
  const targets = isOfKind
    ? story.plannedAssets
        .filter((one) => one.category === work.category && isMeant(one))
        .map(({ name }) => name)
    : places.filter((name) => work.category === "all" || name === work.category);
  return targets.map((name, index) => {
    const place = isOfKind
      ? (story.plannedAssets.find((one) => one.name === name)?.workspace ?? "")
      : name;
    const dues = findDues(story, work, (index + 0.5) / targets.length);
    const workers = findWorkers(
      story,
      story.workspaces.get(place) ?? null,
      addDays(story.asOf, -1),
    );
    const assignee = workers[index % workers.length] ?? "marek";
    return { work, asset: isOfKind ? name : undefined, place, dues, late: new Set(), assignee };
  });
}

/** The open occurrence is due `share` of an interval ahead, on a working day up to the 28th. */
function findDues(
  { asOf, start }: Story,
  { every, due, category }: RepeatingWork,
  share: number,
): string[] {
  const interval = Number(every);
  const ahead = due === "" ? 1 + Math.floor(share * interval * 30) : Number(due);
  const toDay = (step: 1 | -1): string => {
    let day = addDays(asOf, ahead);
    while (Number(day.slice(8)) > 28 || !isWorkday(day)) day = addDays(day, step);
    return day;
  };
  const before = toDay(-1);
  const present = due !== "" || before > asOf ? before : toDay(1);
  const months = category === "all" ? monthsOfPlaces : sampleMonths;
  const dues = [present];
  for (let back = interval; back < months + interval; back += interval) {
    const earlier = addMonths(present, -back);
    if (earlier > addDays(start, 20)) dues.unshift(earlier);
  }
  return dues;
}

/** Marks as much work late as the story wants, besides what is still open. */
function chooseLate({ random, asOf }: Story, month: string, due: Occurrence[]): void {
  const monthsAgo =
    12 * (Number(asOf.slice(0, 4)) - Number(month.slice(0, 4))) +
    Number(asOf.slice(5, 7)) -
    Number(month.slice(5));
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
  const { work, dues } = series;
  const [first = asOf] = dues;
  const created = [addDays(start, 2), addDays(first, -35)].toSorted().at(-1) ?? start;
  let task: TaskRow | undefined;
  const planned = momentOn(toWorkday(created), random.between(430, 800));
  act(
    story,
    planned,
    series.assignee,
    () => {
      const rule = { every: Number(work.every), unit: "month", anchor: "due_date" };
      const plan_id = ledger.addPlan({
        ...rule,
        ...yearly(rule.every),
        anchor_day: Number(first.slice(8)),
      });
      task = addOccurrence(story, series, { plan_id, occurrence: 1, due_date: first });
    },
    "web",
  );
  let last = toWorkday(created);
  for (const [index, due] of dues.slice(0, -1).entries()) {
    const early = addDays(due, -random.between(0, Math.min(5, 2 * Number(work.every))));
    const wanted = series.late.has(due) ? doneLate({ series, due }) : toWorkday(early, -1);
    const day = wanted > last ? wanted : addWorkdays(last, 1);
    last = day;
    planDone(story, series, {
      day,
      task: () => task,
      then: (done) => {
        const { plan_id } = done;
        task = addOccurrence(
          story,
          series,
          { plan_id, occurrence: index + 2, due_date: dues[index + 1] },
          true,
        );
      },
    });
  }
}

function yearly(months: number) {
  return months % 12 === 0 && { every: months / 12, unit: "year" };
}

function addOccurrence(
  story: Story,
  series: Series,
  fields: Record<string, unknown>,
  bySystem = false,
): TaskRow {
  const { work, asset: name, place, assignee } = series;
  const asset = name === undefined ? undefined : assetOf(story, name);
  const { title, type, minutes, checklist, downtime } = work;
  const isCritical = asset?.["criticality"] === "critical";
  return story.ledger.addTask(
    {
      ...{ title, type, estimated_minutes: minutes, requires_downtime: downtime, ...fields },
      ...{ priority: isCritical ? "high" : "medium", assigned_to_user_id: idOf(story, assignee) },
      ...{ asset_id: asset?.id ?? null },
      workspace_id: asset?.workspace_id ?? story.workspaces.get(place) ?? null,
    },
    { steps: checklist, bySystem },
  );
}

interface Done {
  day: string;
  task: () => TaskRow | undefined;
  then: (task: TaskRow) => void;
}

/** Plans one piece of work, begun in time for its end within working hours. */
function planDone(story: Story, series: Series, { day, task, then }: Done): void {
  const { random, ledger } = story;
  const { work, asset: name, place } = series;
  const workers = findWorkers(story, story.workspaces.get(place) ?? null, day);
  const by = workers.includes(series.assignee) ? series.assignee : random.pick(workers);
  const minutes = Math.max(5, Math.round((work.minutes * random.between(80, 125)) / 500) * 5);
  const end = momentOn(day, 390 + minutes + random.between(10, Math.max(11, 590 - minutes)));
  const asset = () => (name === undefined ? undefined : assetOf(story, name));
  if (work.downtime || random.chance(0.25)) {
    act(story, end - minutes * 60_000, by, () => {
      const open = task();
      const on = asset();
      const isPossible = !work.downtime || (on !== undefined && isFree(on));
      if (open !== undefined && isPossible) ledger.moveTask(open, "in_progress", { asset: on });
    });
  }
  const notes = work.notes.length > 0 && random.chance(0.7) ? random.pick(work.notes) : undefined;
  const isSkipped = random.chance(0.006);
  act(story, end, by, () => {
    const open = task();
    if (open === undefined) return;
    if (isSkipped)
      ledger.moveTask(open, "cancelled", {
        asset: asset(),
        note: "Done together with the repair last week.",
      });
    else
      ledger.moveTask(open, "completed", {
        asset: asset(),
        record: toRecord(work, minutes, notes),
      });
    then(open);
  });
}

/** What a completion records: labour by the hour, parts by the price list. */
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
    const [name = "", unit = ""] = meter.split(", ");
    for (const { name: asset } of story.plannedAssets.filter((one) => one.category === category)) {
      planReadings(story, asset, { name, unit, step: story.random.between(...perMonth) });
    }
  }
}

function planReadings(
  story: Story,
  name: string,
  meter: { name: string; unit: string; step: number },
): void {
  const { asOf, ledger, random, start } = story;
  const { step, unit } = meter;
  const work = repeatingWork.find(
    ({ every, of }) => every.includes(" ") && of.split("; ").some((one) => name.startsWith(one)),
  );
  const [every = 0] = (work?.every.split(" ") ?? []).map(Number);
  const isDue = name === "Compressor K2, print hall";
  const id = createId("meter");
  const begin = isDue ? 2 * every - sampleMonths * step : random.between(2, 12) * step;
  const values = Array.from(
    { length: sampleMonths + 1 },
    (_, nth) =>
      begin + nth * step + (nth % 3) * Math.floor(step / 9) * (nth === sampleMonths ? 0 : 1),
  );
  let row: Record<string, unknown> = {};
  for (const [nth, value] of values.entries()) {
    const back = sampleMonths - nth;
    const day =
      back === 0 ? asOf : nth === 0 ? addWorkdays(start, 1) : toWorkday(addMonths(asOf, -back));
    const at = back === 0 ? momentToday(story, 375) : momentOn(day, 380 + random.between(0, 4));
    const onAsset = (run: (asset: AssetRow, at: Date) => void) => {
      act(
        story,
        at,
        "marek",
        () => {
          run(assetOf(story, name), new Date(at));
        },
        "import",
      );
    };
    if (nth === 0) {
      onAsset((asset) => {
        const made = { id, asset_id: asset.id, name: meter.name, unit, usage_before: 0 };
        row = ledger.add("meters", {
          ...made,
          created_by: idOf(story, "marek"),
          created_at: new Date(at),
        });
      });
    }
    onAsset((asset, read_at) => {
      const total = { value, total: value, read_at, replaced: false, source: "import" };
      const by = { recorded_by: idOf(story, "marek"), recorded_at: read_at };
      ledger.add("meter_readings", { id: createId("reading"), meter_id: id, ...total, ...by });
      const change = {
        field: `meter: ${meter.name}`,
        ...(row["value"] !== undefined && { from: row["value"] }),
        to: value,
      };
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
  const place = story.plannedAssets.find((one) => one.name === name)?.workspace ?? "";
  const [assignee = "marek"] = findWorkers(
    story,
    story.workspaces.get(place) ?? null,
    addDays(asOf, -1),
  );
  let task: TaskRow | undefined;
  act(
    story,
    meter.at,
    assignee,
    () => {
      const plan_id = ledger.addPlan({
        every_usage: meter.every,
        meter_id: meter.id,
        anchor: "due_date",
      });
      const total = ledger.rows["meters"]?.find(({ id }) => id === meter.id)?.["value"] as number;
      const due_usage = (Math.floor(total / meter.every) + 1) * meter.every;
      const series = { work, asset: name, place, dues: [], late: new Set<string>(), assignee };
      task = addOccurrence(story, series, { plan_id, occurrence: 1, due_usage });
    },
    "web",
  );
  if (!meter.isDue) return;
  act(
    story,
    momentToday(story, 376),
    "marek",
    () => {
      if (task !== undefined) ledger.bringForward(task, asOf, "Operating hours reached 8,000 h.");
    },
    "import",
  );
}
