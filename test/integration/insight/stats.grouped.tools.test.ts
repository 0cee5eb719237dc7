import { beforeAll, describe, expect, test } from "vitest";
import { changeAssetState } from "../../../server/src/domain/assets/change-asset-state.js";
import { createAsset, type NewAsset } from "../../../server/src/domain/assets/create-asset.js";
import { createTask, type NewTask } from "../../../server/src/domain/tasks/create-task.js";
import { updateTask } from "../../../server/src/domain/tasks/task-updates.js";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import { createReplay, dayFromToday, daysAgo } from "../../support/replay.js";

interface Group {
  id?: string;
  name?: string;
  completed_tasks: number;
  failures: number;
  cost?: Record<string, number>;
  previous?: { completed_tasks: number };
}

describe("grouped statistics", () => {
  const testApp = useApp();
  let owner: Connected;
  let viewer: Connected;

  // Work in Hall A 10 and 5 days ago, in Hall B 3 days ago, and in Hall A 40 days ago (previous
  // period).
  beforeAll(async () => {
    owner = await connect(testApp());
    for (const name of ["Hall A", "Hall B"]) await owner.ok("create_workspace", { name });
    viewer = await connect(testApp(), {
      organization: owner.member.organization,
      role: "member",
      workspace: "Hall B",
      workspaceRole: "viewer",
    });
    const replay = createReplay(testApp().db, owner.member);
    const create = (asset: NewAsset) =>
      replay(daysAgo(100), async (tx, caller) => (await createAsset(tx, caller, asset)).asset.id);
    const work = async (days: number, task: NewTask, record: Json) => {
      const id = await replay(
        daysAgo(days, -24),
        async (tx, caller) => (await createTask(tx, caller, task)).task.id,
      );
      await replay(daysAgo(days), (tx, caller) =>
        updateTask(tx, { ...caller, currency: "USD" }, id, { state: "completed", ...record }),
      );
    };
    const pump = await create({
      name: "Pump",
      workspace_id: "Hall A",
      category: "Pumps",
      purchase_cost: 1000,
      state: "in_use",
    });
    const lift = await create({ name: "Lift", workspace_id: "Hall B", category: "Lifts" });
    const spare = await create({ name: "Spare" });
    const service = { title: "Service", type: "preventive" } as const;
    await work(
      10,
      { asset_id: pump, ...service, due_date: dayFromToday(-10) },
      { labor_cost: 100 },
    );
    await work(5, { asset_id: pump, title: "Repair", type: "corrective" }, { actual_minutes: 90 });
    await work(3, { asset_id: lift, ...service, due_date: dayFromToday(-20) }, { parts_cost: 30 });
    await work(40, { asset_id: pump, ...service }, { labor_cost: 7 });
    await replay(daysAgo(8), (tx, caller) =>
      changeAssetState(tx, caller, spare, { state: "out_of_service" }),
    );
    await owner.ok("create_maintenance_task", {
      asset_id: lift,
      title: "Late",
      due_date: "2026-01-05",
      assigned_to_user_id: "me",
      estimated_minutes: 90,
    });
  });

  const groupsOf = async (person: Connected, given: Json) => {
    const { groups } = await person.ok<{ groups: Group[] }>("get_organization_stats", {
      period_days: 30,
      ...given,
    });
    return groups;
  };

  test("groups by workspace, with the previous period and unplaced records", async () => {
    expect(await groupsOf(owner, { group_by: "workspace" })).toMatchObject([
      {
        name: "Hall A",
        completed_tasks: 2,
        cost: { USD: 100 },
        hours: 1.5,
        failures: 1,
        on_time_percent: 100,
        planned_due: 1,
        previous: { completed_tasks: 1, cost: { USD: 7 } },
        assets: 1,
        purchase_value: { USD: 1000 },
      },
      {
        name: "Hall B",
        completed_tasks: 1,
        cost: { USD: 30 },
        on_time_percent: 0,
        open_tasks: 1,
        overdue_tasks: 1,
        estimated_hours: 1.5,
        assets: 1,
      },
      { name: "(no workspace)", completed_tasks: 0, failures: 1, assets: 1 },
    ]);
  });

  test("groups by category, type, and person", async () => {
    const categories = await groupsOf(owner, { group_by: "category" });
    const types = await groupsOf(owner, { group_by: "task_type" });
    const people = await groupsOf(owner, { group_by: "assignee" });

    expect(categories.map(({ name }) => name)).toEqual(["Lifts", "Pumps", "(no category)"]);
    expect(types).toMatchObject([
      { name: "preventive", completed_tasks: 2, open_tasks: 1 },
      { name: "corrective", completed_tasks: 1, failures: 1 },
      { name: "(no task)", completed_tasks: 0, failures: 1 },
    ]);
    expect(people).toMatchObject([
      { name: "(no assignee)", completed_tasks: 3, assets: 3, failures: 2 },
      { id: owner.member.userId, open_tasks: 1, overdue_tasks: 1, estimated_hours: 1.5 },
    ]);
  });

  test("groups by the person who completed the work, not the assignee", async () => {
    const people = await groupsOf(owner, { group_by: "completed_by" });

    expect(people).toMatchObject([
      {
        ...{ id: owner.member.userId, name: owner.member.name, completed_tasks: 3, failures: 1 },
        ...{ planned_due: 2, on_time_percent: 50, previous: { completed_tasks: 1 } },
      },
      { name: "(no one)", completed_tasks: 0, failures: 1, planned_due: 0 },
    ]);
    expect(people[0]).not.toHaveProperty("open_tasks");
  });

  test.each(["workspace", "category", "assignee", "completed_by", "task_type", "month"])(
    "failures grouped by %s add up to the overview's",
    async (group_by) => {
      const groups = await groupsOf(owner, { group_by });
      const { period } = await owner.ok<{ period: Json }>("get_organization_stats", {
        period_days: 30,
      });
      expect(groups.reduce((sum, { failures }) => sum + failures, 0)).toBe(period["failures"]);
    },
  );

  test("groups the requested days by month, in order", async () => {
    const months = await groupsOf(owner, {
      group_by: "month",
      from: dayFromToday(-60),
      to: dayFromToday(0),
    });

    const names = months.map(({ name = "" }) => name);
    expect(names).toEqual(names.toSorted());
    expect(months.reduce((sum, { completed_tasks: done }) => sum + done, 0)).toBe(4);
    expect(months[0]).not.toHaveProperty("previous");
  });

  test("includes the first and the last day of the period", async () => {
    const of = async (from: number, to: number) =>
      (
        await groupsOf(owner, {
          group_by: "workspace",
          workspace_id: "Hall A",
          from: dayFromToday(from),
          to: dayFromToday(to),
        })
      )[0]?.completed_tasks;

    expect([await of(-10, -5), await of(-9, -5), await of(-10, -6)]).toEqual([2, 1, 1]);
  });

  test("shows a viewer of one workspace that workspace and unplaced records", async () => {
    const groups = await groupsOf(viewer, { group_by: "workspace" });
    const categories = await groupsOf(viewer, { group_by: "category" });

    expect(groups.map(({ name }) => name)).toEqual(["Hall B", "(no workspace)"]);
    expect(categories.map(({ name }) => name)).toEqual(["Lifts", "(no category)"]);
    expect((await groupsOf(viewer, { group_by: "month" })).map(({ cost }) => cost)).toContainEqual({
      USD: 30,
    });
  });

  test("rejects incompatible parameters", async () => {
    const alone = await owner.refused("get_organization_stats", { from: "2026-01-01" });
    const reversed = await owner.refused("get_organization_stats", {
      group_by: "month",
      from: "2026-02-01",
      to: "2026-01-01",
    });

    expect(alone.message).toContain("from and to only work with group_by");
    expect(reversed.message).toContain("from 2026-02-01 is after to 2026-01-01");
  });

  test("includes the most pressing matters on request", async () => {
    const read = (given: Json = {}) =>
      owner.ok<{ attention: Json[] }>("get_organization_stats", {
        ...{ include: ["attention"], ...given },
      });
    const { attention, ...answer } = await read();
    const inHall = await read({ workspace_id: "hall b", group_by: "month" });
    const empty = await read({ workspace_id: "Hall A" });
    const without = await owner.ok("get_organization_stats");

    expect(attention).toMatchObject([
      { reason: "out_of_service", name: "Spare", days: 8 },
      {
        reason: "overdue",
        name: "Lift",
        task_title: "Late",
        assigned_to: expect.any(String) as string,
      },
    ]);
    expect(answer).not.toHaveProperty("attention_not_shown");
    expect(inHall.attention).toMatchObject([{ reason: "overdue", name: "Lift" }]);
    expect(empty).not.toHaveProperty("attention");
    expect(without).not.toHaveProperty("attention");
  });

  test("returns the number of omitted matters", async () => {
    const other = await connect(testApp());
    await other.ok("create_asset", {
      assets: Array.from({ length: 23 }, (_, n) => ({ name: `Fan ${n}`, state: "out_of_service" })),
    });
    const answer = await other.ok<{ attention: Json[] }>("get_organization_stats", {
      include: ["attention"],
    });

    expect(answer.attention).toHaveLength(20);
    expect(answer).toMatchObject({ attention_not_shown: 3 });
  });

  test.each([
    { from: "0001-01-01" },
    { from: dayFromToday(0), to: dayFromToday(0) },
    { to: "0001-01-05" },
  ])("answers spans at the ends of the calendar (%j)", async (span) => {
    for (const group_by of ["workspace", "month"]) {
      await owner.ok("get_organization_stats", { group_by, ...span });
    }
  });

  test.each([
    { from: "2026-01-01", to: dayFromToday(1) },
    { to: "9999-12-31" },
    { from: dayFromToday(7) },
    { from: dayFromToday(7), to: dayFromToday(14) },
  ])("rejects spans that reach into the future (%j)", async (span) => {
    for (const group_by of ["assignee", "month"]) {
      const { message } = await owner.refused("get_organization_stats", { group_by, ...span });
      expect(message).toContain(`Use a day up to today, ${dayFromToday(0)}.`);
      expect(message).toContain("list_maintenance_tasks with due_from and due_to");
    }
  });
});
