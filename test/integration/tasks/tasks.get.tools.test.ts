import { beforeAll, describe, expect, test } from "vitest";
import { dayIn } from "../../../server/src/domain/shared/dates.js";
import { useApp } from "../../support/app.js";
import { aPlan, aTask } from "../../support/builders.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";

const get = async (person: Connected, task_id: string) =>
  (await person.ok<{ task: Json }>("get_maintenance_task", { task_id })).task;

async function anAsset(person: Connected, fields: Json = {}) {
  const { asset } = await person.ok<{ asset: { id: string; inventory_number: string } }>(
    "create_asset",
    { name: "Pump", ...fields },
  );
  return asset;
}

const inDays = (days: number) => dayIn("UTC", new Date(Date.now() + days * 86_400_000));
const aTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string;

describe("get_maintenance_task", () => {
  const testApp = useApp();
  let owner: Connected;
  let asset: { id: string; inventory_number: string };

  const add = (columns: Parameters<typeof aTask>[2]) =>
    aTask(testApp().db, owner.member, { asset_id: asset.id, ...columns });

  beforeAll(async () => {
    owner = await connect(testApp());
    await owner.ok("create_workspace", { name: "Lab" });
    asset = await anAsset(owner, { workspace_id: "Lab" });
  });

  test("returns all details of a completed task", async () => {
    const { db, config } = testApp();
    const { userId, organizationId, name } = owner.member;
    const { id, task_number } = await add({
      title: "Replace the seal",
      description: "Drain it first.\nThen open it.",
      type: "corrective",
      priority: "urgent",
      state: "completed",
      due_date: "2026-01-10",
      assigned_to_user_id: userId,
      estimated_minutes: 60,
      actual_minutes: 75,
      downtime_minutes: 0,
      requires_downtime: true,
      labor_cost: 40.1,
      parts_cost: 12.35,
      currency: "EUR",
      activity: "replace",
      failure_cause: "wear",
      completion_notes: "Worn out.",
      started_at: "2026-01-10T08:00:00Z",
      completed_at: "2026-01-10T09:15:00.9Z",
      completed_by: userId,
    });
    await db.query(
      `INSERT INTO task_checklist_items (organization_id, task_id, position, label, done_at, done_by)
       VALUES ($1, $2, 2, 'Open', NULL, NULL), ($1, $2, 1, 'Drain', now(), $3)`,
      [organizationId, id, userId],
    );

    const task = await get(owner, id);

    expect(task).toEqual({
      id,
      task_number,
      title: "Replace the seal",
      state: "completed",
      priority: "urgent",
      type: "corrective",
      due_date: "2026-01-10",
      asset_id: asset.id,
      asset_name: "Pump",
      inventory_number: asset.inventory_number,
      workspace_id: expect.stringMatching(/^wsp_/) as unknown,
      workspace_name: "Lab",
      assigned_to: name,
      assigned_to_user_id: userId,
      description: "Drain it first.\nThen open it.",
      checklist: [
        { number: 1, label: "Drain", done: true },
        { number: 2, label: "Open", done: false },
      ],
      requires_downtime: true,
      estimated_minutes: 60,
      actual_minutes: 75,
      downtime_minutes: 0,
      labor_cost: 40.1,
      parts_cost: 12.35,
      total_cost: 52.45,
      currency: "EUR",
      activity: "replace",
      failure_cause: "wear",
      completion_notes: "Worn out.",
      started_at: "2026-01-10T08:00:00Z",
      completed_at: "2026-01-10T09:15:00Z",
      completed_by: name,
      url: `${config.baseUrl}/tasks/${id}`,
      version: 1,
      created_by: name,
      created_at: aTime,
      updated_at: aTime,
    });
  });

  test("leaves out empty fields of a new task and shows that it is overdue", async () => {
    const { id } = await add({ title: "Look", state: "on_hold", due_date: inDays(-3) });

    const task = await get(owner, id);

    expect(task).toMatchObject({ state: "overdue", progress: "on_hold", days_overdue: 3 });
    for (const field of ["checklist", "total_cost", "recurrence", "requires_downtime", "repeats"]) {
      expect(task).not.toHaveProperty(field);
    }
  });

  test("finds a task by its number in any format", async () => {
    const { id, task_number } = await add({ title: "Numbered" });
    const digits = task_number.slice(2);

    for (const reference of [
      task_number,
      `t-${digits}`,
      `T${digits}`,
      digits,
      `#${digits}`,
      `T-00${digits}`,
    ]) {
      expect((await get(owner, reference))["id"]).toBe(id);
    }
  });

  test.each([
    ["T-99999", 'Task not found for "T-99999". Use list_maintenance_tasks with query to find it.'],
    ["tsk_0123456789ab", 'Task not found for "tsk_0123456789ab".'],
    ["Replace the seal", 'Task not found for "Replace the seal".'],
    ["ast_0123456789ab", "Validation failed: "],
  ])("rejects %s", async (task_id, message) => {
    const refusal = await owner.refused("get_maintenance_task", { task_id });

    expect(refusal.field).toBe("task_id");
    expect(refusal.message.slice(0, message.length)).toBe(message);
  });
});

