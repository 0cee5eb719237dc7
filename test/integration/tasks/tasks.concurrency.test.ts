// @module-tag embedded

import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, inject, test, vi } from "vitest";
import { useApp } from "../../support/app.js";
import { countWaiting, untilOneWaits } from "../../support/database.js";
import { connect, type Connected, type Json, type ToolResult } from "../../support/mcp.js";
import { before } from "../../support/statements.js";
import { daysFromNow, type ChangedTask, type CreatedTask } from "../../support/tasks.js";

const twenty = Array.from({ length: 20 }, (_, index) => index);

describe("simultaneous task changes", () => {
  const testApp = useApp();

  async function start(fields: Json = {}) {
    const owner = await connect(testApp());
    const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", {
      name: "Pump",
      state: "in_use",
    });
    const aTask = async (more: Json = {}) => {
      const { task } = await owner.ok<CreatedTask>("create_maintenance_task", {
        asset_id: asset.id,
        title: "Work",
        ...fields,
        ...more,
      });
      return task.id;
    };
    return { owner, asset: asset.id, aTask };
  }

  const update = (owner: Connected, task: string, fields: Json) =>
    owner.call("update_maintenance_task", { task_id: task, ...fields });
  const failures = (results: ToolResult[]) =>
    results.filter(({ isError }) => isError === true).map(({ content }) => content[0]?.text);

  test("numbers 20 new tasks without gaps", async () => {
    const { owner, asset } = await start();

    const created = await Promise.all(
      twenty.map((index) =>
        owner.ok<CreatedTask>("create_maintenance_task", { asset_id: asset, title: `${index}` }),
      ),
    );

    const numbers = created.map(({ task }) => Number(task.task_number.slice(2)));
    expect(numbers.toSorted((left, right) => left - right)).toEqual(twenty.map((n) => n + 1));
  });

  test("one of 20 updates of a version succeeds", async () => {
    const { owner, aTask } = await start();
    const task = await aTask();

    const results = await Promise.all(
      twenty.map((index) => update(owner, task, { title: `Work ${index}`, expected_version: 1 })),
    );

    expect(failures(results)).toHaveLength(19);
    for (const text of failures(results)) expect(text).toMatch(/^Conflict: /);
  });

  test.each(["an asset", "a place"])(
    "simultaneous completions of a task on %s create one next task",
    async (on) => {
      const owner = await connect(testApp());
      await owner.ok("create_workspace", { name: "Plant" });
      const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", { name: "Pump" });
      const { task } = await owner.ok<CreatedTask>("create_maintenance_task", {
        ...(on === "an asset" ? { asset_id: asset.id } : { workspace_id: "Plant" }),
        title: "Work",
        due_date: daysFromNow(1),
        recurrence: { every: 1, unit: "week" },
      });

      const results = await Promise.all(
        twenty.slice(0, 5).map(() => update(owner, task.id, { state: "completed" })),
      );

      expect(failures(results)).toEqual([]);
      const answers = results.map(({ structuredContent }) => structuredContent);
      expect(answers.filter((answer) => "next_task" in answer)).toHaveLength(1);
      const rows = await testApp().db.query<Json>(
        `SELECT (SELECT count(*)::int FROM maintenance_tasks WHERE organization_id = $1) AS tasks,
           (SELECT count(*)::int FROM history_events
            WHERE organization_id = $1 AND type = 'task_completed') AS completions`,
        [owner.member.organizationId],
      );
      expect(rows).toEqual([{ tasks: 2, completions: 1 }]);
    },
  );

  test("tasks that start and end at the same time restore the asset's state", async () => {
    const { owner, asset, aTask } = await start({ requires_downtime: true });
    const tasks = await Promise.all(
      twenty.slice(0, 6).map((index) => aTask({ title: `${index}` })),
    );

    const begun = await Promise.all(
      tasks.map((task) => update(owner, task, { state: "in_progress" })),
    );
    const between = await owner.ok<{ asset: Json }>("get_asset", { asset_id: asset });
    const ended = await Promise.all(
      tasks.map((task, index) =>
        update(owner, task, { state: index % 2 === 0 ? "completed" : "cancelled" }),
      ),
    );
    const after = await owner.ok<{ asset: Json }>("get_asset", { asset_id: asset });

    expect(failures([...begun, ...ended])).toEqual([]);
    expect(between.asset["state"]).toBe("in_maintenance");
    expect(after.asset["state"]).toBe("in_use");
    const changes = [...begun, ...ended].map(
      ({ structuredContent }) => structuredContent as unknown as ChangedTask,
    );
    expect(changes.filter(({ asset_state }) => asset_state !== undefined)).toHaveLength(2);
  });

  test("tasks and changes of their asset wait for each other", async () => {
    const { owner, asset, aTask } = await start({ requires_downtime: true });
    await owner.ok("create_workspace", { name: "Yard" });
    const tasks = await Promise.all(
      twenty.slice(0, 5).map((index) => aTask({ title: `${index}` })),
    );

    const results = await Promise.all([
      ...tasks.map((task) => update(owner, task, { state: "in_progress" })),
      owner.call("update_asset", { asset_id: asset, workspace_id: "Yard" }),
      ...tasks.map((task) => update(owner, task, { state: "on_hold" })),
      owner.call("update_asset_state", { asset_id: asset, state: "available" }),
      owner.call("create_maintenance_task", { asset_id: asset, title: "New" }),
      ...tasks.map((task) => update(owner, task, { state: "completed" })),
    ]);

    const unexpected = failures(results).filter(
      (text) => text?.startsWith("Not possible: ") !== true,
    );
    expect(unexpected).toEqual([]);
    const places = await testApp().db.query<Json>(
      `SELECT DISTINCT t.workspace_id = a.workspace_id AS together
       FROM maintenance_tasks t JOIN assets a ON a.id = t.asset_id WHERE a.id = $1`,
      [asset],
    );
    expect(places).toEqual([{ together: true }]);
  });

  // The embedded database runs one transaction at a time.
  test.runIf(inject("databaseUrl") !== null)(
    "TEN-17: a task that moves to an asset during its move waits and follows it",
    async () => {
      const { owner, asset, aTask } = await start();
      await owner.ok("create_workspace", { name: "Yard" });
      const other = await owner.ok<{ asset: { id: string } }>("create_asset", { name: "Fan" });
      const task = await aTask({ asset_id: other.asset.id });
      const { db } = testApp();

      const { brought } = await db.transaction(async (tx) => {
        await tx.query(
          `UPDATE assets a SET workspace_id = w.id FROM workspaces w
           WHERE a.id = $1 AND w.organization_id = a.organization_id AND w.name = 'Yard'`,
          [asset],
        );
        const sent = db.query("UPDATE maintenance_tasks SET asset_id = $1 WHERE id = $2", [
          asset,
          task,
        ]);
        await vi.waitFor(async () => {
          expect(await countWaiting(db)).toBe(1);
        }, 60_000);
        return { brought: sent };
      });
      await brought;

      const read = await owner.ok("get_maintenance_task", { task_id: task });
      expect(read).toMatchObject({ task: { asset_name: "Pump", workspace_name: "Yard" } });
    },
  );

  // The embedded database runs one transaction at a time.
  test.runIf(inject("databaseUrl") !== null)(
    "completing a moving task and changing its new asset both succeed",
    async () => {
      const { owner, aTask } = await start();
      const other = await owner.ok<{ asset: { id: string } }>("create_asset", { name: "Fan" });
      const task = await aTask();
      const { db } = testApp();
      let broken: Promise<unknown> | undefined;
      const fails = () =>
        new Promise<void>((resolve) => {
          broken = db.transaction(async (tx) => {
            await tx.query("UPDATE assets SET state = 'out_of_service' WHERE id = $1", [
              other.asset.id,
            ]);
            resolve();
            await pause(1000);
          });
        });
      // The work moves while its completion waits for it.
      const { completed } = await db.transaction(async (tx) => {
        await tx.query("SELECT FROM maintenance_tasks WHERE id = $1 FOR UPDATE", [task]);
        const sent = update(owner, task, { state: "completed" });
        await untilOneWaits(db);
        await tx.query("UPDATE maintenance_tasks SET asset_id = $2 WHERE id = $1", [
          task,
          other.asset.id,
        ]);
        before(/UPDATE maintenance_tasks SET/, 1, () => Promise.race([fails(), pause(1000)]));
        return { completed: sent };
      });
      await completed;
      await broken;
      vi.restoreAllMocks();
      const assets = await db.query<Json>("SELECT state, awaits_work FROM assets WHERE id = $1", [
        other.asset.id,
      ]);
      expect(assets).toEqual([{ state: "out_of_service", awaits_work: true }]);
    },
  );
});
