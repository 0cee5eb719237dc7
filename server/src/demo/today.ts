import { addDays } from "../domain/shared/dates.js";
import { createId } from "../domain/shared/ids.js";
import { addWorkdays, momentOn, toWorkday } from "./calendar.js";
import { busy, documents, down, openReports, openWork, rounds } from "./data/work.js";
import type { AssetRow, TaskRow } from "./ledger.js";
import { addReport } from "./repairs.js";
import { act, assetOf, endOfMorning, idOf, momentToday, type Story } from "./story.js";

/** Plans what is open on the reference day: single tasks, assets that are down, new reports. */
export function planToday(story: Story): void {
  for (const [index, row] of openWork.entries()) planOpenTask(story, row, index);
  for (const { asset, since, by, note } of down) {
    const at =
      since === "0"
        ? momentToday(story, 410)
        : momentOn(addWorkdays(story.asOf, Number(since)), 410);
    act(story, at, by, (ledger) => {
      ledger.setState(assetOf(story, asset), "out_of_service", { note });
    });
  }
  for (const [
    index,
    { asset: name, daysAgo, usable, name: person, text },
  ] of openReports.entries()) {
    const isToday = daysAgo === "0";
    const at = isToday
      ? momentToday(story, endOfMorning - 5)
      : momentOn(addWorkdays(story.asOf, -Number(daysAgo)), 520 + 37 * index);
    act(story, at, "", (ledger) => {
      const asset = assetOf(story, name);
      const { state } = asset;
      const report = addReport(story, ledger, asset, {
        text,
        usable: usable === "yes",
        at,
        by: "",
        name: person,
      });
      if (isToday) {
        ledger.setState(asset, "out_of_service");
        report["state_before"] = state;
      }
      const owner = { asset_id: asset.id, report_id: String(report["id"]) };
      if (index < 3)
        story.files.push({
          owner,
          name: "photo.jpg",
          category: asset.category,
          look: "before",
          by: null,
          at: new Date(at),
        });
    });
  }
}

type OpenWork = (typeof openWork)[number];

function planOpenTask(story: Story, row: OpenWork, index: number): void {
  const { asOf, ledger, workspaces, random } = story;
  const { on, title, by, minutes, priority, type, note } = row;
  const due = dueOf(story, row.due);
  const since = Number(down.find(({ asset }) => asset === on)?.since ?? -6 - (index % 9));
  const created = addWorkdays(due < asOf ? due : asOf, since);
  let task: TaskRow | undefined;
  act(
    story,
    momentOn(created, random.between(440, 530)),
    index % 3 === 0 ? "dara" : by || "ana",
    () => {
      const asset = workspaces.has(on) ? undefined : assetOf(story, on);
      task = ledger.addTask({
        ...{ title, type, priority, due_date: due, estimated_minutes: minutes },
        ...{ assigned_to_user_id: by === "" ? null : idOf(story, by), asset_id: asset?.id ?? null },
        workspace_id: asset?.workspace_id ?? workspaces.get(on) ?? null,
      });
    },
  );
  if (row.state === "") return;
  const begun = addWorkdays(asOf, row.state === "on_hold" ? Math.max(since, -3) : -1);
  act(story, momentOn(begun, 540 + index), by, () => {
    if (task) ledger.moveTask(task, "in_progress");
  });
  if (note === "") return;
  act(story, momentOn(begun, 700 + index), by, () => {
    if (task === undefined) return;
    if (row.state === "on_hold") ledger.moveTask(task, "on_hold", { note });
    else ledger.note({ task }, note);
  });
}

/** "w2" is the third day of the busy week, which begins on the reference day or the next Monday. */
function dueOf({ asOf }: Story, due: string): string {
  if (!due.startsWith("w")) return addWorkdays(asOf, Number(due));
  return toWorkday(addDays(busyMonday(asOf), Number(due.slice(1))), due === "w0" ? 1 : -1);
}

