import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import type { ChangedTask, CreatedTask } from "../../support/tasks.js";

interface FoundEvents {
  events: { type: string; asset_name?: string; task_title?: string; changes?: Json[] }[];
}

describe("task moved to another asset", () => {
  const testApp = useApp();
  let owner: Connected;
  let pump: string;
  let fan: string;
  let safe: string;

  beforeAll(async () => {
    owner = await connect(testApp());
    for (const name of ["Plant", "Vault"]) await owner.ok("create_workspace", { name });
    const asset = async (name: string, fields: Json) => {
      const answer = await owner.ok<{ asset: { id: string } }>("create_asset", { name, ...fields });
      return answer.asset.id;
    };
    pump = await asset("Pump", { workspace_id: "Plant", criticality: "low" });
    fan = await asset("Fan", { workspace_id: "Plant" });
    safe = await asset("Safe", { workspace_id: "Vault", criticality: "critical" });
  });

  async function aTask(fields: Json = { asset_id: pump }): Promise<string> {
    const given = { title: "Oil it", ...fields };
    return (await owner.ok<CreatedTask>("create_maintenance_task", given)).task.id;
  }
  const move = (task: string, asset: string, fields: Json = {}) =>
    owner.ok<ChangedTask>("update_maintenance_task", { task_id: task, asset_id: asset, ...fields });
  const refused = (task: string, fields: Json) =>
    owner.refused("update_maintenance_task", { task_id: task, ...fields });
  const anAsset = (name: string) =>
    owner.ok<{ asset: { id: string; inventory_number: string } }>("create_asset", { name });
  const stored = async (id: string) => {
    const row = await testApp().db.maybe<Json>("SELECT * FROM maintenance_tasks WHERE id = $1", [
      id,
    ]);
    return row;
  };

  test("takes the asset's workspace and criticality and reports the move", async () => {
    const id = await aTask();

    const { changed } = await move(id, safe);

    expect(changed).toEqual([
      { field: "asset_id", from: pump, to: safe },
      { field: "asset_name", from: "Pump", to: "Safe" },
      {
        field: "workspace_id",
        from: expect.any(String) as string,
        to: expect.any(String) as string,
      },
      { field: "workspace_name", from: "Plant", to: "Vault" },
    ]);
    expect(await stored(id)).toMatchObject({ asset_id: safe, criticality: "critical" });
    const found = await owner.ok<{ total_count: number }>("list_maintenance_tasks", {
      query: "safe",
    });
    expect(found.total_count).toBe(1);
    const { events } = await owner.ok<FoundEvents>("search_asset_history", { field: "asset_id" });
    expect(events).toMatchObject([{ type: "task_updated", asset_name: "Safe" }]);
    expect((await move(id, safe)).changed).toEqual([]);
  });

  test("a task on a workspace gets an asset and keeps recurring there", async () => {
    const weekly = { every: 1, unit: "week" };
    const id = await aTask({ workspace_id: "Plant", due_date: "2090-01-02", recurrence: weekly });

    await move(id, fan);
    const done = await owner.ok<ChangedTask>("update_maintenance_task", {
      task_id: id,
      state: "completed",
    });

    expect(await stored(done.next_task?.id ?? "")).toMatchObject({ asset_id: fan });
  });

  test("counts in the new asset's category, and its history is visible there", async () => {
    const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", {
      ...{ name: "Boiler", category: "Heating" },
    });
    const id = await aTask({ workspace_id: "Plant" });
    const { organization } = owner.member;
    const person = { organization, role: "member", workspace: "Vault" } as const;
    const elsewhere = await connect(testApp(), person);
    const past = () => elsewhere.call("search_asset_history", { task_id: id });
    expect((await past()).isError).toBe(true);

    await move(id, asset.id);

    const { groups } = await owner.ok<{ groups: Json[] }>("get_organization_stats", {
      group_by: "category",
    });
    expect(groups.find(({ name }) => name === "Heating")).toMatchObject({ open_tasks: 1 });
    expect((await past()).structuredContent).toMatchObject({ total_count: 2 });
  });

  test.each(["in_progress", "completed", "cancelled"])(
    "is refused for a task that is %s",
    async (state) => {
      const id = await aTask();
      await owner.ok("update_maintenance_task", { task_id: id, state });

      expect(await refused(id, { asset_id: fan })).toMatchObject({
        code: "invalid_transition",
        message: expect.stringContaining("can only change before work starts") as string,
      });
      expect(await stored(id)).toMatchObject({ asset_id: pump });
    },
  );

  test("is refused for a retired asset, and for an asset together with a workspace", async () => {
    const id = await aTask();
    const old = await owner.ok<{ asset: { id: string } }>("create_asset", { name: "Old" });
    await owner.ok("update_asset_state", { asset_id: old.asset.id, state: "deleted" });

    expect((await refused(id, { asset_id: old.asset.id })).code).toBe("invalid_transition");
    expect((await refused(id, { asset_id: fan, workspace_id: "Plant" })).message).toContain(
      "asset_id and workspace_id are both given",
    );
  });

  test("reveals nothing about the other asset to a person who sees only one", async () => {
    const { organization } = owner.member;
    const person = { organization, role: "member", workspaceRole: "member" } as const;
    const [plant, vault] = await Promise.all([
      connect(testApp(), { ...person, workspace: "Plant" }),
      connect(testApp(), { ...person, workspace: "Vault" }),
    ]);
    const id = await aTask({ asset_id: pump, title: "Plain work" });
    await move(id, safe, { title: "Secret work" });

    const history = (who: Connected, query: Json) =>
      who.ok<FoundEvents>("search_asset_history", query);
    const seen = JSON.stringify([
      await history(plant, { asset_id: pump }),
      await plant.call("get_asset", { asset_id: pump }),
      await history(plant, { query: "Secret" }),
    ]);
    expect(seen).not.toContain("Secret");
    expect(seen).not.toContain("Safe");
    const { events } = await history(vault, { task_id: id });
    expect(events).toMatchObject([{ type: "task_updated", task_title: "Secret work" }]);
    expect(JSON.stringify(events)).not.toContain(pump);
    expect((await history(vault, { query: "Pump" })).events).toEqual([]);
    expect((await history(owner, { query: "Pump", field: "asset_id" })).events).not.toEqual([]);
    const denied = await plant.refused("update_maintenance_task", {
      task_id: await aTask(),
      asset_id: safe,
    });
    expect(denied.code).toBe("not_found");
  });

  test("is deleted with all its history when the new asset is permanently deleted", async () => {
    const { asset } = await anAsset("Drill");
    const ids = [await aTask(), await aTask({ workspace_id: "Plant" })];
    for (const id of ids) await move(id, asset.id);

    await owner.ok("force_delete_asset", {
      asset_id: asset.id,
      confirm_inventory_number: asset.inventory_number,
    });

    const left = await testApp().db.query(
      "SELECT 1 FROM history_events WHERE task_id = ANY ($1::text[])",
      [ids],
    );
    expect(left).toEqual([]);
  });

  test("a finished task no longer recurs after its next occurrence's new asset is deleted", async () => {
    const [{ asset: kept }, { asset: gone }] = [await anAsset("Fan 2"), await anAsset("Fan 3")];
    const { task } = await owner.ok<{ task: { id: string } }>("create_maintenance_task", {
      ...{ asset_id: kept.id, title: "Service", due_date: "2030-01-01" },
      recurrence: { every: 1, unit: "month" },
    });
    const { next_task: next } = await owner.ok<{ next_task: { id: string } }>(
      "update_maintenance_task",
      { task_id: task.id, state: "completed" },
    );
    await owner.ok("update_maintenance_task", { task_id: next.id, asset_id: gone.id });

    await owner.ok("force_delete_asset", {
      ...{ asset_id: gone.id, confirm_inventory_number: gone.inventory_number },
    });

    const left = await owner.ok<{ task: Json }>("get_maintenance_task", { task_id: task.id });
    expect(left.task).not.toHaveProperty("recurrence");
    const { events } = await owner.ok<{ events: Json[] }>("search_asset_history", {
      task_id: task.id,
    });
    expect(events[0]).toMatchObject({
      ...{ type: "task_updated", source: "system" },
      changes: [{ field: "recurrence", from: "every month" }],
    });
    expect(JSON.stringify(events[0])).not.toContain(gone.id);
    const plans = await testApp().db.query<Json>(
      `SELECT p.active FROM maintenance_plans p JOIN maintenance_tasks t ON t.plan_id = p.id
       WHERE t.id = $1`,
      [task.id],
    );
    expect(plans).toEqual([{ active: false }]);
  });

  test("two opposite moves don't deadlock", async () => {
    const [one, two] = [await aTask({ asset_id: pump }), await aTask({ asset_id: fan })];

    await Promise.all([
      ...Array.from({ length: 3 }, () => move(one, fan)),
      ...Array.from({ length: 3 }, () => move(two, pump)),
    ]);

    expect(await stored(one)).toMatchObject({ asset_id: fan });
    expect(await stored(two)).toMatchObject({ asset_id: pump });
  });
});
