// @module-tag embedded

import { describe, expect, test, vi } from "vitest";
import type { NewAsset } from "../../../server/src/domain/assets/create-asset.js";
import { findAttention } from "../../../server/src/domain/insight/attention.js";
import type { Caller } from "../../../server/src/domain/access/caller.js";
import { getStats } from "../../../server/src/domain/insight/organization-stats.js";
import { anOrganizationIn, repaired } from "../../support/attention.js";
import type { aTask } from "../../support/builders.js";
import { useDatabase } from "../../support/database.js";
import { dayFromToday } from "../../support/replay.js";

const database = useDatabase();

const anOrganization = () => anOrganizationIn(database());

async function lines(caller: Caller, limit = 50): Promise<string[]> {
  const { entries } = await findAttention(database(), { caller, limit });
  return entries.map(
    ({ reason, asset, task, days, failures, more }) =>
      `${asset?.name ?? task?.title ?? ""}: ${reason} ${days ?? failures ?? "-"}${more > 0 ? ` +${more}` : ""}`,
  );
}

describe("attention list", () => {
  test("is empty when all is well", async () => {
    const { caller, anAsset, aTask: add, member } = await anOrganization();
    const pump = await anAsset("Pump", { warranty_expires_on: dayFromToday(30) });
    await add(pump, { due_date: dayFromToday(3), assigned_to_user_id: member.userId });
    await add(pump, { due_date: dayFromToday(7) });
    await add(pump, { ...repaired(2) });
    await add(pump, { ...repaired(3) });

    const none = { total: 0, isCapped: false };
    expect(await findAttention(database(), { caller, limit: 8 })).toEqual({
      entries: [],
      ...none,
      bands: { broken: none, late: none, unassigned: none, watch: none },
    });
  });

  test("includes overdue work, but not work due today, finished, or cancelled", async () => {
    const { caller, anAsset, aTask: add, member } = await anOrganization();
    const pump = await anAsset("Pump");
    const late = { due_date: dayFromToday(-3), assigned_to_user_id: member.userId };
    const id = await add(pump, { ...late, title: "Load test", priority: "low" });
    await add(await anAsset("Lift"), { ...late, due_date: dayFromToday(0) });
    await add(await anAsset("Fan"), { ...late, state: "completed" });
    await add(await anAsset("Van"), { ...late, state: "cancelled" });

    const { entries } = await findAttention(database(), { caller, limit: 8 });

    expect(entries).toEqual([
      {
        reason: "overdue",
        asset: expect.objectContaining({
          id: pump,
          name: "Pump",
          criticality: "medium",
        }) as unknown,
        workspace: null,
        task: {
          id,
          task_number: "T-1",
          title: "Load test",
          priority: "low",
          due_date: dayFromToday(-3),
          state: "scheduled",
          assigned_to_user_id: member.userId,
          assigned_to: member.name,
        },
        report: null,
        note: null,
        days: 3,
        failures: null,
        more: 0,
        may_change: true,
      },
    ]);
  });

  test("includes an asset out of service with its repair, whatever its other work", async () => {
    const { caller, anAsset, aTask: add, member } = await anOrganization();
    await anAsset("Forgotten", { state: "out_of_service" }, 4);
    const routine = await anAsset("Routine", { state: "out_of_service" }, 4);
    await add(routine, { assigned_to_user_id: member.userId, due_date: dayFromToday(90) });
    const repair = await anAsset("Repair", { state: "out_of_service" }, 4);
    await add(repair, { assigned_to_user_id: member.userId, type: "corrective", title: "Weld" });

    const { entries } = await findAttention(database(), { caller, limit: 8 });

    expect(entries.map(({ asset, reason, task }) => [asset?.name, reason, task?.title])).toEqual([
      ["Forgotten", "out_of_service", undefined],
      ["Routine", "out_of_service", undefined],
      ["Repair", "out_of_service", "Weld"],
    ]);
  });

  test("includes an asset in maintenance, except for planned work in progress", async () => {
    const { caller, anAsset, aTask: add, member } = await anOrganization();
    const work = async (name: string, given: Parameters<typeof aTask>[2]) =>
      add(await anAsset(name, { state: "in_maintenance" }, 4), {
        ...{ assigned_to_user_id: member.userId, requires_downtime: true, type: "preventive" },
        ...given,
      });
    await anAsset("By hand", { state: "in_maintenance" }, 4);
    await work("Service", { state: "in_progress" });
    await work("Waiting", { state: "on_hold" });
    await work("Repair", { state: "in_progress", type: "corrective" });
    await work("Beside", { state: "in_progress", requires_downtime: false });

    expect((await lines(caller)).toSorted()).toEqual([
      "Beside: in_maintenance 4",
      "By hand: in_maintenance 4",
      "Repair: in_maintenance 4",
      "Waiting: in_maintenance 4",
    ]);
  });

  test("includes unassigned work that is urgent, high priority, or due within seven days", async () => {
    const { caller, anAsset, aTask: add, member } = await anOrganization();
    const work = async (name: string, given: Parameters<typeof aTask>[2]) =>
      add(await anAsset(name), given);
    await work("Urgent", { priority: "urgent" });
    await work("High", { priority: "high", due_date: dayFromToday(60) });
    await work("Soon", { due_date: dayFromToday(6) });
    await work("Today", { due_date: dayFromToday(0), priority: "low" });
    await work("Later", { due_date: dayFromToday(7) });
    await work("Some day", {});
    await work("Someone's", { priority: "urgent", assigned_to_user_id: member.userId });
    await work("Done", { priority: "urgent", state: "completed" });

    expect(await lines(caller)).toEqual([
      "Urgent: unassigned -",
      "High: unassigned 60",
      "Today: unassigned 0",
      "Soon: unassigned 6",
    ]);
  });

  test("includes an asset that failed three times in 365 days", async () => {
    const { caller, anAsset, aTask: add } = await anOrganization();
    const often = await anAsset("Often", {}, 800);
    for (const days of [5, 100, 364]) await add(often, repaired(days));
    const before = await anAsset("Long ago", {}, 800);
    for (const days of [5, 100, 366]) await add(before, repaired(days));
    const planned = await anAsset("Planned work", {}, 800);
    for (const days of [5, 6, 7]) await add(planned, { ...repaired(days), type: "preventive" });

    expect(await lines(caller)).toEqual(["Often: repeated_failures 3"]);
  });

  test("includes a warranty that ends within 30 days, counting today like the figures", async () => {
    const { caller, anAsset } = await anOrganization();
    await anAsset("Today", { warranty_expires_on: dayFromToday(0) });
    await anAsset("Last day", { warranty_expires_on: dayFromToday(29) });
    await anAsset("Later", { warranty_expires_on: dayFromToday(30) });
    await anAsset("Ended", { warranty_expires_on: dayFromToday(-1) });

    expect(await lines(caller)).toEqual([
      "Today: warranty_ending 0",
      "Last day: warranty_ending 29",
    ]);
    const stats = await getStats(database(), caller, { workspace: undefined, days: 90 });
    expect(stats.warranties.ending_in_30_days).toBe(2);
  });

  test("excludes retired assets and their work for every reason", async () => {
    const { caller, anAsset, aTask: add, retire } = await anOrganization();
    const each = [
      await anAsset("Late"),
      await anAsset("Down", { state: "out_of_service" }),
      await anAsset("Unassigned"),
      await anAsset("Failing", {}, 300),
      await anAsset("Warranty", { warranty_expires_on: dayFromToday(3) }),
    ];
    const [late = "", , unassigned = "", failing = ""] = each;
    await add(late, { due_date: dayFromToday(-3) });
    await add(unassigned, { priority: "urgent" });
    for (const days of [5, 6, 7]) await add(failing, repaired(days));
    expect(await lines(caller)).toHaveLength(5);

    for (const id of each) await retire(id);

    expect(await lines(caller)).toEqual([]);
  });

  test("includes work in a workspace, each task separately", async () => {
    const { caller, aTask: add, aPlace } = await anOrganization();
    const yard = await aPlace("Yard");
    await add(null, { workspace_id: yard, title: "Sweep", due_date: dayFromToday(-2) });
    await add(null, { workspace_id: yard, title: "Salt", due_date: dayFromToday(-1) });

    const { entries } = await findAttention(database(), { caller, limit: 8 });

    expect(await lines(caller)).toEqual(["Sweep: overdue 2", "Salt: overdue 1"]);
    expect(entries[0]).toMatchObject({ asset: null, workspace: { id: yard, name: "Yard" } });
  });

  test("lists an asset once, with its strongest reason and the number of others", async () => {
    const { caller, anAsset, aTask: add } = await anOrganization();
    const pump = await anAsset("Pump", { warranty_expires_on: dayFromToday(3) }, 300);
    await add(pump, { title: "Older", due_date: dayFromToday(-9) });
    await add(pump, { title: "Newer", due_date: dayFromToday(-1) });
    await add(pump, { priority: "urgent" });
    for (const days of [5, 6, 7]) await add(pump, repaired(days));

    const { entries } = await findAttention(database(), { caller, limit: 8 });

    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ reason: "overdue", task: { title: "Older" }, more: 4 });
  });
});

