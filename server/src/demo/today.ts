import { addDays } from "../domain/shared/dates.js";
import { createId } from "../domain/shared/ids.js";
import { addWorkdays, groupBy, momentOn, toWorkday } from "./calendar.js";
import { comments } from "./data/comments.js";
import { people } from "./data/northgate.js";
import { readList } from "./data/tables.js";
import { busy, documents, down, openReports, openWork, rounds } from "./data/work.js";
import type { AssetRow, TaskRow } from "./ledger.js";
import { addReport } from "./repairs.js";
import { act, addFile, assetOf, endOfMorning, idOf, momentToday, type Story } from "./story.js";

/** Plans what is open on the reference day: single tasks, assets that are down, new reports. */
export function planToday(story: Story): void {
  for (const [index, row] of openWork.entries()) planOpenTask(story, row, index);
  for (const { asset, since, by, note } of down) {
    const at =
      since === "0"
        ? momentToday(story, 410)
        : momentOn(addWorkdays(story.asOf, Number(since)), 410);
    act(story, { at, by }, (ledger) => {
      ledger.setState(assetOf(story, asset), "out_of_service", { note });
    });
  }
  for (const [index, { asset: name, daysAgo, usable, by, text }] of openReports.entries()) {
    const isToday = daysAgo === "0";
    const at = isToday
      ? momentToday(story, endOfMorning - 5)
      : momentOn(addWorkdays(story.asOf, -Number(daysAgo)), 520 + 37 * index);
    act(story, { at, by }, (ledger) => {
      const asset = assetOf(story, name);
      const { state } = asset;
      const report = addReport(story, ledger, asset, { text, usable: usable === "yes", at, by });
      if (isToday) {
        ledger.setState(asset, "out_of_service");
        report["state_before"] = state;
      }
      if (index >= 3) return;
      const owner = { asset_id: asset.id, report_id: String(report["id"]) };
      const photo = {
        name: story.say("photo.jpg"),
        category: asset.category,
        look: "before",
      } as const;
      addFile(story, { owner, ...photo, by, at });
    });
  }
}

type OpenWork = (typeof openWork)[number];

function planOpenTask(story: Story, row: OpenWork, index: number): void {
  const { asOf, workspaces, random } = story;
  const { on, title, by, minutes, priority, type, note } = row;
  const due = addWorkdays(asOf, Number(row.due));
  const since = Number(down.find(({ asset }) => asset === on)?.since ?? -6 - (index % 9));
  const created = addWorkdays(due < asOf ? due : asOf, since);
  const asked = momentOn(created, random.between(440, 530));
  const task = act(story, { at: asked, by: index % 3 === 0 ? "dara" : by || "ana" }, (ledger) => {
    const asset = workspaces.has(on) ? undefined : assetOf(story, on);
    return ledger.addTask({
      ...{ title, type, priority, due_date: due, estimated_minutes: minutes },
      ...{ assigned_to_user_id: by === "" ? null : idOf(story, by), asset_id: asset?.id ?? null },
      workspace_id: asset?.workspace_id ?? workspaces.get(on) ?? null,
    });
  });
  if (row.state === "") return;
  const begun = addWorkdays(asOf, row.state === "on_hold" ? Math.max(since, -3) : -1);
  act(story, { at: momentOn(begun, 540 + index), by }, (ledger) => {
    ledger.moveTask(task(), "in_progress");
  });
  if (note === "") return;
  act(story, { at: momentOn(begun, 700 + index), by }, (ledger) => {
    if (row.state === "on_hold") ledger.moveTask(task(), "on_hold", { note });
    else ledger.note({ task: task() }, note);
  });
}

export function mondayOf(day: string): string {
  return addDays(day, -((new Date(day).getUTCDay() + 6) % 7));
}

/**
 * Scales the estimates of planned single work, so that technicians have their hours in each week,
 * day by day. One is over capacity in the first whole week.
 */
export function fillWeeks(story: Story): void {
  const { asOf, ledger } = story;
  const tasks = (ledger.rows["maintenance_tasks"] ?? []) as TaskRow[];
  const open = groupBy(
    tasks.filter(({ state }) => state !== "completed" && state !== "cancelled"),
    (task) => `${String(task["assigned_to_user_id"])} ${String(task["due_date"])}`,
  );
  const days = Array.from({ length: 10 }, (_, ahead) => addWorkdays(toWorkday(asOf), ahead));
  const busyMonday = mondayOf(asOf) === asOf ? asOf : addDays(mondayOf(asOf), 7);
  for (const { key, hours } of people.filter((one) => Number(one.hours) > 0)) {
    for (const [monday, week] of groupBy(days, mondayOf)) {
      const isBusy = key === busy.person && monday === busyMonday;
      let left = 60 * (isBusy ? busy.hours : (Number(hours) * week.length) / 5);
      for (const [index, day] of week.entries()) {
        const swing = index === week.length - 1 ? 0 : 30 - 60 * (index % 2);
        const wanted = left / (week.length - index) + swing;
        left -= scale(open.get(`${idOf(story, key)} ${day}`) ?? [], wanted);
      }
    }
  }
}