describe("recurring task", () => {
  const testApp = useApp();
  let owner: Connected;
  let assetId: string;

  beforeAll(async () => {
    owner = await connect(testApp());
    assetId = (await anAsset(owner)).id;
  });

  async function aSeries(plan: Json, ...tasks: Parameters<typeof aTask>[2][]) {
    const { db } = testApp();
    const plan_id = await aPlan(db, owner.member, plan as Parameters<typeof aPlan>[2]);
    const ids: string[] = [];
    for (const [index, columns] of tasks.entries()) {
      const occurrence = index + 1;
      const own = { asset_id: assetId, plan_id, occurrence, ...columns };
      ids.push((await aTask(db, owner.member, own)).id);
    }
    return ids;
  }

  test("shows its rule, the previous and next tasks and the next due date", async () => {
    const [first = "", second = ""] = await aSeries(
      { every: 2, unit: "month", anchor_day: 31, ends_on: "2090-12-31" },
      { state: "completed", due_date: "2077-10-31" },
      { due_date: "2077-12-31" },
    );

    const done = await get(owner, first);
    const open = await get(owner, second);

    const recurrence = { every: 2, unit: "month", anchor: "due_date", ends_on: "2090-12-31" };
    expect(done).toMatchObject({ recurrence, next_task_id: second, repeats: "every 2 months" });
    expect(done).not.toHaveProperty("next_due_date");
    expect(done).not.toHaveProperty("previous_task_id");
    expect(open).toMatchObject({
      recurrence,
      previous_task_id: first,
      next_due_date: "2078-02-28",
    });
    expect(open).not.toHaveProperty("next_task_id");
  });

  test.each<[string, Json, Parameters<typeof aTask>[2][]]>([
    ["that was the last by its rule", { ends_on: "2077-01-31" }, [{ due_date: "2077-01-01" }]],
    ["that was opened again", {}, [{ due_date: "2077-01-01" }, { due_date: "2077-02-01" }]],
    ["that is finished", {}, [{ due_date: "2077-01-01", state: "cancelled" }]],
  ])("shows no next due date for a task %s", async (_, plan, tasks) => {
    const [id = ""] = await aSeries(plan, ...tasks);

    const task = await get(owner, id);

    expect(task).toHaveProperty("recurrence");
    expect(task).not.toHaveProperty("next_due_date");
  });

  test("shows no rule after the recurrence stops", async () => {
    const [id = ""] = await aSeries({ active: false }, { due_date: "2077-01-01" });

    const task = await get(owner, id);

    for (const field of ["recurrence", "repeats", "next_due_date"]) {
      expect(task).not.toHaveProperty(field);
    }
  });

  test("hides previous and next tasks in a workspace that the person can't see", async () => {
    const { organization } = owner.member;
    const lab = { organization, role: "member", workspace: "Lab" } as const;
    for (const name of ["Lab", "Vault"]) await owner.ok("create_workspace", { name });
    const member = await connect(testApp(), lab);
    const keeper = await connect(testApp(), { ...lab, workspace: "Vault" });
    const place = (person: Connected) => ({
      asset_id: null,
      workspace_id: person.member.workspaceId ?? "",
    });
    const [first = "", second = ""] = await aSeries(
      {},
      { ...place(keeper), state: "completed", due_date: "2077-01-01" },
      { ...place(member), due_date: "2077-02-01" },
    );

    const forOwner = await get(owner, second);
    const forMember = await get(member, second);
    const refusal = await member.refused("get_maintenance_task", { task_id: first });

    expect(forOwner).toHaveProperty("previous_task_id", first);
    expect(forMember).not.toHaveProperty("previous_task_id");
    expect(refusal.code).toBe("not_found");
  });
});