describe("order of the attention list", () => {
  test("follows criticality and lateness", async () => {
    const { caller, anAsset, aTask: add } = await anOrganization();
    const late = async (criticality: NonNullable<NewAsset["criticality"]>, days: number) =>
      add(await anAsset(`${criticality} ${days}`, { criticality }), {
        due_date: dayFromToday(-days),
      });
    await late("medium", 40);
    await late("critical", 1);
    await late("low", 31);
    await late("medium", 2);
    await late("high", 2);
    await late("medium", 90);

    expect(await lines(caller)).toEqual([
      "critical 1: overdue 1",
      "medium 90: overdue 90",
      "medium 40: overdue 40",
      "high 2: overdue 2",
      "low 31: overdue 31",
      "medium 2: overdue 2",
    ]);
  });

  test("orders reasons of equal assets by weight", async () => {
    const { caller, anAsset, aTask: add } = await anOrganization();
    await anAsset("E", { warranty_expires_on: dayFromToday(0) });
    const failing = await anAsset("D", {}, 300);
    for (const days of [5, 6, 7]) await add(failing, repaired(days));
    await add(await anAsset("C"), { priority: "urgent" });
    await add(await anAsset("B"), { due_date: dayFromToday(-1) });
    await anAsset("A", { state: "out_of_service" });

    expect((await lines(caller)).map((line) => line.slice(0, 1)).join("")).toBe("ABCDE");
  });

  test("puts broken assets before late work, first in their entry", async () => {
    const { caller, anAsset, aTask: add } = await anOrganization();
    await add(await anAsset("Late", { criticality: "critical" }), { due_date: dayFromToday(-60) });
    const down = await anAsset("Down", { criticality: "low", state: "out_of_service" }, 2);
    await add(down, { due_date: dayFromToday(-60) });
    await anAsset("Fan", { criticality: "low", state: "in_maintenance" }, 4);
    await anAsset("Lift", { criticality: "critical", state: "in_maintenance" }, 3);

    expect(await lines(caller)).toEqual([
      "Down: out_of_service 2 +1",
      "Lift: in_maintenance 3",
      "Fan: in_maintenance 4",
      "Late: overdue 60",
    ]);
  });

  test("puts broken assets without a planned repair first", async () => {
    const { caller, anAsset, aTask: add } = await anOrganization();
    const planned = await anAsset("Planned", { criticality: "critical", state: "out_of_service" });
    await add(planned, { type: "corrective", due_date: dayFromToday(2) });
    await anAsset("Forgotten", { criticality: "low", state: "in_maintenance" }, 1);

    expect((await lines(caller)).map((line) => line.split(":")[0])).toEqual([
      "Forgotten",
      "Planned",
    ]);
  });

  test("cuts the list at the limit and returns the total", async () => {
    const { caller, anAsset, aTask: add } = await anOrganization();
    for (const days of [1, 2, 3]) {
      await add(await anAsset(`Late ${days}`), { due_date: dayFromToday(-days) });
    }
    const find = (limit: number) => findAttention(database(), { caller, limit });

    expect(await lines(caller, 2)).toEqual(["Late 3: overdue 3", "Late 2: overdue 2"]);
    expect((await find(2)).total).toBe(3);
    expect((await find(3)).total).toBe(3);
  });
});

