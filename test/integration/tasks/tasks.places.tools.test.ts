import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import type { ChangedTask, CreatedTask } from "../../support/tasks.js";

describe("task locations", () => {
  const testApp = useApp();
  let owner: Connected;
  let asset: string;

  beforeAll(async () => {
    owner = await connect(testApp(), { name: "Olga Owner" });
    for (const name of ["Plant", "Yard"]) await owner.ok("create_workspace", { name });
    const created = await owner.ok<{ asset: { id: string } }>("create_asset", {
      name: "Pump",
      workspace_id: "Plant",
    });
    asset = created.asset.id;
  });

  async function aTask(fields: Json = {}): Promise<string> {
    const on = "workspace_id" in fields ? {} : { asset_id: asset };
    const { task } = await owner.ok<CreatedTask>("create_maintenance_task", {
      title: "Work",
      ...on,
      ...fields,
    });
    return task.id;
  }

  const update = (task: string, fields: Json) =>
    owner.ok<ChangedTask>("update_maintenance_task", { task_id: task, ...fields });
  const refused = (task: string, fields: Json) =>
    owner.refused("update_maintenance_task", { task_id: task, ...fields });

  async function stored(id: string): Promise<Json> {
    const row = await testApp().db.maybe<Json>("SELECT * FROM maintenance_tasks WHERE id = $1", [
      id,
    ]);
    return row ?? {};
  }

  const events = (id: string): Promise<{ type: string; changes: Json[] }[]> =>
    testApp().db.query(
      "SELECT type, changes FROM history_events WHERE task_id = $1 ORDER BY sequence",
      [id],
    );

  test("a task on a workspace can move; a task on an asset follows it", async () => {
    const id = await aTask({ workspace_id: "Plant" });

    const moved = await update(id, { workspace_id: "yard" });
    const refusal = await refused(await aTask(), { workspace_id: "Yard" });

    expect(moved.changed.map(({ field }) => field)).toEqual(["workspace_id", "workspace_name"]);
    expect(moved.changed[1]).toEqual({ field: "workspace_name", from: "Plant", to: "Yard" });
    expect(refusal.code).toBe("validation_failed");
    expect(refusal.message).toContain(
      "This task moves with its asset: use update_asset with workspace_id.",
    );
  });

  test("a move unassigns a person who can't see the new workspace", async () => {
    const bob = await connect(testApp(), {
      organization: owner.member.organization,
      role: "member",
      workspace: "Plant",
      name: "Bob",
    });
    const { userId } = bob.member;
    const id = await aTask({ workspace_id: "Plant", assigned_to_user_id: userId });

    const refusal = await refused(id, { workspace_id: "Yard", assigned_to_user_id: userId });
    const moved = await update(id, { workspace_id: "Yard" });

    expect(refusal.message).toContain(`"Bob" can't see the workspace "Yard"`);
    expect(moved.warnings).toEqual([`"Bob" can't see "Yard" and is no longer assigned.`]);
    expect(await stored(id)).toMatchObject({ assigned_to_user_id: null });
  });

  test("moving an asset unassigns people who can't see its new workspace", async () => {
    const { organization } = owner.member;
    const join = (name: string, workspace: string) =>
      connect(testApp(), { organization, role: "member", workspace, name });
    const [carl, dana] = [await join("Carl", "Plant"), await join("Dana", "Yard")];
    const van = await owner.ok<{ asset: { id: string } }>("create_asset", {
      name: "Van",
      workspace_id: "Plant",
    });
    const on = { asset_id: van.asset.id };
    const tasks: string[] = [];
    for (const person of [carl, carl, owner]) {
      tasks.push(await aTask({ ...on, assigned_to_user_id: person.member.userId }));
    }
    await update(tasks[1] ?? "", { state: "completed" });

    const moved = await owner.ok<ChangedTask>("update_asset", { ...on, workspace_id: "Yard" });

    expect(moved.warnings).toEqual([
      `"Carl" can't see "Yard" and is no longer assigned to 1 open task of the asset.`,
    ]);
    const assignees = await Promise.all(
      tasks.map(async (task) => (await stored(task))["assigned_to_user_id"]),
    );
    expect(assignees).toEqual([null, carl.member.userId, owner.member.userId]);
    expect((await events(tasks[0] ?? "")).at(-1)).toMatchObject({
      type: "task_updated",
      changes: [
        { field: "assigned_to_user_id", from: carl.member.userId },
        { field: "assigned_to", from: "Carl" },
      ],
    });
    const taken = await dana.ok<ChangedTask>("update_maintenance_task", {
      task_id: tasks[0],
      assigned_to_user_id: "me",
    });
    expect(taken.task.version).toBe(3);
  });

  test("tasks of a deleted asset wait for its restoration", async () => {
    const { asset: old } = await owner.ok<{ asset: { id: string } }>("create_asset", {
      name: "Old",
    });
    const created = await owner.ok<CreatedTask>("create_maintenance_task", {
      asset_id: old.id,
      title: "X",
    });
    await owner.ok("update_asset_state", { asset_id: old.id, state: "deleted" });

    for (const fields of [{ title: "Y" }, { state: "completed" }, { note: "Z" }]) {
      expect(await refused(created.task.id, fields)).toMatchObject({
        code: "invalid_transition",
        message:
          "Not possible: the asset is deleted, so its tasks can't be changed. To restore it, use update_asset_state with state available, in_use or stored.",
      });
    }
    await owner.ok("update_asset_state", { asset_id: old.id, state: "available" });
    expect((await update(created.task.id, { title: "Y" })).task.version).toBe(2);
  });
});
