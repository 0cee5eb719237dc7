import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import { daysFromNow, type CreatedTask } from "../../support/tasks.js";

describe("create_maintenance_task", () => {
  const testApp = useApp();
  let owner: Connected;
  let asset: string;

  const create = (args: Json) => owner.ok<CreatedTask>("create_maintenance_task", args);
  const refused = (args: Json) => owner.refused("create_maintenance_task", args);

  beforeAll(async () => {
    owner = await connect(testApp());
    await owner.ok("create_workspace", { name: "Plant" });
    asset = await anAsset({ name: "Pump", workspace_id: "Plant" });
  });

  async function anAsset(fields: Json): Promise<string> {
    const answer = await owner.ok<{ asset: { id: string } }>("create_asset", fields);
    return answer.asset.id;
  }

  async function stored(id: string): Promise<Json> {
    const row = await testApp().db.maybe<Json>(
      `SELECT t.*, p.every, p.unit, p.anchor, p.anchor_day, p.ends_on, p.active
       FROM maintenance_tasks t LEFT JOIN maintenance_plans p ON p.id = t.plan_id
       WHERE t.id = $1`,
      [id],
    );
    return row ?? {};
  }

  test("creates a task on an asset in its workspace with the next number", async () => {
    const answer = await create({
      asset_id: asset,
      title: "  Change the seal ",
      description: "With **new** bolts",
      priority: "high",
      due_date: daysFromNow(3),
      assigned_to_user_id: "me",
      estimated_minutes: "90",
      checklist: ["Close the valve", "Change the seal"],
    });

    expect(answer).toEqual({
      task: {
        id: expect.stringMatching(/^tsk_[0-9a-z]{12}$/) as string,
        task_number: expect.stringMatching(/^T-\d+$/) as string,
        title: "Change the seal",
        state: "scheduled",
        due_date: daysFromNow(3),
        asset_id: asset,
        asset_name: "Pump",
        version: 1,
        url: `http://localhost:3000/tasks/${answer.task.id}`,
      },
    });
    const workspaces = await testApp().db.query<{ id: string }>(
      "SELECT id FROM workspaces WHERE organization_id = $1",
      [owner.member.organizationId],
    );
    expect(await stored(answer.task.id)).toMatchObject({
      workspace_id: workspaces[0]?.id,
      type: "preventive",
      priority: "high",
      assigned_to_user_id: owner.member.userId,
      estimated_minutes: 90,
      requires_downtime: false,
      created_by: owner.member.userId,
      plan_id: null,
    });
    const steps = await testApp().db.query(
      "SELECT position, label, done_at FROM task_checklist_items WHERE task_id = $1 ORDER BY 1",
      [answer.task.id],
    );
    expect(steps).toEqual([
      { position: 1, label: "Close the valve", done_at: null },
      { position: 2, label: "Change the seal", done_at: null },
    ]);
    const events = await testApp().db.query<Json>(
      "SELECT type, asset_id, workspace_id, source, changes FROM history_events WHERE task_id = $1",
      [answer.task.id],
    );
    expect(events).toEqual([
      {
        type: "task_created",
        asset_id: asset,
        workspace_id: workspaces[0]?.id,
        source: "mcp",
        changes: [],
      },
    ]);
  });

  test("creates a task on a workspace without an asset", async () => {
    const { task } = await create({ workspace_id: "plant", title: "Sweep the hall" });

    expect(task).not.toHaveProperty("asset_id");
    expect(await stored(task.id)).toMatchObject({ asset_id: null, priority: "medium" });
  });

  test("task numbers increase by one within each organization", async () => {
    const other = await connect(testApp());
    const { asset: thing } = await other.ok<{ asset: { id: string } }>("create_asset", {
      name: "Van",
    });

    const numbers: string[] = [];
    for (const title of ["One", "Two"]) {
      const { task } = await other.ok<CreatedTask>("create_maintenance_task", {
        asset_id: thing.id,
        title,
      });
      numbers.push(task.task_number);
    }

    expect(numbers).toEqual(["T-1", "T-2"]);
  });

  test("a task on an out-of-service asset defaults to corrective", async () => {
    const broken = await anAsset({ name: "Fan", state: "out_of_service" });

    const repair = await create({ asset_id: broken, title: "Repair" });
    const check = await create({ asset_id: broken, title: "Check", type: "inspection" });

    expect(await stored(repair.task.id)).toMatchObject({ type: "corrective" });
    expect(await stored(check.task.id)).toMatchObject({ type: "inspection" });
  });

  test("accepts a past due date, shows the task as overdue and warns", async () => {
    const late = daysFromNow(-2);

    const { task, warnings } = await create({ asset_id: asset, title: "Late", due_date: late });

    expect(task.state).toBe("overdue");
    expect(warnings).toEqual([
      `The task is already overdue: due_date ${late} is before today, ${daysFromNow(0)}.`,
    ]);
  });

  test("warns about an open task with the same title on the same asset", async () => {
    const { task } = await create({ asset_id: asset, title: "Grease the bearing" });
    const elsewhere = await create({ workspace_id: "Plant", title: "Grease the bearing" });

    const again = await create({ asset_id: asset, title: "grease THE bearing" });
    const onPlace = await create({ workspace_id: "Plant", title: "Grease the bearing" });

    expect(elsewhere.warnings).toBeUndefined();
    expect(again.warnings).toEqual([
      `${task.task_number} is open with the same title. Check that this isn't a duplicate.`,
    ]);
    expect(onPlace.warnings?.[0]).toContain(`${elsewhere.task.task_number} is open`);
  });

  test("a recurrence rule creates a plan and returns the next due date", async () => {
    const answer = await create({
      asset_id: asset,
      title: "Month end",
      due_date: "2099-01-31",
      recurrence: { every: 1, unit: "month", ends_on: "2099-12-31" },
    });

    expect(answer.next_due_date).toBe("2099-02-28");
    expect(await stored(answer.task.id)).toMatchObject({
      occurrence: 1,
      every: 1,
      unit: "month",
      anchor: "due_date",
      anchor_day: 31,
      ends_on: "2099-12-31",
      active: true,
    });
  });

  test("a recurrence that ends before the second date has no next due date", async () => {
    const answer = await create({
      asset_id: asset,
      title: "Twice at most",
      due_date: "2099-01-31",
      recurrence: { every: 1, unit: "month", ends_on: "2099-02-27" },
    });

    expect(answer).not.toHaveProperty("next_due_date");
  });

  test.each([
    [{}, "asset_id or workspace_id is missing"],
    [{ asset_id: "1", workspace_id: "Plant" }, "asset_id and workspace_id are both given"],
    [{ asset_id: "P", recurrence: { every: 1, unit: "day" } }, "recurrence needs due_date"],
    [
      {
        asset_id: "P",
        due_date: "2099-02-01",
        recurrence: { every: 1, unit: "day", ends_on: "2099-01-31" },
      },
      "recurrence.ends_on 2099-01-31 is before due_date 2099-02-01",
    ],
    [{ asset_id: "P", recurrence: { every: 0, unit: "day" } }, "recurrence.every must be at least"],
    [{ asset_id: "P", recurrence: { unit: "day" } }, "recurrence.every is missing"],
    [{ asset_id: "P", checklist: ["a".repeat(201)] }, "checklist: each step must have at most 200"],
    [{ asset_id: "P", state: "completed" }, 'unknown parameter "state"'],
    [{ asset_id: "wsp_000000000000" }, "asset_id needs an id starting with ast_"],
    [{ workspace_id: "Plant", requires_downtime: true }, "requires_downtime is only for tasks on"],
    [{ asset_id: "P", due_date: "21.11.2026" }, "is not a date. Use YYYY-MM-DD"],
  ])("rejects %j: %s", async (args, sentence) => {
    const refusal = await refused({ title: "X", ...args });

    expect(refusal.code).toBe("validation_failed");
    expect(refusal.message).toContain(sentence);
  });

  test("rejects new tasks on a deleted asset", async () => {
    const gone = await anAsset({ name: "Old" });
    await owner.ok("update_asset_state", { asset_id: gone, state: "deleted" });

    expect(await refused({ asset_id: gone, title: "X" })).toMatchObject({
      code: "invalid_transition",
      message:
        "Not possible: the asset is deleted, so it can't get new tasks. To restore it, use update_asset_state with state available, in_use or stored.",
    });
  });

  test("a repeated request_key returns the first result, and other arguments conflict", async () => {
    const args = { asset_id: asset, title: "Once", request_key: "task-1" };

    const first = await create(args);
    const again = await create(args);
    const other = await refused({ ...args, title: "Twice" });

    expect(again).toEqual({ ...first, deduplicated: true });
    expect(other.code).toBe("conflict");
  });

  test("a dry run returns the result and stores nothing", async () => {
    const args = {
      asset_id: asset,
      title: "Maybe",
      due_date: "2099-01-01",
      recurrence: { every: 2, unit: "week" },
    };

    const countTasks = () => testApp().db.query("SELECT count(*) FROM maintenance_tasks");
    const before = await countTasks();
    const tried = await create({ ...args, dry_run: true });

    expect(tried).toMatchObject({ dry_run: true, next_due_date: "2099-01-15" });
    for (const name of ["id", "task_number", "version", "url"]) {
      expect(tried.task).not.toHaveProperty(name);
    }
    expect(await countTasks()).toEqual(before);
  });
});