describe("bands", () => {
  const byBand = async (caller: Caller, limit = 50) => {
    const found = await findAttention(database(), { caller, limit, isByBand: true });
    const rows = found.entries.map(
      ({ reason, asset, task }) => `${reason}: ${task?.title ?? asset?.name ?? ""}`,
    );
    return { rows, bands: found.bands };
  };

  test("list a broken asset's other work too, and unassigned work by due date", async () => {
    const { caller, anAsset, aTask: add, aPlace } = await anOrganization();
    const lift = await anAsset("Lift", { criticality: "critical", state: "out_of_service" }, 2);
    await add(lift, { title: "Paint", due_date: dayFromToday(-14) });
    await add(lift, { title: "Inspect", due_date: dayFromToday(-2) });
    await add(lift, { title: "Urgent", priority: "urgent" });
    const yard = await aPlace("Yard");
    await add(null, { workspace_id: yard, title: "Sweep", due_date: dayFromToday(1) });
    await anAsset("Van", { warranty_expires_on: dayFromToday(3) });

    const { rows, bands } = await byBand(caller);

    expect(rows).toEqual([
      "out_of_service: Lift",
      "overdue: Paint",
      "overdue: Inspect",
      "unassigned: Sweep",
      "unassigned: Urgent",
      "warranty_ending: Van",
    ]);
    expect(bands).toMatchObject({
      broken: { total: 1 },
      late: { total: 2, isCapped: false },
      unassigned: { total: 2 },
      watch: { total: 1 },
    });
    const cut = await byBand(caller, 1);
    expect(cut.rows).toHaveLength(4);
    expect(cut.bands.late).toEqual({ total: 2, isCapped: true });
  });
});

