import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import type { ChangedTask, CreatedTask } from "../../support/tasks.js";

describe("task tool warnings and refusals", () => {
  const testApp = useApp();
  let owner: Connected;
  let asset: string;

  beforeAll(async () => {
    owner = await connect(testApp());
    await owner.ok("create_workspace", { name: "Plant" });
    const created = await owner.ok<{ asset: { id: string } }>("create_asset", { name: "Pump" });
    asset = created.asset.id;
  });

  const create = (fields: Json) =>
    owner.ok<CreatedTask>("create_maintenance_task", { title: "Work", ...fields });
  const aTask = async (fields: Json = {}) => (await create({ asset_id: asset, ...fields })).task.id;
  const update = (task: string, fields: Json) =>
    owner.ok<ChangedTask>("update_maintenance_task", { task_id: task, ...fields });

  test("a hold without a reason asks for it", async () => {
    const id = await aTask();
    const held = await update(id, { state: "on_hold" });
    expect(held.warnings).toEqual([expect.stringMatching(/no reason.+as comment/)]);
    await update(id, { state: "in_progress" });
    const explained = await update(id, { state: "on_hold", comment: "Seal ordered" });
    expect(explained.warnings ?? []).toEqual([]);
  });

  test("completing a completed task changes only the record and says so", async () => {
    const id = await aTask();
    await update(id, {
      state: "completed",
      completed_at: "2026-01-02T10:00:00Z",
      completion_notes: "Replaced the seal",
    });

    const again = await update(id, { state: "completed", completion_notes: "Oiled" });
    const same = await update(id, { state: "completed", completion_notes: "Oiled" });
    const corrected = await update(id, { completion_notes: "Oiled it" });

    expect(again).toMatchObject({
      changed: [{ field: "completion_notes", from: "Replaced the seal", to: "Oiled" }],
      warnings: ["The task was already completed on 2026-01-02. Only its record was changed."],
    });
    expect(same.warnings).toEqual(["Nothing changed: the task is already completed."]);
    expect(corrected.warnings).toBeUndefined();
  });

  test("shows the earlier completion date in the organization's time zone", async () => {
    const { organizationId } = owner.member;
    const setZone = (zone: string) =>
      testApp().db.query("UPDATE organizations SET time_zone = $2 WHERE id = $1", [
        organizationId,
        zone,
      ]);
    const id = await aTask();
    await update(id, { state: "completed", completed_at: "2026-01-02T23:30:00Z" });

    await setZone("Europe/Berlin");
    const again = await update(id, { state: "completed", actual_minutes: 5 });
    await setZone("UTC");

    expect(again.warnings?.[0]).toContain("already completed on 2026-01-03.");
  });

  const steps = ["Drain", "Clean", "Fill", "Test", "Sign"];

  test.each([
    [[1, 3, 5], ["2 of 5 steps aren't done."]],
    [[1, 2, 3, 4], ["1 of 5 steps isn't done."]],
    [[1, 2, 3, 4, 5], undefined],
  ])("completing with steps %j done counts the remaining steps", async (done, warnings) => {
    const id = await aTask({ checklist: steps });

    const answer = await update(id, { state: "completed", checklist_done: done });

    expect(answer.warnings).toEqual(warnings);
  });

  test("counts steps checked earlier, and only when completing", async () => {
    const id = await aTask({ checklist: steps });

    const checked = await update(id, { checklist_done: [1, 2], state: "in_progress" });
    const completed = await update(id, { state: "completed" });
    const corrected = await update(id, { state: "completed", actual_minutes: 10 });
    const plain = await update(await aTask(), { state: "completed" });

    expect(checked.warnings).toBeUndefined();
    expect(completed.warnings).toEqual(["3 of 5 steps aren't done."]);
    expect(corrected.warnings).toHaveLength(1);
    expect(corrected.warnings?.[0]).toContain("already completed");
    expect(plain.warnings).toBeUndefined();
  });

  test("a task names its workspace or its asset", async () => {
    const onPlace = await create({ workspace_id: "plant" });
    const onAsset = await create({ asset_id: asset });

    expect(onPlace.task).toMatchObject({
      workspace_id: expect.stringMatching(/^wsp_/) as string,
      workspace_name: "Plant",
    });
    expect(onAsset.task).toMatchObject({ asset_id: asset, asset_name: "Pump" });
    expect(onAsset.task).not.toHaveProperty("workspace_id");
  });

  test("rejects none as assignee or workspace and suggests an alternative", async () => {
    const id = await aTask();
    const creation = { title: "Work", asset_id: asset };

    const messages = [
      await owner.refused("create_maintenance_task", { ...creation, assigned_to_user_id: "none" }),
      await owner.refused("update_maintenance_task", {
        task_id: id,
        assigned_to_user_id: "unassigned",
      }),
      await owner.refused("create_maintenance_task", { title: "Work", workspace_id: "none" }),
      await owner.refused("update_maintenance_task", { task_id: id, workspace_id: "none" }),
    ].map(({ message }) => message);

    expect(messages).toEqual([
      'Validation failed: assigned_to_user_id "none" is not a person. For none, leave assigned_to_user_id out.',
      'Validation failed: assigned_to_user_id "unassigned" is not a person. To empty it, use clear_fields ["assigned_to_user_id"].',
      'Validation failed: workspace_id "none" is not a workspace. Give asset_id for work on an asset, or the workspace where the work is.',
      'Validation failed: workspace_id "none" is not a workspace. A task without an asset needs a workspace. Give the one it moves to.',
    ]);
  });
});
