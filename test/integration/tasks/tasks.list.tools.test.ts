// @module-tag embedded

import { beforeAll, describe, expect, test } from "vitest";
import { dayIn } from "../../../server/src/domain/shared/dates.js";
import { useApp } from "../../support/app.js";
import { aPlan, aTask } from "../../support/builders.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";

interface Listed {
  tasks: ({ id: string; title: string; state: string } & Json)[];
  total_count: number;
  overdue_count: number;
  next_cursor?: string;
}

const list = (person: Connected, filters: Json = {}) =>
  person.ok<Listed>("list_maintenance_tasks", filters);
const titles = ({ tasks }: Listed) => tasks.map(({ title }) => title);

const inDays = (days: number) => dayIn("UTC", new Date(Date.now() + days * 86_400_000));

async function anAsset(person: Connected, fields: Json = {}) {
  const { asset } = await person.ok<{ asset: { id: string; inventory_number: string } }>(
    "create_asset",
    { name: "Pump", ...fields },
  );
  return asset;
}

describe("row of list_maintenance_tasks", () => {
  const testApp = useApp();

  test("has the details needed to choose a task, and no empty fields", async () => {
    const { db } = testApp();
    const owner = await connect(testApp());
    await owner.ok("create_workspace", { name: "Lab" });
    const asset = await anAsset(owner, { workspace_id: "Lab" });
    const plan_id = await aPlan(db, owner.member, { every: 3, anchor_day: 5 });
    const late = await aTask(db, owner.member, {
      asset_id: asset.id,
      title: "Change the oil",
      state: "in_progress",
      type: "preventive",
      priority: "high",
      due_date: inDays(-12),
      assigned_to_user_id: owner.member.userId,
      plan_id,
      occurrence: 1,
    });
    const loose = await anAsset(owner, { name: "Ladder" });
    const plain = await aTask(db, owner.member, { asset_id: loose.id, title: "Look at it" });

    const listed = await list(owner);

    expect(listed).toEqual({
      tasks: [
        {
          id: late.id,
          task_number: "T-1",
          title: "Change the oil",
          state: "overdue",
          progress: "in_progress",
          priority: "high",
          type: "preventive",
          due_date: inDays(-12),
          days_overdue: 12,
          asset_id: asset.id,
          asset_name: "Pump",
          inventory_number: asset.inventory_number,
          workspace_id: expect.stringMatching(/^wsp_/) as unknown,
          workspace_name: "Lab",
          assigned_to_user_id: owner.member.userId,
          assigned_to: owner.member.name,
          repeats: "every 3 months",
        },
        {
          id: plain.id,
          task_number: "T-2",
          title: "Look at it",
          state: "scheduled",
          priority: "medium",
          type: "preventive",
          asset_id: loose.id,
          asset_name: "Ladder",
          inventory_number: loose.inventory_number,
        },
      ],
      total_count: 2,
      overdue_count: 1,
    });
  });

  test("shows the completion time and cost of finished tasks", async () => {
    const owner = await connect(testApp());
    const { id } = await anAsset(owner);
    const made = (title: string, fields: Json) =>
      aTask(testApp().db, owner.member, { asset_id: id, title, ...fields });
    const costs = { labor_cost: 100, parts_cost: 20.5, currency: "EUR" };
    await made("costly", { state: "completed", completed_at: "2026-11-01T08:00:00Z", ...costs });
    await made("free", {
      state: "completed",
      completed_at: "2026-10-01T08:00:00Z",
      currency: "EUR",
    });
    await made("running", { state: "in_progress", ...costs });

    const { tasks } = await list(owner, { sort: "-completed_at" });

    const [costly, free, running] = tasks;
    expect(costly).toMatchObject({
      title: "costly",
      completed_at: "2026-11-01T08:00:00Z",
      total_cost: 120.5,
      currency: "EUR",
    });
    expect(free).toMatchObject({ title: "free", completed_at: "2026-10-01T08:00:00Z" });
    for (const field of ["total_cost", "currency"]) expect(free).not.toHaveProperty(field);
    for (const field of ["total_cost", "currency", "completed_at"]) {
      expect(running).not.toHaveProperty(field);
    }
  });

  test("returns an empty list for an organization without tasks", async () => {
    const owner = await connect(testApp());

    expect(await list(owner)).toEqual({ tasks: [], total_count: 0, overdue_count: 0 });
  });
});