describe("asset with many reasons", () => {
  test("doesn't hide other assets", async () => {
    const { caller, anAsset, aTask: add } = await anOrganization();
    const [pump, lift] = [await anAsset("Pump"), await anAsset("Lift")];
    for (let day = 2; day <= 12; day += 1) await add(pump, { due_date: dayFromToday(-day) });
    await add(lift, { due_date: dayFromToday(-1) });

    expect(await lines(caller, 1)).toEqual(["Pump: overdue 12 +10"]);
    expect(await lines(caller, 2)).toEqual(["Pump: overdue 12 +10", "Lift: overdue 1"]);
    const { total } = await findAttention(database(), { caller, limit: 1 });
    expect(total).toBe(2);
  });

  test("LIM-81 reads bounded batches, however many reasons there are", async () => {
    const { caller, anAsset, aTask: add, aPlace } = await anOrganization();
    const first = await add(await anAsset("Pump"), { due_date: dayFromToday(-500) });
    await database().query(
      `INSERT INTO maintenance_tasks (id, organization_id, task_number, asset_id, title, type, due_date,
         created_by)
       SELECT 'tsk_' || lpad(n::text, 12, '0'), organization_id, 1000 + n, asset_id, title, type,
         due_date + n, created_by
       FROM maintenance_tasks, generate_series(1, 450) n WHERE organization_id = $1 AND id = $2`,
      [caller.organizationId, first],
    );
    await add(await anAsset("Lift"), { due_date: dayFromToday(-2) });
    const yard = { workspace_id: await aPlace("Yard"), due_date: dayFromToday(-1) };
    for (const title of ["Salt", "Sweep"]) await add(null, { ...yard, title });
    const query = vi.spyOn(database(), "query");

    const found = await lines(caller, 3);
    const counts = await Promise.all(
      query.mock.results.map(async ({ value }) => ((await value) as unknown[]).length),
    );
    query.mockRestore();

    expect(found.slice(0, 2)).toEqual(["Pump: overdue 500 +450", "Lift: overdue 2"]);
    expect(found[2]).toMatch(/^(Salt|Sweep): overdue 1$/);
    // This many rows are read before the list keeps only the most important per asset.
    expect(Math.max(...counts)).toBe(400);
  });
});