function busyMonday(asOf: string): string {
  return new Date(asOf).getUTCDay() === 1 ? asOf : busyMonday(addDays(asOf, 1));
}

/** Adjusts the estimate of one task, so that the person's week has the wanted load. */
export function fillWeek({ asOf, ledger }: Story, person: string): void {
  const monday = busyMonday(asOf);
  const isThen = ({ due_date: day, state }: Record<string, unknown>) =>
    typeof day === "string" &&
    day >= monday &&
    day <= addDays(monday, 6) &&
    state !== "completed" &&
    state !== "cancelled";
  const tasks = (ledger.rows["maintenance_tasks"] ?? []).filter(
    (task) => task["assigned_to_user_id"] === person && isThen(task),
  );
  const others = tasks.filter(({ title }) => title !== busy.adjusted);
  const load = others.reduce((sum, task) => sum + Number(task["estimated_minutes"]), 0);
  for (const task of tasks)
    if (task["title"] === busy.adjusted) task["estimated_minutes"] = busy.minutes - load;
}

/** Plans rounds. Scans follow each other; the last assets of an unfinished round are not yet seen. */
export function planRounds(story: Story): void {
  const { asOf, ledger, workspaces } = story;
  for (const { workspace, daysAgo, by, missing } of rounds) {
    const isOver = daysAgo > 0;
    const day = toWorkday(addDays(asOf, -daysAgo), -1);
    const begin = isOver ? momentOn(day, 545) : momentToday(story, endOfMorning - 40);
    const workspace_id = workspaces.get(workspace) ?? null;
    act(
      story,
      begin,
      by,
      () => {
        const here = [...story.assets.values()].filter(
          (one) => one.workspace_id === workspace_id && one.state !== "deleted",
        );
        const seen = isOver ? here.slice(0, here.length - missing) : here.slice(0, 5);
        const strange =
          workspace === "Main Facility" && daysAgo < 20
            ? [assetOf(story, "Tessaro Note 15 · Gita Rao")]
            : [];
        const at = (index: number) => new Date(begin + (index + 1) * 40_000);
        const ended = isOver && { ended_by: idOf(story, by), ended_at: at(here.length + 2) };
        const started = { started_by: idOf(story, by), started_at: new Date(begin) };
        const { id } = ledger.add("rounds", {
          id: createId("round"),
          workspace_id,
          ...started,
          ...ended,
        });
        const find = (asset: AssetRow, outcome: string, found_at: Date) => {
          const found_by = outcome === "missing" ? null : idOf(story, by);
          if (found_by !== null)
            Object.assign(asset, { last_seen_at: found_at, last_seen_by: found_by });
          ledger.add("round_findings", {
            round_id: id,
            id: asset.id,
            outcome,
            asset_id: asset.id,
            found_by,
            found_at,
          });
        };
        for (const [index, asset] of seen.entries()) find(asset, "seen", at(index));
        for (const asset of strange) find(asset, "elsewhere", at(seen.length));
        if (isOver)
          for (const asset of here.slice(seen.length)) find(asset, "missing", at(here.length + 2));
      },
      "web",
    );
  }
}

/** Plans the PDF files of some assets. */
export function planDocuments(story: Story): void {
  for (const [index, { asset: name, title, lines }] of documents.entries()) {
    const at = momentOn(addWorkdays(story.asOf, -20 - 17 * index), 600 + 11 * index);
    act(
      story,
      at,
      "marek",
      (ledger) => {
        const asset = assetOf(story, name);
        const file = `${title}, ${name.split(",")[0] ?? ""}.pdf`;
        ledger.note({ asset }, undefined, file);
        const by = idOf(story, "marek");
        story.files.push({
          owner: { asset_id: asset.id },
          name: file,
          category: "",
          look: "",
          lines: [title, name, ...lines.split("; ")],
          by,
          at: new Date(at),
        });
      },
      "web",
    );
  }
}
