// @module-tag embedded

import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import { daysFromNow, type ChangedTask, type CreatedTask } from "../../support/tasks.js";

describe("recurring tasks", () => {
  const testApp = useApp();
  let owner: Connected;
  let asset: string;

  beforeAll(async () => {
    owner = await connect(testApp());
    await owner.ok("create_workspace", { name: "Plant" });
    const created = await owner.ok<{ asset: { id: string } }>("create_asset", {
      name: "Pump",
      workspace_id: "Plant",
    });
    asset = created.asset.id;
  });

  const weekly = { every: 1, unit: "week" };
  const monthly = { every: 1, unit: "month" };

  async function aTask(due: string, recurrence?: Json, fields: Json = {}): Promise<string> {
    const { task } = await owner.ok<CreatedTask>("create_maintenance_task", {
      asset_id: asset,
      title: "Inspect",
      due_date: due,
      ...(recurrence !== undefined && { recurrence }),
      ...fields,
    });
    return task.id;
  }

  const update = (task: string | undefined, fields: Json) =>
    owner.ok<ChangedTask>("update_maintenance_task", { task_id: task, ...fields });
  const complete = (task: string | undefined, fields: Json = {}) =>
    update(task, { state: "completed", ...fields });
  const refused = (task: string, fields: Json) =>
    owner.refused("update_maintenance_task", { task_id: task, ...fields });

  async function stored(id: string | undefined): Promise<Json> {
    const row = await testApp().db.maybe<Json>(
      `SELECT t.*, p.every, p.unit, p.anchor, p.anchor_day, p.ends_on, p.active
       FROM maintenance_tasks t LEFT JOIN maintenance_plans p ON p.id = t.plan_id
       WHERE t.id = $1`,
      [id],
    );
    return row ?? {};
  }

  /** Due days of all occurrences of a task's plan, in order. */
  async function occurrences(id: string): Promise<unknown[]> {
    const rows = await testApp().db.query<{ due_date: string }>(
      `SELECT due_date FROM maintenance_tasks
       WHERE plan_id = (SELECT plan_id FROM maintenance_tasks WHERE id = $1) ORDER BY occurrence`,
      [id],
    );
    return rows.map(({ due_date }) => due_date);
  }

  test("a weekday of the month replaces its date", async () => {
    const rule = { every: 1, unit: "month", on_weekday: "First Monday" };
    const id = await aTask("2090-11-06", rule);

    const { task } = await owner.ok<{ task: Json }>("get_maintenance_task", { task_id: id });
    expect(task).toMatchObject({
      recurrence: { ...rule, on_weekday: "first monday", anchor: "due_date" },
      repeats: "every month on the first Monday",
      next_due_date: "2090-12-04",
    });
    const moved = await update(id, {
      due_date: "2090-11-24",
      recurrence: { every: 2, unit: "month", on_weekday: "last friday" },
    });
    expect(moved.changed).toContainEqual({
      field: "recurrence",
      from: "every month on the first Monday",
      to: "every 2 months on the last Friday",
    });
    expect((await complete(id)).next_task?.due_date).toBe("2091-01-26");
  });

  test("rejects a due date off the weekday of the month and suggests the nearest", async () => {
    const monthly = { every: 1, unit: "month" };
    const first = { ...monthly, on_weekday: "first monday" };
    const [dated, onMonday] = [
      await aTask("2090-11-07", monthly),
      await aTask("2090-11-06", first),
    ];
    const refusal = {
      field: "due_date",
      message: expect.stringContaining("Use 2090-11-06 or 2090-12-04") as string,
    };

    const created = { asset_id: asset, title: "Check", due_date: "2090-11-07", recurrence: first };
    expect(await owner.refused("create_maintenance_task", created)).toMatchObject(refusal);
    expect(await refused(dated, { recurrence: first })).toMatchObject(refusal);
    // One occurrence may be postponed. Later ones keep the weekday.
    const putOff = { due_date: "2090-11-07", recurrence: first };
    expect((await update(onMonday, putOff)).changed).toHaveLength(1);
    expect((await update(onMonday, { due_date: "2090-11-13" })).changed).toHaveLength(1);
    expect((await complete(onMonday)).next_task?.due_date).toBe("2090-12-04");
  });

  test("moving an open occurrence lists the later ones that move", async () => {
    const id = await aTask("2090-11-06", { every: 1, unit: "month" });
    const last = await aTask("2090-11-06", { every: 1, unit: "month", ends_on: "2090-11-30" });
    const floating = await aTask("2090-11-06", {
      ...{ every: 1, unit: "month", anchor: "completion_date" },
    });

    const days = "2090-12-08, 2091-01-08, 2091-02-08";
    expect(await update(id, { due_date: "2090-11-08" })).toMatchObject({
      warnings: [`Later tasks of the recurrence moved too. The next are due on ${days}.`],
    });
    for (const task of [last, floating]) {
      expect(await update(task, { due_date: "2090-11-08" })).not.toHaveProperty("warnings");
    }
    expect(await update(id, { title: "Other" })).not.toHaveProperty("warnings");
  });

  test("rejects a weekday of the month for days and weeks", async () => {
    const id = await aTask(daysFromNow(2));

    expect(
      await refused(id, { recurrence: { ...weekly, on_weekday: "last friday" } }),
    ).toMatchObject({
      field: "recurrence.on_weekday",
      message: expect.stringContaining("not week") as string,
    });
    expect(await stored(id)).toMatchObject({ plan_id: null });
  });

  test("completing creates the next task with everything except the work record", async () => {
    const id = await aTask(daysFromNow(2), weekly, {
      description: "All of it",
      type: "calibration",
      priority: "urgent",
      assigned_to_user_id: "me",
      estimated_minutes: 30,
      requires_downtime: true,
      checklist: ["One", "Two"],
    });

    const answer = await complete(id, { labor_cost: 10, checklist_done: [1] });

    expect(answer.next_task).toEqual({
      id: expect.stringMatching(/^tsk_/) as string,
      task_number: expect.stringMatching(/^T-\d+$/) as string,
      due_date: daysFromNow(9),
    });
    const [before, next] = [await stored(id), await stored(answer.next_task?.id)];
    expect(next).toMatchObject({
      title: "Inspect",
      description: "All of it",
      type: "calibration",
      priority: "urgent",
      assigned_to_user_id: owner.member.userId,
      estimated_minutes: 30,
      requires_downtime: true,
      state: "scheduled",
      occurrence: 2,
      labor_cost: null,
      version: 1,
    });
    for (const field of ["plan_id", "asset_id", "workspace_id"]) {
      expect(next[field]).toBe(before[field]);
    }
    const steps = await testApp().db.query<Json>(
      "SELECT label, done_at FROM task_checklist_items WHERE task_id = $1 ORDER BY position",
      [answer.next_task?.id],
    );
    expect(steps).toEqual([
      { label: "One", done_at: null },
      { label: "Two", done_at: null },
    ]);
    const events = await testApp().db.query<Json>(
      "SELECT type, source FROM history_events WHERE task_id = $1",
      [answer.next_task?.id],
    );
    expect(events).toEqual([{ type: "task_created", source: "system" }]);
  });

  test("day 31 returns after a short month", async () => {
    const id = await aTask("2099-01-31", monthly);

    const second = await complete(id);
    const third = await complete(second.next_task?.id);

    expect(third.next_task?.due_date).toBe("2099-03-31");
    expect(await occurrences(id)).toEqual(["2099-01-31", "2099-02-28", "2099-03-31"]);
  });

  test("skips past dates and reports how many", async () => {
    const id = await aTask(daysFromNow(-23), weekly);

    const answer = await complete(id);

    expect(answer.next_task?.due_date).toBe(daysFromNow(5));
    expect(answer.warnings).toEqual([
      `3 occurrences were skipped because the day has passed. The next one is due on ${daysFromNow(5)}.`,
    ]);
  });

  test("counted from completion, uses the day the work was done", async () => {
    const rule = { ...weekly, anchor: "completion_date" };
    const late = await aTask(daysFromNow(-20), rule);
    const entered = await aTask(daysFromNow(0), rule);

    const today = await complete(late);
    const earlier = await complete(entered, { completed_at: `${daysFromNow(-3)}T12:00:00Z` });

    expect(today.next_task?.due_date).toBe(daysFromNow(7));
    expect(earlier.next_task?.due_date).toBe(daysFromNow(4));
  });

  test("uses the organization's time zone for the day of completion", async () => {
    const far = await connect(testApp());
    const { organizationId } = far.member;
    const zone = "UPDATE organizations SET time_zone = 'Pacific/Kiritimati' WHERE id = $1";
    await testApp().db.query(zone, [organizationId]);
    const created = await far.ok<{ asset: { id: string } }>("create_asset", { name: "Van" });
    const { task } = await far.ok<CreatedTask>("create_maintenance_task", {
      asset_id: created.asset.id,
      title: "Inspect",
      due_date: daysFromNow(-3),
      recurrence: { every: 30, unit: "day", anchor: "completion_date" },
    });

    const answer = await far.ok<ChangedTask>("update_maintenance_task", {
      task_id: task.id,
      state: "completed",
      completed_at: `${daysFromNow(-3)}T11:00:00Z`,
    });

    expect(answer.next_task?.due_date).toBe(daysFromNow(28));
  });

  test("skipping an occurrence also creates the next task", async () => {
    const id = await aTask(daysFromNow(1), weekly);

    const answer = await update(id, { state: "cancelled", note: "Holiday" });

    expect(answer.next_task?.due_date).toBe(daysFromNow(8));
  });

  test("reopening keeps the next task, and completing again creates none", async () => {
    const id = await aTask(daysFromNow(1), weekly);
    await complete(id);

    const reopened = await update(id, { state: "in_progress" });
    const again = await complete(id);

    expect(reopened).not.toHaveProperty("next_task");
    expect(again).not.toHaveProperty("next_task");
    expect(await occurrences(id)).toEqual([daysFromNow(1), daysFromNow(8)]);
  });

  test("creates no task after the end date, and says so", async () => {
    const id = await aTask("2099-01-01", { ...weekly, ends_on: "2099-01-14" });

    const second = await complete(id);
    const third = await complete(second.next_task?.id);

    expect(third).not.toHaveProperty("next_task");
    expect(third.warnings).toEqual([
      "That was the last occurrence: nothing is due after 2099-01-14.",
    ]);
    expect(await stored(id)).toMatchObject({ active: false });
  });

  test("an ended recurrence continues with a new rule", async () => {
    const id = await aTask("2099-01-01", { ...weekly, ends_on: "2099-01-05" });
    await complete(id);
    await update(id, { state: "in_progress" });

    const answer = await update(id, { recurrence: weekly });

    expect(answer.changed).toEqual([{ field: "recurrence", to: "every week" }]);
    expect((await complete(id)).next_task?.due_date).toBe("2099-01-08");
  });

  test("a task can start to recur, change its rule and stop", async () => {
    const id = await aTask("2099-01-31");

    const begun = await update(id, { recurrence: { every: 3, unit: "month" } });
    const same = await update(id, { recurrence: { every: 3, unit: "month" } });
    const changed = await update(id, {
      recurrence: { every: 1, unit: "year", anchor: "completion_date", ends_on: "2120-01-01" },
    });
    const stopped = await update(id, { clear_fields: ["recurrence"] });
    const stoppedAgain = await update(id, { clear_fields: ["recurrence"] });

    expect(begun.changed).toEqual([{ field: "recurrence", to: "every 3 months" }]);
    expect(begun.task.version).toBe(2);
    expect(same).toMatchObject({ changed: [], task: { version: 2 } });
    expect(changed.changed).toEqual([
      {
        field: "recurrence",
        from: "every 3 months",
        to: "every year after completion until 2120-01-01",
      },
    ]);
    expect(stopped.changed).toEqual([
      { field: "recurrence", from: "every year after completion until 2120-01-01" },
    ]);
    expect(stoppedAgain.changed).toEqual([]);
    expect(await stored(id)).toMatchObject({ occurrence: 1, active: false, version: 4 });
    expect(await complete(id)).not.toHaveProperty("next_task");
  });

  test("a rule set with the completion applies at once", async () => {
    const id = await aTask(daysFromNow(1));

    const answer = await complete(id, { recurrence: weekly });

    expect(answer.next_task?.due_date).toBe(daysFromNow(8));
  });

  test("a new due date on the newest occurrence shifts a fixed calendar", async () => {
    const id = await aTask("2099-01-31", monthly);
    await update(id, { due_date: "2099-02-15" });
    const second = await complete(id);

    await update(id, { state: "in_progress" });
    const older = await update(id, { due_date: "2099-02-10" });
    const third = await complete(second.next_task?.id);

    expect(second.next_task?.due_date).toBe("2099-03-15");
    expect(older.changed).toHaveLength(1);
    expect(third.next_task?.due_date).toBe("2099-04-15");
  });

  test("a new interval keeps the day of the month after a short month", async () => {
    const id = await aTask("2099-01-31", monthly);
    const second = await complete(id);

    await update(second.next_task?.id, { recurrence: { every: 2, unit: "month" } });
    const third = await complete(second.next_task?.id);

    expect(third.next_task?.due_date).toBe("2099-04-30");
    expect(await stored(id)).toMatchObject({ anchor_day: 31 });
  });

  test("the next task isn't assigned to a person who left", async () => {
    const bob = await connect(testApp(), {
      organization: owner.member.organization,
      role: "member",
      workspace: "Plant",
      name: "Bob",
    });
    const id = await aTask(daysFromNow(1), weekly, { assigned_to_user_id: bob.member.userId });
    await testApp().db.query("DELETE FROM workspace_members WHERE user_id = $1", [
      bob.member.userId,
    ]);

    const answer = await complete(id);

    expect(answer.warnings).toEqual([`"Bob" can't see "Plant" and is no longer assigned.`]);
    expect(await stored(answer.next_task?.id)).toMatchObject({ assigned_to_user_id: null });
    expect(await stored(id)).toMatchObject({ assigned_to_user_id: bob.member.userId });
  });

  test("a recurring task needs a due date within its recurrence", async () => {
    const id = await aTask("2099-01-31", { ...monthly, ends_on: "2099-06-30" });

    const emptied = await refused(id, { clear_fields: ["due_date"] });
    const behind = await refused(id, { due_date: "2099-07-01" });
    const both = await update(id, { clear_fields: ["due_date", "recurrence"] });

    expect(emptied.message).toBe(
      'Validation failed: due_date can\'t be emptied while the task recurs. Use clear_fields ["due_date", "recurrence"].',
    );
    expect(behind.message).toContain("recurrence.ends_on 2099-06-30 is before due_date 2099-07-01");
    expect(both.changed.map(({ field }) => field)).toEqual(["due_date", "recurrence"]);
  });

  test("changes the rule on an open task", async () => {
    const id = await aTask("2099-01-31", monthly);
    await complete(id);

    for (const fields of [{ recurrence: weekly }, { clear_fields: ["recurrence"] }]) {
      const refusal = await refused(id, fields);
      expect(refusal).toMatchObject({ code: "invalid_transition", field: "recurrence" });
      expect(refusal.message).toMatch(/^Not possible: the task is completed\. /);
    }
  });

  test("a dry run shows the next task and creates none", async () => {
    const id = await aTask(daysFromNow(1), weekly);

    const tried = await complete(id, { dry_run: true });

    expect(tried.next_task?.due_date).toBe(daysFromNow(8));
    expect(await occurrences(id)).toEqual([daysFromNow(1)]);
  });
});
