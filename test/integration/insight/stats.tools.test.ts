// @module-tag embedded

import { beforeAll, describe, expect, test } from "vitest";
import { createAsset } from "../../../server/src/domain/assets/create-asset.js";
import { dayIn } from "../../../server/src/domain/shared/dates.js";
import { registeredTools } from "../../../server/src/mcp/registry.js";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import { createReplay, dayFromToday, daysAgo } from "../../support/replay.js";

interface Stats {
  today: string;
  time_zone: string;
  scope: string;
  assets: Record<string, unknown> & { by_state: Record<string, number> };
  tasks: Record<string, unknown> & { total: number; by_state: Record<string, number> };
  warranties: Json;
  period: Json;
  people: Json;
  workspaces: number;
}

const statsOf = (person: Connected, filters: Json = {}) =>
  person.ok<Stats>("get_organization_stats", filters);
const createAssetOf = async (person: Connected, fields: Json) =>
  (await person.ok<{ asset: { id: string } }>("create_asset", fields)).asset.id;
const createTaskOf = async (person: Connected, fields: Json) =>
  (await person.ok<{ task: { id: string } }>("create_maintenance_task", fields)).task.id;
const updateTaskOf = (person: Connected, task_id: string, fields: Json) =>
  person.ok("update_maintenance_task", { task_id, ...fields });

const noAssets = { available: 0, in_use: 0, in_maintenance: 0, out_of_service: 0, stored: 0 };
const noTasks = {
  scheduled: 0,
  in_progress: 0,
  on_hold: 0,
  overdue: 0,
  completed: 0,
  cancelled: 0,
};

describe("get_organization_stats", () => {
  const testApp = useApp();

  test("returns zero counts and nothing else for an empty organization", async () => {
    const owner = await connect(testApp());

    const stats = await statsOf(owner);

    expect(stats).toEqual({
      as_of: expect.stringMatching(/Z$/) as unknown,
      today: dayFromToday(0),
      time_zone: "UTC",
      scope: "organization",
      assets: {
        total: 0,
        deleted: 0,
        by_state: noAssets,
        by_criticality: { critical: 0, high: 0, medium: 0, low: 0 },
        unassigned: 0,
        not_placed: 0,
      },
      tasks: {
        total: 0,
        by_state: noTasks,
        due_today: 0,
        due_in_7_days: 0,
        due_in_30_days: 0,
        unassigned_open: 0,
      },
      warranties: { ending_in_30_days: 0, ending_in_90_days: 0 },
      period: { days: 365, created_assets: 0, completed_tasks: 0, failures: 0 },
      people: { members: 1, active_30_days: 1, pending_invites: 0 },
      workspaces: 0,
    });
  });

  test("accepts only three values of period_days, also as text", async () => {
    const owner = await connect(testApp());

    expect((await statsOf(owner, { period_days: "30" })).period["days"]).toBe(30);
    expect((await statsOf(owner, { period_days: 90 })).period["days"]).toBe(90);
    const error = await owner.refused("get_organization_stats", { period_days: 31 });
    expect(error.message).toContain('period_days "31" is not one of: 30, 90, 365');
    const schema = registeredTools.get("get_organization_stats")?.inputSchema;
    expect(schema?.properties?.["period_days"]).toMatchObject({
      enum: [30, 90, 365],
      default: 365,
    });
  });

  test("accepts a workspace only by id or exact name", async () => {
    const owner = await connect(testApp());

    for (const workspace_id of ["Attic", "none"]) {
      const error = await owner.refused("get_organization_stats", { workspace_id });
      expect(error.message).toContain("Workspace not found");
    }
  });
});