describe("state filter of list_maintenance_tasks", () => {
  const testApp = useApp();
  let owner: Connected;

  beforeAll(async () => {
    const { db } = testApp();
    owner = await connect(testApp());
    const { id: asset_id } = await anAsset(owner);
    const add = (title: string, state: string, days?: number) =>
      aTask(db, owner.member, {
        asset_id,
        title,
        state,
        due_date: days === undefined ? null : inDays(days),
      });
    await add("undated", "scheduled");
    await add("next week", "scheduled", 7);
    await add("on hold", "on_hold", 8);
    await add("started", "in_progress", 3);
    await add("started late", "in_progress", -2);
    await add("late on hold", "on_hold", -3);
    await add("late", "scheduled", -1);
    await add("done late", "completed", -9);
    await add("dropped", "cancelled", -8);
  });

  const late = ["late on hold", "started late", "late"];
  const open = [...late, "started", "next week", "on hold", "undated"];

  test.each<[string | string[] | undefined, string[], number]>([
    [undefined, [...open, "done late", "dropped"], 3],
    ["all", [...open, "done late", "dropped"], 3],
    ["open", open, 3],
    ["overdue", late, 3],
    ["scheduled", ["next week", "undated"], 0],
    ["in_progress", ["started late", "started"], 1],
    ["on_hold", ["late on hold", "on hold"], 1],
    ["completed", ["done late"], 0],
    ["cancelled", ["dropped"], 0],
    [["overdue", "all", "completed"], [...open, "done late", "dropped"], 3],
    [["overdue", "completed"], [...late, "done late"], 3],
  ])("%j returns matching tasks by urgency with exact counts", async (state, expected, overdue) => {
    const listed = await list(owner, state === undefined ? {} : { state });

    expect(titles(listed)).toEqual(expected);
    expect(listed).toMatchObject({ total_count: expected.length, overdue_count: overdue });
  });
});

describe("overdue tasks", () => {
  const testApp = useApp();
  // Their dates always differ: the first zone is 26 hours ahead.
  const early = "Pacific/Kiritimati";
  const late = "Etc/GMT+12";

  async function inZone(timeZone: string, dueDates: string[]) {
    const { db } = testApp();
    const owner = await connect(testApp());
    await db.query("UPDATE organizations SET time_zone = $2 WHERE id = $1", [
      owner.member.organizationId,
      timeZone,
    ]);
    const { id: asset_id } = await anAsset(owner);
    for (const due_date of dueDates) await aTask(db, owner.member, { asset_id, due_date });
    const { tasks, overdue_count } = await list(owner, { sort: "due_date" });
    const scheduled = await list(owner, { state: "scheduled" });
    expect(scheduled.total_count).toBe(dueDates.length - overdue_count);
    return tasks.map(({ state, days_overdue }) => ({ state, days_overdue }));
  }

  test.each([early, late])(
    "a task due today is not overdue in %s, and one due yesterday is",
    async (zone) => {
      const now = new Date();
      const yesterday = dayIn(zone, new Date(now.getTime() - 86_400_000));

      const shown = await inZone(zone, [yesterday, dayIn(zone, now)]);

      expect(shown).toEqual([
        { state: "overdue", days_overdue: 1 },
        { state: "scheduled", days_overdue: undefined },
      ]);
    },
  );

  test("uses the organization's date, not the server's", async () => {
    const inEarly = await inZone(early, [dayIn(late)]);
    const inLate = await inZone(late, [dayIn(early)]);

    expect(inEarly).toMatchObject([{ state: "overdue" }]);
    expect(inLate).toMatchObject([{ state: "scheduled" }]);
  });

  test("shows tasks of a deleted asset only for this asset, and never as overdue", async () => {
    const { db } = testApp();
    const owner = await connect(testApp());
    const asset = await anAsset(owner);
    const mine = { asset_id: asset.id, title: "Waiting", due_date: inDays(-5) };
    await aTask(db, owner.member, mine);
    await aTask(db, owner.member, { ...mine, title: "Done", state: "completed" });
    await owner.ok("update_asset_state", { asset_id: asset.id, state: "deleted" });

    const everywhere = await list(owner);
    const ofAsset = await list(owner, { asset_id: asset.inventory_number });
    const overdue = await list(owner, { asset_id: asset.id, state: "overdue" });
    const scheduled = await list(owner, { asset_id: asset.id, state: "scheduled" });

    expect(everywhere).toEqual({ tasks: [], total_count: 0, overdue_count: 0 });
    expect(ofAsset).toMatchObject({
      tasks: [{ title: "Waiting", state: "scheduled" }, { title: "Done" }],
      total_count: 2,
      overdue_count: 0,
    });
    expect(overdue.total_count).toBe(0);
    expect(titles(scheduled)).toEqual(["Waiting"]);
    await owner.ok("update_asset_state", { asset_id: asset.id, state: "available" });
    expect(await list(owner)).toMatchObject({ total_count: 2, overdue_count: 1 });
  });
});

