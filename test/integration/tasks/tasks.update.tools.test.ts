import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import { daysFromNow, type ChangedTask, type CreatedTask } from "../../support/tasks.js";

describe("update_maintenance_task", () => {
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

  interface Event {
    type: string;
    note: string | null;
    source: string;
    changes: Json[];
    backdated: boolean;
  }

  const events = (id: string): Promise<Event[]> =>
    testApp().db.query(
      `SELECT type, note, source, changes, occurred_at < recorded_at AS backdated
       FROM history_events WHERE task_id = $1 AND type <> 'task_created' ORDER BY sequence`,
      [id],
    );

  test("changes only the given fields and returns each before and after", async () => {
    const id = await aTask({ description: "Old", priority: "low" });

    const answer = await update(id, {
      title: "Better work",
      priority: "low",
      assigned_to_user_id: "me",
      due_date: "2099-01-01",
      clear_fields: "description",
      note: "After the meeting",
    });

    expect(answer.task).toMatchObject({ title: "Better work", due_date: "2099-01-01", version: 2 });
    expect(answer.changed).toEqual([
      { field: "assigned_to_user_id", to: owner.member.userId },
      { field: "assigned_to", to: "Olga Owner" },
      { field: "title", from: "Work", to: "Better work" },
      { field: "due_date", to: "2099-01-01" },
      { field: "description", from: "Old" },
    ]);
    expect(await events(id)).toMatchObject([
      { type: "task_updated", note: "After the meeting", source: "mcp", changes: answer.changed },
    ]);
  });

  test("also finds the task by its number", async () => {
    const id = await aTask();
    const { task } = await update(id, { title: "A" });

    const byNumber = await update(task.task_number.toLowerCase(), { title: "B" });

    expect(byNumber.task.id).toBe(id);
    expect((await refused("T-999999", { title: "C" })).message).toMatch(
      /^Task not found for "T-999999"\./,
    );
  });

  test("repeating the values changes nothing but still stores a note", async () => {
    const id = await aTask({ due_date: "2099-01-01" });

    const again = await update(id, { due_date: "2099-01-01", state: "scheduled" });
    const noted = await update(id, { state: "scheduled", note: "Still waiting" });
    const note = await update(id, { note: "Parts ordered" });

    expect(again).toMatchObject({ changed: [], task: { version: 1 } });
    expect(again.warnings).toEqual(["Nothing changed: the task is already scheduled."]);
    expect(noted.warnings).toEqual([
      "Nothing changed: the task is already scheduled. The note was saved.",
    ]);
    expect(note).toEqual({ task: again.task, changed: [] });
    expect(await events(id)).toMatchObject([
      { type: "note_added", note: "Still waiting", changes: [] },
      { type: "note_added", note: "Parts ordered", changes: [] },
    ]);
  });

  test("moves from scheduled through in_progress and on_hold to completed", async () => {
    const id = await aTask();

    const started = await update(id, { state: "in_progress" });
    const { started_at } = await stored(id);
    await update(id, { state: "on_hold", note: "Waiting for parts" });
    await update(id, { state: "in_progress" });
    await update(id, { state: "completed" });

    expect(started.changed).toEqual([{ field: "state", from: "scheduled", to: "in_progress" }]);
    const task = await stored(id);
    expect(started_at).not.toBeNull();
    expect(task).toMatchObject({ state: "completed", completed_by: owner.member.userId });
    expect(task["started_at"]).toEqual(started_at);
    expect((await events(id)).map(({ type, note }) => [type, note])).toEqual([
      ["task_state_changed", null],
      ["task_state_changed", "Waiting for parts"],
      ["task_state_changed", null],
      ["task_completed", null],
    ]);
  });

  test("returning a task to scheduled clears its start", async () => {
    const id = await aTask();
    await update(id, { state: "in_progress" });

    const answer = await update(id, { state: "scheduled" });

    expect(answer.changed).toEqual([{ field: "state", from: "in_progress", to: "scheduled" }]);
    expect(await stored(id)).toMatchObject({ state: "scheduled", started_at: null });
  });

  test("a completion event contains the work record, and other fields get their own event", async () => {
    const id = await aTask({ checklist: ["Look", "Fix", "Test"] });

    const answer = await update(id, {
      state: "completed",
      completion_notes: "Seal worn",
      actual_minutes: 45,
      downtime_minutes: 60,
      labor_cost: 80,
      parts_cost: 12.34567,
      activity: "replace",
      failure_cause: "wear",
      checklist_done: [3, 1],
      title: "Seal",
      note: "Done with Bob",
    });

    expect(answer.task).toMatchObject({ state: "completed", version: 2 });
    const [completed, updated, ...others] = await events(id);
    expect(others).toEqual([]);
    expect(completed).toMatchObject({ type: "task_completed", note: "Done with Bob" });
    expect(completed?.changes).toEqual([
      { field: "state", from: "scheduled", to: "completed" },
      { field: "completed_at", to: expect.stringMatching(/Z$/) as string },
      { field: "completion_notes", to: "Seal worn" },
      { field: "labor_cost", to: 80 },
      { field: "parts_cost", to: 12.3457 },
      { field: "actual_minutes", to: 45 },
      { field: "downtime_minutes", to: 60 },
      { field: "activity", to: "replace" },
      { field: "failure_cause", to: "wear" },
      { field: "currency", to: "USD" },
      { field: "checklist_done", to: [1, 3] },
    ]);
    expect(updated).toMatchObject({ type: "task_updated", note: null });
    expect(answer.changed).toEqual([...(completed?.changes ?? []), ...(updated?.changes ?? [])]);
  });

  test("accepts a past completion time and moves a later start back to it", async () => {
    const id = await aTask();
    await update(id, { state: "in_progress" });
    const at = `${daysFromNow(-3)}T08:00:00Z`;

    const answer = await update(id, { state: "completed", completed_at: at });

    expect(answer.changed[1]).toEqual({ field: "completed_at", to: at });
    expect(await stored(id)).toMatchObject({
      completed_at: new Date(at),
      started_at: new Date(at),
    });
    expect((await events(id)).map(({ backdated }) => backdated)).toEqual([false, true]);
  });

  test("a completed task can be corrected, including its time", async () => {
    const id = await aTask();
    await update(id, { state: "completed" });
    const at = `${daysFromNow(-1)}T08:00:00Z`;

    const answer = await update(id, { completed_at: at, labor_cost: 5 });
    const again = await update(id, { state: "completed", completed_at: at });

    expect(answer.changed).toEqual([
      {
        field: "completed_at",
        from: expect.stringMatching(/Z$/) as string,
        to: at,
      },
      { field: "labor_cost", to: 5 },
      { field: "currency", to: "USD" },
    ]);
    expect((await events(id)).map(({ type }) => type)).toEqual(["task_completed", "task_updated"]);
    expect(again.changed).toEqual([]);
  });

  test("keeps partial records before the task is completed", async () => {
    const id = await aTask({ checklist: ["One", "Two"] });

    await update(id, { state: "in_progress", checklist_done: 1, parts_cost: 3 });
    const first = await testApp().db.query<Json>(
      "SELECT done_at FROM task_checklist_items WHERE task_id = $1 AND position = 1",
      [id],
    );
    const answer = await update(id, { checklist_done: [2, 1, 2] });

    expect(answer.changed).toEqual([{ field: "checklist_done", from: [1], to: [1, 2] }]);
    const steps = await testApp().db.query<Json>(
      "SELECT done_at, done_by FROM task_checklist_items WHERE task_id = $1 ORDER BY position",
      [id],
    );
    expect(steps[0]?.["done_at"]).toEqual(first[0]?.["done_at"]);
    expect(steps.map(({ done_by }) => done_by)).toEqual(Array(2).fill(owner.member.userId));
    expect((await update(id, { checklist_done: [2] })).changed).toEqual([
      { field: "checklist_done", from: [1, 2], to: [2] },
    ]);
  });

  test("completed and cancelled tasks can be reopened and keep their record", async () => {
    const done = await aTask();
    await update(done, { state: "completed", completion_notes: "Fine" });
    const dropped = await aTask();
    await update(dropped, { state: "cancelled", note: "Not needed" });

    const reopened = await update(done, { state: "in_progress" });
    await update(dropped, { state: "scheduled" });

    expect(reopened.changed[0]).toEqual({ field: "state", from: "completed", to: "in_progress" });
    expect(await stored(done)).toMatchObject({
      state: "in_progress",
      completed_at: null,
      completed_by: null,
      completion_notes: "Fine",
    });
    expect(await stored(dropped)).toMatchObject({ state: "scheduled", cancelled_at: null });
    expect((await events(dropped)).map(({ type, note }) => [type, note])).toEqual([
      ["task_cancelled", "Not needed"],
      ["task_state_changed", null],
    ]);
  });

  test.each([
    ["completed", "scheduled", 'Reopen it first with state "in_progress"'],
    ["completed", "cancelled", 'Reopen it first with state "in_progress"'],
    ["completed", "on_hold", "so it can't become on_hold"],
    ["cancelled", "completed", 'Reopen it first with state "scheduled"'],
    ["cancelled", "in_progress", "so it can't become in_progress"],
  ])("rejects %s to %s: %s", async (from, to, sentence) => {
    const id = await aTask();
    await update(id, { state: from });

    const refusal = await refused(id, { state: to });

    expect(refusal).toMatchObject({ code: "invalid_transition", field: "state" });
    expect(refusal.message).toMatch(/^Not possible: /);
    expect(refusal.message).toContain(sentence);
  });

  test("overdue is computed, can't be set, and is shown with the progress", async () => {
    const id = await aTask({ due_date: daysFromNow(-5) });

    const refusal = await refused(id, { state: "overdue" });
    const started = await update(id, { state: "in_progress" });

    expect(refusal).toMatchObject({
      code: "invalid_transition",
      message:
        'Not possible: "overdue" is computed from due_date. Change due_date, or set state in_progress, completed or cancelled.',
    });
    expect(started.task).toMatchObject({ state: "overdue", progress: "in_progress" });
    expect((await refused(id, { state: "late" })).code).toBe("validation_failed");
  });

  test.each([
    [{}, "no change was given"],
    [{ expected_version: 1 }, "no change was given"],
    [{ due_date: "2099-01-01", clear_fields: ["due_date"] }, "both set and in clear_fields"],
    [{ clear_fields: ["title"] }, "clear_fields[0]"],
    [{ completed_at: "2020-01-01T00:00:00Z" }, 'completed_at only works with state "completed"'],
    [
      { state: "completed", completed_at: "2099-01-01T00:00:00Z" },
      "completed_at must not be in the future",
    ],
    [{ checklist_done: [1] }, "checklist_done names step 1, but the task has no checklist"],
    [{ labor_cost: -1 }, "labor_cost must be at least 0"],
    [{ parts_cost: 1e12 }, "parts_cost must be at most 999999999999.9999"],
    [{ actual_minutes: 1e12 }, "actual_minutes must be at most 525600"],
    [{ estimated_minutes: 525_601 }, "estimated_minutes must be at most 525600"],
    [{ recurrence: { every: 1, unit: "day" } }, "recurrence needs due_date"],
    [{ title: "a\nb" }, "title must be one line"],
  ])("rejects %j: %s", async (fields, sentence) => {
    const refusal = await refused(await aTask(), fields);

    expect(refusal.code).toBe("validation_failed");
    expect(refusal.message).toContain(sentence);
  });

  test("rejects an unknown step with the valid range and stores nothing", async () => {
    const id = await aTask({ checklist: ["One", "Two"] });

    const refusal = await refused(id, { title: "New", checklist_done: [1, 3] });

    expect(refusal.message).toBe(
      "Validation failed: checklist_done names step 3, but the steps are 1 to 2.",
    );
    expect(await stored(id)).toMatchObject({ title: "Work", version: 1 });
  });

  test("rejects an older version with the person and the change", async () => {
    const id = await aTask();
    await update(id, { title: "New", expected_version: 1 });

    const refusal = await refused(id, { title: "Newer", expected_version: 1 });

    expect(refusal.code).toBe("conflict");
    expect(refusal.message).toMatch(
      /^Conflict: the task changed since version 1 \(now 2, by "Olga Owner", \d+ seconds? ago: title\)\. Read it again with get_maintenance_task, /,
    );
  });

  test("a dry run returns the changes and makes none", async () => {
    const id = await aTask();

    const tried = await update(id, { state: "completed", labor_cost: 3, dry_run: true });

    expect(tried).toMatchObject({ dry_run: true, task: { state: "completed" } });
    expect(tried.task).not.toHaveProperty("version");
    expect(await stored(id)).toMatchObject({ state: "scheduled", version: 1, labor_cost: null });
    expect(await events(id)).toEqual([]);
  });
});