/** Scales longer single work that has not begun, and returns what all tasks take. */
function scale(tasks: readonly TaskRow[], wanted: number): number {
  const minutesOf = (task: TaskRow) => Number(task["estimated_minutes"]);
  const sum = (some: readonly TaskRow[]) => some.reduce((all, task) => all + minutesOf(task), 0);
  const jobs = tasks.filter(
    (task) => task.state === "scheduled" && !("plan_id" in task) && minutesOf(task) >= 90,
  );
  const factor = (wanted - sum(tasks) + sum(jobs)) / sum(jobs);
  for (const job of jobs)
    job["estimated_minutes"] = Math.max(60, Math.round((minutesOf(job) * factor) / 15) * 15);
  return sum(tasks);
}

/** Plans rounds. Scans follow each other; the last assets of an unfinished round are not yet seen. */
export function planRounds(story: Story): void {
  const { asOf, ledger, workspaces } = story;
  for (const { workspace, daysAgo, by, missing } of rounds) {
    const isOver = daysAgo > 0;
    const day = toWorkday(addDays(asOf, -daysAgo), -1);
    const begin = isOver ? momentOn(day, 545) : momentToday(story, endOfMorning - 40);
    const workspace_id = workspaces.get(workspace) ?? null;
    act(story, { at: begin, by, via: "web" }, () => {
      const here = [...story.assets.values()].filter(
        (one) => one.workspace_id === workspace_id && one.state !== "deleted",
      );
      const seen = isOver ? here.slice(0, here.length - missing) : here.slice(0, 5);
      const strange = daysAgo === 9 ? [assetOf(story, "Tessaro Note 15 · Gita Rao")] : [];
      const at = (index: number) => new Date(begin + (index + 1) * 40_000);
      const ended = isOver && { ended_by: idOf(story, by), ended_at: at(here.length + 2) };
      const started = { started_by: idOf(story, by), started_at: new Date(begin) };
      const round = { id: createId("round"), workspace_id, ...started, ...ended };
      const { id: round_id } = ledger.add("rounds", round);
      const find = (asset: AssetRow, outcome: string, found_at: Date) => {
        const found_by = outcome === "missing" ? null : idOf(story, by);
        if (found_by !== null)
          Object.assign(asset, { last_seen_at: found_at, last_seen_by: found_by });
        const { id } = asset;
        ledger.add("round_findings", { round_id, id, asset_id: id, outcome, found_by, found_at });
      };
      for (const [index, asset] of seen.entries()) find(asset, "seen", at(index));
      for (const asset of strange) find(asset, "elsewhere", at(seen.length));
      if (isOver)
        for (const asset of here.slice(seen.length)) find(asset, "missing", at(here.length + 2));
    });
  }
}

/** Plans the comments on open work and on assets. */
export function planComments(story: Story): void {
  for (const [index, { on, title, daysAgo, by, text }] of comments.entries()) {
    const at = momentOn(addWorkdays(story.asOf, -daysAgo), 800 + 9 * index);
    act(story, { at, by, via: "web" }, (ledger) => {
      if (title === "") ledger.comment({ asset: assetOf(story, on) }, text);
      else ledger.comment({ task: findOpenTask(story, on, title) }, text);
    });
  }
}

export function findOpenTask(
  { assets, ledger, workspaces }: Story,
  on: string,
  title: string,
): TaskRow {
  const place = assets.get(on)?.id ?? workspaces.get(on);
  const found = (ledger.rows["maintenance_tasks"] as TaskRow[]).findLast(
    (task) => task.title === title && place === (task.asset_id ?? task.workspace_id),
  );
  if (found === undefined) throw new Error(`The sample has no task called ${title} on ${on}.`);
  return found;
}

/** Plans the PDF files of some assets. */
export function planDocuments(story: Story): void {
  for (const [index, { asset: name, title, lines }] of documents.entries()) {
    const at = momentOn(addWorkdays(story.asOf, -20 - 17 * index), 600 + 11 * index);
    act(story, { at, by: "marek", via: "web" }, (ledger) => {
      const asset = assetOf(story, name);
      const file = `${story.say(title)}, ${story.say(name).split(",")[0] ?? ""}.pdf`;
      ledger.note({ asset }, undefined, file);
      const said = [title, name, ...readList(lines)].map(story.say);
      const sheet = { name: file, category: "", look: "", lines: said } as const;
      addFile(story, { owner: { asset_id: asset.id }, ...sheet, by: "marek", at });
    });
  }
}