describe("other filters of list_maintenance_tasks", () => {
  const testApp = useApp();
  let owner: Connected;
  let colleague: Connected;
  let pump: { id: string; inventory_number: string };

  beforeAll(async () => {
    const { db } = testApp();
    owner = await connect(testApp());
    for (const name of ["Lab", "Yard"]) await owner.ok("create_workspace", { name });
    const { organization } = owner.member;
    colleague = await connect(testApp(), { organization, role: "member", workspace: "Lab" });
    // Generated numbers begin with any digit, so a search for a digit would find them.
    pump = await anAsset(owner, { workspace_id: "Lab", inventory_number: "PUMP-A" });
    const ladder = await anAsset(owner, { name: "Ladder", inventory_number: "LADDER-A" });
    await aTask(db, owner.member, {
      asset_id: pump.id,
      title: "Überholung der Pumpe",
      description: "Replace the shaft seal.",
      type: "calibration",
      priority: "urgent",
      due_date: "2031-03-01",
      assigned_to_user_id: owner.member.userId,
    });
    await aTask(db, owner.member, {
      workspace_id: colleague.member.workspaceId ?? "",
      title: "Sweep 100% of the floor",
      due_date: "2031-03-10",
      assigned_to_user_id: colleague.member.userId,
    });
    await aTask(db, owner.member, { asset_id: ladder.id, title: "Rungs", due_date: "2031-04-01" });
  });

  test.each<[string, () => Json, string[]]>([
    ["an asset by number", () => ({ asset_id: pump.inventory_number }), ["Ü"]],
    ["an asset by id", () => ({ asset_id: pump.id }), ["Ü"]],
    ["a workspace by name", () => ({ workspace_id: "lab" }), ["Ü", "S"]],
    ["a workspace by id", () => ({ workspace_id: colleague.member.workspaceId }), ["Ü", "S"]],
    ["an empty workspace", () => ({ workspace_id: "Yard" }), []],
    ["no workspace", () => ({ workspace_id: "None" }), ["R"]],
    ["me", () => ({ assigned_to_user_id: "me" }), ["Ü"]],
    ["an email", () => ({ assigned_to_user_id: colleague.member.email }), ["S"]],
    ["a user id", () => ({ assigned_to_user_id: colleague.member.userId }), ["S"]],
    ["nobody", () => ({ assigned_to_user_id: "none" }), ["R"]],
    ["a type", () => ({ type: "calibration" }), ["Ü"]],
    ["a priority", () => ({ priority: "medium" }), ["S", "R"]],
    ["a first day", () => ({ due_from: "2031-03-10" }), ["S", "R"]],
    ["a last day", () => ({ due_to: "2031-03-10" }), ["Ü", "S"]],
    ["one day", () => ({ due_from: "2031-03-10", due_to: "2031-03-10" }), ["S"]],
    ["a word of the description", () => ({ query: "SEAL" }), ["Ü"]],
    ["a part of the title", () => ({ query: "erhol" }), ["Ü"]],
    ["a part with signs of patterns", () => ({ query: "100% of" }), ["S"]],
    ["a task number", () => ({ query: "t-3" }), ["R"]],
    ["a bare number", () => ({ query: "2" }), ["S"]],
    ["words that are nowhere", () => ({ query: "turbine" }), []],
    ["several at once", () => ({ query: "the", workspace_id: "Lab", priority: "urgent" }), ["Ü"]],
  ])("filters tasks by %s", async (_, toFilters, expected) => {
    const listed = await list(owner, toFilters());

    expect(titles(listed).map((title) => title.slice(0, 1))).toEqual(expected);
    expect(listed.total_count).toBe(expected.length);
  });

  test.each<[Json, string, string]>([
    [
      { due_from: "2031-03-11", due_to: "2031-03-10" },
      "validation_failed",
      "Validation failed: due_from 2031-03-11 is after due_to 2031-03-10.",
    ],
    [{ state: "late" }, "validation_failed", "Validation failed: state"],
    [{ asset_id: "wsp_0123456789ab" }, "validation_failed", "Validation failed: "],
    [{ asset_id: "nowhere" }, "not_found", 'Asset not found for "nowhere".'],
    [{ workspace_id: "Attic" }, "not_found", 'Workspace not found for "Attic".'],
    [{ assigned_to_user_id: "usr_0123456789ab" }, "not_found", "User not found"],
  ])("rejects %j", async (filters, code, message) => {
    const refusal = await owner.refused("list_maintenance_tasks", filters);

    expect(refusal.code).toBe(code);
    expect(refusal.message.slice(0, message.length)).toBe(message);
  });
});