describe("counts", () => {
  const testApp = useApp();
  let owner: Connected;
  let deleted: string;

  beforeAll(async () => {
    owner = await connect(testApp());
    await testApp().db.query("UPDATE organizations SET currency = 'EUR' WHERE id = $1", [
      owner.member.organizationId,
    ]);
    for (const name of ["Lab", "Yard", "Empty"]) await owner.ok("create_workspace", { name });
    const add = (fields: Json) => createAssetOf(owner, { name: "Thing", ...fields });
    const fan = await add({
      workspace_id: "Lab",
      category: "HVAC",
      criticality: "critical",
      state: "in_use",
      assigned_to_user_id: "me",
      purchase_cost: 1000.5,
      warranty_expires_on: dayFromToday(0),
    });
    await add({
      workspace_id: "Lab",
      category: "HVAC",
      purchase_cost: 99.5,
      warranty_expires_on: dayFromToday(29),
    });
    await add({
      category: "Vans",
      state: "stored",
      purchase_cost: 5,
      currency: "USD",
      warranty_expires_on: dayFromToday(30),
    });
    const van = await add({
      workspace_id: "Yard",
      state: "out_of_service",
      warranty_expires_on: dayFromToday(90),
    });
    await add({ workspace_id: "Yard", warranty_expires_on: dayFromToday(-1) });
    await add({ workspace_id: "Yard" });
    deleted = await add({ workspace_id: "Yard", category: "Vans", purchase_cost: 7 });
    const task = (fields: Json) => createTaskOf(owner, { title: "Work", ...fields });
    await task({ asset_id: deleted, due_date: dayFromToday(-50) });
    await owner.ok("update_asset_state", { asset_id: deleted, state: "deleted" });

    await task({ asset_id: fan, due_date: dayFromToday(-9), assigned_to_user_id: "me" });
    const late = await task({ asset_id: van, due_date: dayFromToday(-3) });
    await updateTaskOf(owner, late, { state: "in_progress" });
    await task({ asset_id: fan, due_date: dayFromToday(0) });
    await task({ asset_id: fan, due_date: dayFromToday(6) });
    const later = await task({ asset_id: fan, due_date: dayFromToday(7) });
    await updateTaskOf(owner, later, { state: "on_hold" });
    await task({ workspace_id: "Yard", due_date: dayFromToday(29) });
    await task({ workspace_id: "Yard", due_date: dayFromToday(30) });
    const started = await task({ workspace_id: "Empty" });
    await updateTaskOf(owner, started, { state: "in_progress" });
    const done = await task({ asset_id: fan, due_date: dayFromToday(-1) });
    await updateTaskOf(owner, done, { state: "completed", labor_cost: 12.25 });
    const skipped = await task({ asset_id: fan, due_date: dayFromToday(-1) });
    await updateTaskOf(owner, skipped, { state: "cancelled" });
  });

  test("counts assets without deleted ones", async () => {
    const { assets, warranties, workspaces } = await statsOf(owner);

    expect(assets).toEqual({
      total: 6,
      deleted: 1,
      by_state: { ...noAssets, available: 3, in_use: 1, out_of_service: 1, stored: 1 },
      by_criticality: { critical: 1, high: 0, medium: 5, low: 0 },
      by_category: [
        { category: "HVAC", assets: 2 },
        { category: "Vans", assets: 1 },
      ],
      by_workspace: [
        expect.objectContaining({ workspace_name: "Yard", assets: 3, overdue_tasks: 1 }),
        expect.objectContaining({ workspace_name: "Lab", assets: 2, overdue_tasks: 1 }),
        // Assets without a workspace, so the rows add up to the total.
        { workspace_name: "(no workspace)", assets: 1, overdue_tasks: 0 },
      ],
      unassigned: 5,
      not_placed: 1,
      purchase_value: { EUR: 1100, USD: 5 },
    });
    expect(warranties).toEqual({ ending_in_30_days: 2, ending_in_90_days: 3 });
    expect(workspaces).toBe(3);
  });

  test("task states add up to the total, and late tasks count only as overdue", async () => {
    const { tasks } = await statsOf(owner);

    expect(tasks).toEqual({
      total: 10,
      by_state: {
        scheduled: 4,
        in_progress: 1,
        on_hold: 1,
        overdue: 2,
        completed: 1,
        cancelled: 1,
      },
      due_today: 1,
      due_in_7_days: 2,
      due_in_30_days: 4,
      unassigned_open: 7,
      oldest_overdue_days: 9,
    });
    const sum = Object.values(tasks.by_state).reduce((total, count) => total + count, 0);
    expect(sum).toBe(tasks.total);
    const listed = await owner.ok<{ total_count: number }>("list_maintenance_tasks", {
      state: "overdue",
    });
    expect(listed.total_count).toBe(tasks.by_state["overdue"]);
  });

  test("totals creations, completions, and costs of the period", async () => {
    const { period } = await statsOf(owner, { period_days: 30 });

    expect(period).toMatchObject({
      days: 30,
      created_assets: 6,
      completed_tasks: 1,
      cost: { EUR: { preventive: 12.25 } },
      top_cost_assets: [{ cost: { EUR: 12.25 } }],
    });
  });

  test("counts one workspace", async () => {
    const { scope, assets, tasks, workspaces, people } = await statsOf(owner, {
      workspace_id: "yard",
    });

    expect({ scope, workspaces }).toEqual({ scope: "workspace", workspaces: 1 });
    expect(assets).toMatchObject({ total: 3, deleted: 1, not_placed: 0 });
    expect(assets).not.toHaveProperty("by_category");
    expect(assets["by_workspace"]).toMatchObject([{ workspace_name: "Yard" }]);
    expect(tasks).toMatchObject({ total: 3, oldest_overdue_days: 3 });
    // The owner has access without being a member.
    expect(people).toEqual({ members: 1, active_30_days: 1, pending_invites: 0 });
    const empty = await statsOf(owner, { workspace_id: "Empty" });
    expect(empty.assets.by_state).toEqual(noAssets);
    expect(empty.tasks.by_state).toEqual({ ...noTasks, in_progress: 1 });
  });

  test("counts the tasks of a restored asset again", async () => {
    await owner.ok("update_asset_state", { asset_id: deleted, state: "available" });
    const { assets, tasks } = await statsOf(owner);
    await owner.ok("update_asset_state", { asset_id: deleted, state: "deleted" });

    expect(assets).toMatchObject({ total: 7, deleted: 0 });
    expect(tasks).toMatchObject({ total: 11, oldest_overdue_days: 50 });
    expect(await statsOf(owner)).toMatchObject({ assets: { total: 6 }, tasks: { total: 10 } });
  });

  test("uses today in the organization's time zone", async () => {
    const { db } = testApp();
    const { organizationId } = owner.member;
    const inZone = async (zone: string) => {
      await db.query("UPDATE organizations SET time_zone = $2 WHERE id = $1", [
        organizationId,
        zone,
      ]);
      return statsOf(owner, { workspace_id: "Lab" });
    };
    // The second zone is always a day or two ahead of the first.
    const [early, late] = ["Pacific/Niue", "Pacific/Kiritimati"] as const;
    await createTaskOf(owner, {
      workspace_id: "Lab",
      title: "At the border",
      due_date: dayIn(early),
    });

    const there = await inZone(early);
    const here = await inZone(late);
    await inZone("UTC");

    expect(there).toMatchObject({ today: dayIn(early), time_zone: early });
    expect(here).toMatchObject({ today: dayIn(late), time_zone: late });
    const overdue = [there, here].map(({ tasks }) => tasks.by_state["overdue"] ?? 0);
    expect(overdue[1]).toBeGreaterThan(overdue[0] ?? 0);
  });
});

