import { beforeAll, describe, expect, test } from "vitest";
import { commit } from "../../../server/src/domain/history/transactions.js";
import { continueUndo } from "../../../server/src/domain/history/continue-undo.js";
import { startUndo } from "../../../server/src/domain/history/undo.js";
import { planJoin } from "../../../server/src/domain/tasks/task-usage.js";
import { useApp } from "../../support/app.js";
import { aTask, toCaller } from "../../support/builders.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";

type Plans = { "QUERY PLAN": [{ Plan: { "Shared Hit Blocks": number } }] }[];

interface Listed {
  tasks: { id: string; title: string }[];
  total_count: number;
  overdue_count: number;
}

const list = (person: Connected, filters: Json = {}) =>
  person.ok<Listed>("list_maintenance_tasks", filters);
const titles = ({ tasks }: Listed) => tasks.map(({ title }) => title).sort();

describe("task visibility", () => {
  const testApp = useApp();
  let owner: Connected;
  let viewer: Connected;
  let keeper: Connected;
  let secret: { id: string; task_number: string };
  let vaultAsset: { id: string; inventory_number: string };

  beforeAll(async () => {
    const { db } = testApp();
    owner = await connect(testApp());
    for (const name of ["Lab", "Vault"]) await owner.ok("create_workspace", { name });
    const { organization } = owner.member;
    const person = { organization, role: "member" } as const;
    viewer = await connect(testApp(), { ...person, workspace: "Lab", workspaceRole: "viewer" });
    keeper = await connect(testApp(), { ...person, workspace: "Vault" });
    const asset = async (name: string, workspace_id?: string) => {
      const fields = { name, ...(workspace_id && { workspace_id }) };
      const created = await owner.ok<{ asset: typeof vaultAsset }>("create_asset", fields);
      return created.asset;
    };
    vaultAsset = await asset("Safe", "Vault");
    const late = { due_date: "2020-01-01" };
    await aTask(db, owner.member, { asset_id: (await asset("Pump", "Lab")).id, title: "Lab" });
    await aTask(db, owner.member, { asset_id: (await asset("Van")).id, title: "Loose", ...late });
    secret = await aTask(db, owner.member, {
      asset_id: vaultAsset.id,
      title: "Vault",
      assigned_to_user_id: keeper.member.userId,
      ...late,
    });
    await aTask(db, owner.member, {
      workspace_id: keeper.member.workspaceId ?? "",
      title: "Vault floor",
    });
  });

  test("admins see all tasks, members those in their workspaces or without one", async () => {
    expect(titles(await list(owner))).toEqual(["Lab", "Loose", "Vault", "Vault floor"]);
    expect(titles(await list(keeper))).toEqual(["Loose", "Vault", "Vault floor"]);
    expect(await list(viewer)).toMatchObject({ total_count: 2, overdue_count: 1 });
    expect(titles(await list(viewer))).toEqual(["Lab", "Loose"]);
  });

  test.each(["cancelled", "cancelled, completed", "cancelled, scheduled", "on_hold"])(
    "a member lists tasks that are %s",
    async (state) => {
      const place = await owner.ok<{ workspace: { id: string } }>("create_workspace", {
        name: `Yard ${state}`,
      });
      const { id } = await aTask(testApp().db, owner.member, {
        workspace_id: place.workspace.id,
        title: "Ended",
      });
      const { organization } = owner.member;
      const member = await connect(testApp(), {
        ...{ organization, role: "member", workspace: `Yard ${state}` },
      });
      const [to] = state.split(",");
      await owner.ok("update_maintenance_task", { task_id: id, state: to });

      const [all, some] = await Promise.all([list(owner, { state }), list(member, { state })]);

      expect(titles(all)).toContain("Ended");
      expect(titles(some)).toContain("Ended");
    },
  );

  test("doesn't find tasks in hidden workspaces by any reference", async () => {
    const refusals: [string, Json, string][] = [
      ["get_maintenance_task", { task_id: secret.id }, "Task not found"],
      ["get_maintenance_task", { task_id: secret.task_number }, "Task not found"],
      ["list_maintenance_tasks", { asset_id: vaultAsset.id }, "Asset not found"],
      ["list_maintenance_tasks", { asset_id: vaultAsset.inventory_number }, "Asset not found"],
      ["list_maintenance_tasks", { workspace_id: "Vault" }, "Workspace not found"],
      ["list_maintenance_tasks", { assigned_to_user_id: keeper.member.userId }, "User not found"],
    ];

    for (const [tool, args, message] of refusals) {
      const refusal = await viewer.refused(tool, args);
      expect(refusal.code).toBe("not_found");
      expect(refusal.message).toContain(message);
      expect(refusal.message).not.toContain("Safe");
    }
    expect((await list(viewer, { query: "Vault" })).total_count).toBe(0);
    expect((await list(viewer, { query: secret.task_number })).total_count).toBe(0);
  });

  test("a task becomes visible with its asset, and can be filtered by its assignee", async () => {
    const assigned_to_user_id = keeper.member.userId;
    await owner.ok("update_asset", { asset_id: vaultAsset.id, workspace_id: "Lab" });
    await testApp().db.query(
      "UPDATE maintenance_tasks SET assigned_to_user_id = $1 WHERE id = $2",
      [assigned_to_user_id, secret.id],
    );

    const listed = await list(viewer, { assigned_to_user_id });

    expect(titles(listed)).toEqual(["Vault"]);
    expect(titles(await list(keeper))).toEqual(["Loose", "Vault floor"]);
  });

  test("TEN-12 a finished task neither shows nor ends its recurrence in a hidden workspace", async () => {
    const { organization } = owner.member;
    const mia = await connect(testApp(), { organization, role: "member", workspace: "Lab" });
    const anAsset = async (name: string, workspace_id: string) =>
      (await owner.ok<{ asset: { id: string } }>("create_asset", { name, workspace_id })).asset.id;
    const [seen, hidden] = [await anAsset("Press", "Lab"), await anAsset("Reactor", "Vault")];
    const rule = { every: 1, unit: "month" };
    const planned = { title: "Service", due_date: "2030-01-01", recurrence: rule };
    const { task } = await owner.ok<{ task: { id: string } }>("create_maintenance_task", {
      asset_id: seen,
      ...planned,
    });
    const update = (person: Connected, task_id: string, more: Json) =>
      person.ok<{ next_task?: { id: string } }>("update_maintenance_task", { task_id, ...more });
    const { next_task } = await update(owner, task.id, { state: "completed" });
    const next = next_task?.id ?? "";
    const read = async () =>
      (await mia.ok<{ task: Json }>("get_maintenance_task", { task_id: task.id })).task;
    expect(await read()).toMatchObject({ repeats: "every month", recurrence: rule });
    await update(owner, next, { asset_id: hidden });
    await update(owner, next, { recurrence: { every: 7, unit: "week" } });

    expect(JSON.stringify(await read())).not.toMatch(/recurrence|week/);
    await update(mia, task.id, { state: "in_progress" });
    await update(mia, task.id, { clear_fields: ["recurrence"] });
    const refused = await mia.refused("update_maintenance_task", {
      ...{ task_id: task.id, recurrence: { every: 2, unit: "day" } },
    });
    expect(refused.message).toContain("continues in a workspace");
    expect(refused.message).not.toMatch(/T-\d/);

    expect((await update(owner, next, { state: "completed" })).next_task).toBeDefined();
  });

  test("TEN-12 reads a long recurrence efficiently and shows its rule after it returns", async () => {
    const { db } = testApp();
    const { organizationId, userId } = owner.member;
    const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", {
      ...{ name: "Fan", workspace_id: "Lab" },
    });
    const { task } = await owner.ok<{ task: { id: string } }>("create_maintenance_task", {
      ...{ asset_id: asset.id, title: "Dust", due_date: "2030-01-01" },
      recurrence: { every: 1, unit: "day" },
    });
    await db.query(
      `INSERT INTO maintenance_tasks (organization_id, id, task_number, title, type, created_by,
         asset_id, workspace_id, plan_id, occurrence)
       SELECT t.organization_id, 'tsk_many' || n, 900000 + n, t.title, t.type, $2, t.asset_id,
         t.workspace_id, t.plan_id, 1 + n
       FROM maintenance_tasks t, generate_series(1, 2000) n
       WHERE t.organization_id = $1 AND t.id = $3`,
      [organizationId, userId, task.id],
    );
    await db.query("UPDATE maintenance_tasks SET workspace_id = NULL WHERE id = 'tsk_many9'");

    const read = await db.query<{ id: string; every: number | null }>(
      `SELECT t.id, p.every FROM maintenance_tasks t ${planJoin}
       WHERE t.organization_id = $1 AND t.plan_id IS NOT NULL AND t.asset_id = $2`,
      [organizationId, asset.id],
    );
    const [plan]: Plans = await db.query(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT t.id, p.every FROM maintenance_tasks t ${planJoin}
       WHERE t.organization_id = $1 AND t.asset_id = $2`,
      [organizationId, asset.id],
    );

    const without = read.filter(({ every }) => every === null).map(({ id }) => id);
    expect(without).toEqual(["tsk_many9"]);
    expect(plan?.["QUERY PLAN"][0].Plan["Shared Hit Blocks"]).toBeLessThan(50_000);
  });

  test("TEN-12 undo doesn't end a recurrence that continues in a hidden workspace", async () => {
    const { db } = testApp();
    const { organization } = owner.member;
    const mia = await connect(testApp(), { organization, role: "member", workspace: "Lab" });
    const asset = { name: "Mixer", workspace_id: "Lab" };
    const made = await owner.ok<{ asset: { id: string } }>("create_asset", asset);
    const { task } = await mia.ok<{ task: { id: string } }>("create_maintenance_task", {
      ...{ asset_id: made.asset.id, title: "Oil", due_date: "2030-01-01" },
      recurrence: { every: 1, unit: "month" },
    });
    const complete = (person: Connected, task_id: string) =>
      person.ok<{ next_task?: { id: string } }>("update_maintenance_task", {
        ...{ task_id, state: "completed" },
      });
    const next = (await complete(mia, task.id)).next_task?.id ?? "";
    const move = { task_id: next, asset_id: vaultAsset.inventory_number };
    await owner.ok("update_asset", { asset_id: vaultAsset.id, workspace_id: "Vault" });
    await owner.ok("update_maintenance_task", move);
    const caller = toCaller(mia.member, "member");
    const [{ client_id: clientId } = { client_id: "" }] = await db.query<{ client_id: string }>(
      "SELECT client_id FROM history_events WHERE task_id = $1 LIMIT 1",
      [task.id],
    );
    const span = { from: "2020-01-01T00:00:00Z", until: "2099-01-01T00:00:00Z" };
    const selection = { clientId, userId: caller.userId, ...span };
    const undo = await commit({ db, caller }, (tx) =>
      startUndo(tx, caller, { selection, title: "App" }),
    );

    await continueUndo(db, caller, undo);

    expect((await complete(owner, next)).next_task).toBeDefined();
  });

  test("TEN-12 keeps the rule hidden after the hidden asset is permanently deleted", async () => {
    const { organization } = owner.member;
    const mia = await connect(testApp(), { organization, role: "member", workspace: "Lab" });
    const add = async (name: string, workspace_id: string) =>
      (await owner.ok<{ asset: typeof vaultAsset }>("create_asset", { name, workspace_id })).asset;
    const [seen, hidden] = [await add("Saw", "Lab"), await add("Furnace", "Vault")];
    const { task } = await owner.ok<{ task: { id: string } }>("create_maintenance_task", {
      ...{ asset_id: seen.id, title: "Sharpen", due_date: "2030-01-01" },
      recurrence: { every: 1, unit: "month" },
    });
    const update = (task_id: string | undefined, more: Json) =>
      owner.ok<{ next_task?: { id: string } }>("update_maintenance_task", { task_id, ...more });
    const { next_task: next } = await update(task.id, { state: "completed" });
    await update(next?.id, { asset_id: hidden.id });
    await update(next?.id, { recurrence: { every: 7, unit: "week" } });

    await owner.ok("force_delete_asset", {
      ...{ asset_id: hidden.id, confirm_inventory_number: hidden.inventory_number },
    });

    const read = await mia.ok("get_maintenance_task", { task_id: task.id });
    expect(JSON.stringify(read)).not.toMatch(/recurrence|week/);
  });

  test("keeps the rule of a returned recurrence after the other asset is permanently deleted", async () => {
    const add = async (name: string, workspace_id: string) =>
      (await owner.ok<{ asset: typeof vaultAsset }>("create_asset", { name, workspace_id })).asset;
    const [seen, other] = [await add("Lathe", "Lab"), await add("Kiln", "Vault")];
    const { task } = await owner.ok<{ task: { id: string } }>("create_maintenance_task", {
      ...{ asset_id: seen.id, title: "Oil", due_date: "2030-01-01" },
      recurrence: { every: 1, unit: "month" },
    });
    const update = async (task_id: string | undefined, more: Json) =>
      (
        await owner.ok<{ next_task?: { id: string } }>("update_maintenance_task", {
          ...{ task_id, ...more },
        })
      ).next_task?.id;
    const second = await update(task.id, { state: "completed" });
    await update(second, { asset_id: other.id });
    const third = await update(second, { state: "completed" });
    await update(third, { asset_id: seen.id });

    await owner.ok("force_delete_asset", {
      ...{ asset_id: other.id, confirm_inventory_number: other.inventory_number },
    });

    const read = await owner.ok("get_maintenance_task", { task_id: task.id });
    expect(read).toMatchObject({ task: { recurrence: { every: 1, unit: "month" } } });
  });

  test("tasks in another organization are not visible", async () => {
    const stranger = await connect(testApp());

    const refusal = await stranger.refused("get_maintenance_task", { task_id: secret.id });
    const byNumber = await stranger.refused("get_maintenance_task", { task_id: "T-1" });
    const byAsset = await stranger.refused("list_maintenance_tasks", { asset_id: vaultAsset.id });

    expect([refusal.code, byNumber.code, byAsset.code]).toEqual(Array(3).fill("not_found"));
    expect(await list(stranger)).toEqual({ tasks: [], total_count: 0, overdue_count: 0 });
  });
});
