import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { connect, type Connected } from "../../support/mcp.js";

describe("fields that an update leaves unchanged", () => {
  const testApp = useApp();
  let owner: Connected;

  beforeAll(async () => {
    owner = await connect(testApp());
  });

  const anAsset = async (fields = {}) =>
    (await owner.ok<{ asset: { id: string } }>("create_asset", { name: "Pump", ...fields })).asset
      .id;
  const aTask = async (asset: string) =>
    (
      await owner.ok<{ task: { id: string } }>("create_maintenance_task", {
        asset_id: asset,
        title: "Service",
        checklist: ["Oil", "Belt", "Filter"],
      })
    ).task.id;
  const stepsOf = async (task: string) => {
    const answer = await owner.ok<{ task: { checklist: { done?: boolean }[] } }>(
      "get_maintenance_task",
      { task_id: task },
    );
    return answer.task.checklist.map(({ done = false }) => done);
  };

  test("warns about a field without a value and explains how to clear it", async () => {
    const asset = await anAsset({ location: "Bay 3", model: "X" });

    const answer = await owner.ok("update_asset", {
      asset_id: asset,
      location: null,
      model: "",
      supplier: "Acme",
      note: null,
    });

    expect(answer["warnings"]).toEqual([
      'Not changed, because no value was given: location, model. To empty a field, use clear_fields, e.g. ["location"].',
    ]);
    expect(await owner.ok("get_asset", { asset_id: asset })).toMatchObject({
      asset: { location: "Bay 3", model: "X" },
    });
  });

  test("names only the first of many fields without a value", async () => {
    const asset = await anAsset();
    const nothing = ["location", "model", "supplier", "category", "condition", "tags", "currency"];

    const { warnings } = await owner.ok<{ warnings: string[] }>("update_asset", {
      asset_id: asset,
      name: "Pump 2",
      ...Object.fromEntries(nothing.map((name) => [name, null])),
    });

    expect(warnings[0]).toContain("location, model, supplier, category, condition and 2 more.");
  });

  test("warns about empty values for workspaces and tasks too", async () => {
    const { workspace } = await owner.ok<{ workspace: { id: string } }>("create_workspace", {
      name: "Hall 3",
    });
    const task = await aTask(await anAsset());

    const ofWorkspace = await owner.ok("update_workspace", {
      workspace_id: workspace.id,
      description: "Roof leaks",
      address: null,
    });
    const ofTask = await owner.ok("update_maintenance_task", {
      task_id: task,
      priority: "high",
      due_date: null,
    });

    expect(ofWorkspace["warnings"]).toEqual([
      expect.stringContaining("no value was given: address."),
    ]);
    expect(ofTask["warnings"]).toEqual([expect.stringContaining("no value was given: due_date.")]);
  });

  test("reports unchanged values as no change", async () => {
    const asset = await anAsset({ location: "Bay 3" });

    const answer = await owner.ok("update_asset", { asset_id: asset, location: "Bay 3" });

    expect(answer).toMatchObject({
      changed: [],
      warnings: ["Nothing changed: the asset already has these values."],
    });
  });

  test("adds and removes tags without affecting the others", async () => {
    const asset = await anAsset({ tags: ["rented", "loud"] });

    await owner.ok("update_asset", {
      asset_id: asset,
      add_tags: ["Seasonal", "loud"],
      remove_tags: "rented",
    });

    expect(await owner.ok("get_asset", { asset_id: asset })).toMatchObject({
      asset: { tags: ["loud", "seasonal"] },
    });
  });

  test("allows at most 20 tags in total", async () => {
    const tags = Array.from({ length: 20 }, (_, index) => `tag ${index}`);
    const asset = await anAsset({ tags });

    const refusal = await owner.refused("update_asset", { asset_id: asset, add_tags: ["more"] });

    expect(refusal.message).toContain("tags must have at most 20 entries");
  });

  test("checks and unchecks steps without affecting the others", async () => {
    const task = await aTask(await anAsset());
    await owner.ok("update_maintenance_task", { task_id: task, checklist_tick: [1] });
    await owner.ok("update_maintenance_task", { task_id: task, checklist_tick: "3" });

    expect(await stepsOf(task)).toEqual([true, false, true]);

    await owner.ok("update_maintenance_task", { task_id: task, checklist_untick: [1] });
    expect(await stepsOf(task)).toEqual([false, false, true]);
  });

  test("an empty list of finished steps unchecks all steps", async () => {
    const task = await aTask(await anAsset());
    await owner.ok("update_maintenance_task", { task_id: task, checklist_tick: [1, 2] });

    await owner.ok("update_maintenance_task", { task_id: task, checklist_done: [] });

    expect(await stepsOf(task)).toEqual([false, false, false]);
  });

  test("rejects a missing step and names the parameter", async () => {
    const task = await aTask(await anAsset());

    const refusal = await owner.refused("update_maintenance_task", {
      task_id: task,
      checklist_tick: [4],
    });

    expect(refusal).toMatchObject({ field: "checklist_tick" });
    expect(refusal.message).toContain("checklist_tick names step 4, but the steps are 1 to 3");
  });
});