describe("scope of the figures", () => {
  const testApp = useApp();
  let owner: Connected;

  beforeAll(async () => {
    owner = await connect(testApp());
    for (const name of ["Lab", "Vault"]) await owner.ok("create_workspace", { name });
    for (const [name, workspace_id] of [
      ["A", "Lab"],
      ["B", "Vault"],
      ["C", "Vault"],
      ["D", undefined],
    ]) {
      const asset_id = await createAssetOf(owner, { name, workspace_id, category: `Kind ${name}` });
      const task = await createTaskOf(owner, { asset_id, title: "Repair", type: "corrective" });
      await updateTaskOf(owner, task, { state: "completed", labor_cost: 10 });
    }
    await owner.ok("create_invite", { email: "new@example.com", workspace_id: "Lab" });
    await owner.ok("create_invite", { email: "other@example.com" });
  });

  const join = (more: Json) =>
    connect(testApp(), { organization: owner.member.organization, role: "member", ...more });

  test("an admin sees the whole organization", async () => {
    const admin = await join({ role: "admin" });

    const { scope, assets, people, workspaces } = await statsOf(admin);

    expect({ scope, workspaces }).toEqual({ scope: "organization", workspaces: 2 });
    expect(assets).toMatchObject({ total: 4, not_placed: 1 });
    expect(people).toMatchObject({ pending_invites: 2 });
  });

  test.each(["viewer", "member", "admin"])(
    "a %s of a workspace sees it and unplaced records, marked as such",
    async (workspaceRole) => {
      const person = await join({ workspace: "Lab", workspaceRole });

      const stats = await statsOf(person);

      expect(stats).toMatchObject({
        scope: "your_workspaces",
        assets: {
          total: 2,
          by_category: [
            { category: "Kind A", assets: 1 },
            { category: "Kind D", assets: 1 },
          ],
          by_workspace: [
            { workspace_name: "Lab", assets: 1, overdue_tasks: 0 },
            { workspace_name: "(no workspace)", assets: 1, overdue_tasks: 0 },
          ],
        },
        tasks: { total: 2 },
        period: { failures: 2, completed_tasks: 2, cost: { USD: { corrective: 20 } } },
        workspaces: 1,
      });
      const worst = stats.period["top_failure_assets"] as { name: string }[];
      const costly = stats.period["top_cost_assets"] as { name: string }[];
      for (const list of [worst, costly]) {
        expect(list.map(({ name }) => name).sort()).toEqual(["A", "D"]);
      }
      expect(JSON.stringify(stats)).not.toContain("Vault");
      expect(stats.people["pending_invites"]).toBe(workspaceRole === "admin" ? 1 : undefined);
    },
  );

  test("a member without workspaces sees unplaced records", async () => {
    const person = await join({});

    expect(await statsOf(person)).toMatchObject({
      scope: "your_workspaces",
      assets: { total: 1, not_placed: 1 },
      workspaces: 0,
    });
  });

  test("a member can't find a hidden workspace, and gets figures of a visible one", async () => {
    const person = await join({ workspace: "Lab", workspaceRole: "viewer" });

    const stats = await statsOf(person, { workspace_id: "Lab" });
    const error = await person.refused("get_organization_stats", { workspace_id: "Vault" });

    expect(stats).toMatchObject({ scope: "workspace", assets: { total: 1, not_placed: 0 } });
    expect(stats.people["pending_invites"]).toBeUndefined();
    expect(error).toMatchObject({ code: "not_found", field: "workspace_id" });
  });

  test("excludes other organizations", async () => {
    const other = await connect(testApp());
    await createReplay(testApp().db, other.member)(daysAgo(1), (tx, caller) =>
      createAsset(tx, caller, { name: "Alone" }),
    );

    expect(await statsOf(other)).toMatchObject({
      assets: { total: 1 },
      tasks: { total: 0 },
      period: { failures: 0 },
      people: { members: 1, pending_invites: 0 },
      workspaces: 0,
    });
  });
});
