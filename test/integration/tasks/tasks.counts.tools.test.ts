import { beforeEach, describe, expect, test } from "vitest";
import { dayIn } from "../../../server/src/domain/shared/dates.js";
import { useApp } from "../../support/app.js";
import { aTask } from "../../support/builders.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";

interface Details {
  asset: Json;
  maintenance?: Json;
  open_tasks?: Json[];
}

const inDays = (days: number) => dayIn("UTC", new Date(Date.now() + days * 86_400_000));

describe("task counts", () => {
  const testApp = useApp();
  let owner: Connected;
  let pump: string;

  beforeEach(async () => {
    owner = await connect(testApp());
    await owner.ok("create_workspace", { name: "Lab" });
    pump = await anAsset("Pump");
  });

  async function anAsset(name: string) {
    const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", {
      name,
      workspace_id: "Lab",
    });
    return asset.id;
  }
  const add = (columns: Parameters<typeof aTask>[2]) =>
    aTask(testApp().db, owner.member, { asset_id: pump, ...columns });
  const setState = (state: string) => owner.ok("update_asset_state", { asset_id: pump, state });
  const rows = async (filters: Json = {}) =>
    (await owner.ok<{ assets: Json[] }>("list_assets", filters)).assets.map(
      ({ name, next_due_date, overdue_tasks }) => ({ name, next_due_date, overdue_tasks }),
    );
  const get = () => owner.ok<Details>("get_asset", { asset_id: pump });
  const workspaces = async (person: Connected) =>
    (await person.ok<{ workspaces: Json[] }>("list_workspaces")).workspaces.map(
      ({ name, open_tasks, overdue_tasks }) => ({ name, open_tasks, overdue_tasks }),
    );

  test("list_assets shows the next due date, and overdue tasks if any", async () => {
    await anAsset("Quiet");
    const idle = await anAsset("Idle");
    await add({ asset_id: idle, due_date: inDays(-9), state: "completed" });
    await add({ asset_id: await anAsset("Later"), due_date: inDays(4) });
    await add({ due_date: inDays(0), state: "on_hold" });
    await add({ due_date: inDays(-2), state: "in_progress" });
    await add({ due_date: inDays(-1) });
    await add({ due_date: inDays(-30), state: "cancelled" });
    await add({});

    expect(await rows()).toEqual([
      { name: "Idle" },
      { name: "Later", next_due_date: inDays(4) },
      { name: "Pump", next_due_date: inDays(-2), overdue_tasks: 2 },
      { name: "Quiet" },
    ]);
    expect(await rows({ sort: "-created_at", limit: 1 })).toEqual([
      { name: "Later", next_due_date: inDays(4) },
    ]);
  });

  test("get_asset counts open tasks and shows the five most urgent", async () => {
    const { userId, name } = owner.member;
    await add({ title: "Undated" });
    await add({ title: "Week", due_date: inDays(7) });
    await add({ title: "Month", due_date: inDays(30), priority: "urgent" });
    await add({ title: "Today", due_date: inDays(0), assigned_to_user_id: userId });
    await add({ title: "Year", due_date: inDays(365) });
    const late = await add({ title: "Late", due_date: inDays(-3), state: "in_progress" });
    await add({ title: "Done", state: "completed", completed_at: "2026-01-31T23:30:00Z" });
    await add({ title: "Done before", state: "completed", completed_at: "2025-12-01T00:00:00Z" });
    await add({ title: "Dropped", state: "cancelled", due_date: inDays(-90) });

    const { maintenance, open_tasks } = await get();

    expect(maintenance).toMatchObject({
      open_tasks: 6,
      overdue_tasks: 1,
      next_due_date: inDays(-3),
      last_completed_on: "2026-01-31",
    });
    expect(open_tasks?.map(({ title }) => title)).toEqual([
      "Late",
      "Today",
      "Week",
      "Month",
      "Year",
    ]);
    expect(open_tasks?.slice(0, 2)).toMatchObject([
      {
        id: late.id,
        task_number: late.task_number,
        state: "overdue",
        priority: "medium",
        due_date: inDays(-3),
        days_overdue: 3,
      },
      { state: "scheduled", assigned_to: name },
    ]);
  });

  test("reports the last completion as a date in the organization's time zone", async () => {
    await testApp().db.query("UPDATE organizations SET time_zone = $2 WHERE id = $1", [
      owner.member.organizationId,
      "Pacific/Kiritimati",
    ]);
    await add({ state: "completed", completed_at: "2026-01-31T10:00:00Z" });

    const { maintenance } = await get();

    expect(maintenance).toMatchObject({ last_completed_on: "2026-02-01" });
  });

  test("an asset without tasks has no open tasks", async () => {
    const answer = await get();

    expect(answer.maintenance).toMatchObject({ open_tasks: 0, overdue_tasks: 0 });
    expect(answer.maintenance).not.toHaveProperty("next_due_date");
    expect(answer).not.toHaveProperty("open_tasks");
  });

  test("leaves tasks of a deleted asset out of all counts until it is restored", async () => {
    await add({ title: "Waiting", due_date: inDays(-3), state: "in_progress" });
    await setState("deleted");

    const hidden = { rows: await rows({ state: "all" }), places: await workspaces(owner) };
    const answer = await get();
    await setState("available");
    const shown = { rows: await rows(), places: await workspaces(owner) };

    expect(hidden).toEqual({
      rows: [{ name: "Pump" }],
      places: [{ name: "Lab", open_tasks: 0, overdue_tasks: 0 }],
    });
    expect(answer.maintenance).toMatchObject({ open_tasks: 0, overdue_tasks: 0 });
    expect(answer.open_tasks).toMatchObject([{ title: "Waiting", state: "in_progress" }]);
    expect(shown).toEqual({
      rows: [{ name: "Pump", next_due_date: inDays(-3), overdue_tasks: 1 }],
      places: [{ name: "Lab", open_tasks: 1, overdue_tasks: 1 }],
    });
  });

  test("list_workspaces counts open and overdue tasks on assets and on the workspace", async () => {
    const { organization } = owner.member;
    await owner.ok("create_workspace", { name: "Yard" });
    const viewer = await connect(testApp(), {
      organization,
      role: "member",
      workspace: "Lab",
      workspaceRole: "viewer",
    });
    await add({ due_date: inDays(-1) });
    await add({ due_date: inDays(0) });
    await add({ due_date: inDays(-1), state: "completed" });
    await add({ asset_id: null, workspace_id: viewer.member.workspaceId ?? "", state: "on_hold" });

    const lab = { name: "Lab", open_tasks: 3, overdue_tasks: 1 };
    expect(await workspaces(owner)).toEqual([
      lab,
      { name: "Yard", open_tasks: 0, overdue_tasks: 0 },
    ]);
    expect(await workspaces(viewer)).toEqual([lab]);
  });
});
