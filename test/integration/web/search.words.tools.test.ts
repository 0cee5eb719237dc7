// @module-tag embedded

import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import type { CreatedTask } from "../../support/tasks.js";

interface Asset {
  id: string;
  inventory_number: string;
}

const assetNames = async (person: Connected, query: string) =>
  (await person.ok<{ assets: { name: string }[] }>("list_assets", { query })).assets.map(
    ({ name }) => name,
  );
const taskTitles = async (person: Connected, query: string) =>
  (await person.ok<{ tasks: { title: string }[] }>("list_maintenance_tasks", { query })).tasks.map(
    ({ title }) => title,
  );
const anAsset = async (person: Connected, fields: Json) =>
  (await person.ok<{ asset: Asset }>("create_asset", fields)).asset;
const aTaskOf = async (person: Connected, asset: Asset, title: string) =>
  (await person.ok<CreatedTask>("create_maintenance_task", { asset_id: asset.id, title })).task;

describe("task search", () => {
  const testApp = useApp();
  let owner: Connected;
  let lift: Asset;
  let task: CreatedTask["task"];

  beforeAll(async () => {
    owner = await connect(testApp());
    lift = await anAsset(owner, { name: "Lift 3", category: "Elevators" });
    task = await aTaskOf(owner, lift, "Yearly inspection");
    const other = await anAsset(owner, { name: "Backup generator 1", category: "Power" });
    await aTaskOf(owner, other, "Load test");
  });

  test.each([
    ["lift 3", ["Yearly inspection"]],
    ["elevators", ["Yearly inspection"]],
    ["lift inspection", ["Yearly inspection"]],
    ["generator load test", ["Load test"]],
    ["T-1 inspection", ["Yearly inspection"]],
    ["T-2 load", ["Load test"]],
    ["t-1", ["Yearly inspection"]],
    ["lift load", []],
  ])("%s finds tasks by their subject", async (query, expected) => {
    expect(await taskTitles(owner, query)).toEqual(expected);
  });

  test("the asset's inventory number finds its tasks", async () => {
    const query = `${lift.inventory_number} yearly`;

    expect(await taskTitles(owner, query)).toEqual(["Yearly inspection"]);
  });

  test("follows the asset's name, number and category without changing the task", async () => {
    const change = { name: "Hoist", inventory_number: "H-7", category: "Cranes" };
    await owner.ok("update_asset", { asset_id: lift.id, ...change });

    for (const query of ["hoist", "H-7", "cranes"]) {
      expect(await taskTitles(owner, query)).toEqual(["Yearly inspection"]);
    }
    for (const query of ["lift", "elevators"]) expect(await taskTitles(owner, query)).toEqual([]);
    const { task: shown } = await owner.ok<{ task: Json }>("get_maintenance_task", {
      task_id: task.id,
    });
    expect(shown).toMatchObject({ version: task.version });
    expect(shown["updated_at"]).toBe(shown["created_at"]);
  });

  test("follows a renamed category", async () => {
    await testApp().db.query(
      "UPDATE asset_categories SET name = 'Generators' WHERE organization_id = $1 AND name = 'Power'",
      [owner.member.organizationId],
    );

    expect(await taskTitles(owner, "generators")).toEqual(["Load test"]);
    expect(await assetNames(owner, "generators")).toEqual(["Backup generator 1"]);
    expect(await taskTitles(owner, "power")).toEqual([]);
  });
});

describe("asset search", () => {
  const testApp = useApp();

  test("includes the workspace's name, even after a move and a rename", async () => {
    const owner = await connect(testApp());
    for (const name of ["Office Tower", "Depot"]) await owner.ok("create_workspace", { name });
    const { id } = await anAsset(owner, { name: "Lift", workspace_id: "Office Tower" });
    expect(await assetNames(owner, "lift office tower")).toEqual(["Lift"]);

    await owner.ok("update_asset", { asset_id: id, workspace_id: "Depot" });
    expect(await assetNames(owner, "lift tower")).toEqual([]);
    expect(await assetNames(owner, "lift depot")).toEqual(["Lift"]);

    await owner.ok("update_workspace", { workspace_id: "Depot", name: "Garage" });
    expect(await assetNames(owner, "lift depot")).toEqual([]);
    expect(await assetNames(owner, "lift garage")).toEqual(["Lift"]);
    const { asset } = await owner.ok<{ asset: Json }>("get_asset", { asset_id: id });
    expect(asset).toMatchObject({ version: 2 });
  });
});

describe("line of hyphens in a search", () => {
  const testApp = useApp();

  test("is ignored, however long it is", async () => {
    const owner = await connect(testApp());
    const { organization } = owner.member;
    const member = await connect(testApp(), { organization, workspace: "Harbour" });
    const crane = await anAsset(member, {
      name: "Crane",
      workspace_id: "Harbour",
      location: "Quay",
    });
    await aTaskOf(member, crane, "Crane inspection");
    await member.ok("update_asset", { asset_id: crane.id, location: "Crane quay" });
    const counted = async (tool: string, query: string) =>
      Number((await member.ok(tool, { query }))["total_count"]);

    for (const line of ["-".repeat(100), "- ".repeat(50), "-!(".repeat(40), "-<".repeat(50)]) {
      const [before, after] = [`${line} crane`, `crane ${line}`];
      expect(await assetNames(member, before)).toEqual(["Crane"]);
      expect(await taskTitles(owner, after)).toEqual(["Crane inspection"]);
      expect(await counted("search_asset_history", before)).toBeGreaterThan(0);
      expect(await counted("list_workspaces", `harbour ${line}`)).toBe(1);
    }
    expect(await assetNames(member, "crane -quay")).toEqual([]);
  });
});
