import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import type { Connected, Json } from "../../support/mcp.js";
import type { ChangedTask } from "../../support/tasks.js";
import { useUndo, type UndoScene } from "../../support/undo-scene.js";

const steps = [
  "Wipe the housing",
  { label: "Oil pressure", unit: "bar", min: 2, max: 6, required: true, follow_up: "Mend pump" },
  { label: "Guard in place", kind: "pass_fail", out_of_service: true },
  { label: "Belt", options: ["Good", "Worn"] },
  { label: "Remarks", kind: "text" },
  { label: "Signed by", kind: "signature", required: true },
];

describe("steps with answers", () => {
  const current = useApp();
  const undoing = useUndo(current);
  let scene: UndoScene;
  let owner: Connected;

  const anAsset = async () => undoing.addAsset(owner, { name: "Pump", workspace_id: "Lab" });
  async function aTask(fields: Json = {}) {
    const asset_id = await anAsset();
    const task_id = await undoing.addTask(scene.app, { asset_id, checklist: steps, ...fields });
    return { asset_id, task_id };
  }
  const update = (task_id: string, fields: Json) =>
    scene.app.ok<ChangedTask & Json>("update_maintenance_task", { task_id, ...fields });
  const refused = (task_id: string, fields: Json) =>
    owner.refused("update_maintenance_task", { task_id, ...fields });
  const taskOf = async (task_id: string) =>
    (await owner.ok<{ task: Json & { checklist: Json[] } }>("get_maintenance_task", { task_id }))
      .task;
  const stepOf = async (task_id: string, number: number) =>
    (await taskOf(task_id)).checklist[number - 1];
  const stateOf = async (asset_id: string) =>
    (await owner.ok<{ asset: Json }>("get_asset", { asset_id })).asset["state"];

  beforeAll(async () => {
    scene = await undoing.start();
    owner = scene.person;
    await owner.ok("create_workspace", { name: "Lab" });
  });

  test("are shown with kind, limits, rules and answers", async () => {
    const { task_id } = await aTask();
    await update(task_id, {
      checklist_answers: { 2: 7.2, 4: "worn", 5: "Seal\nlooks old" },
      checklist_tick: [1],
    });

    expect((await taskOf(task_id)).checklist).toEqual([
      { number: 1, label: "Wipe the housing", done: true },
      {
        ...{ number: 2, label: "Oil pressure", done: true, kind: "number", required: true },
        ...{ unit: "bar", min: 2, max: 6, follow_up: "Mend pump", follow_up_priority: "high" },
        ...{
          answer: "7.2",
          failed: true,
          follow_up_task: expect.stringMatching(/^T-\d+$/) as string,
        },
        ...{ answered_by: expect.any(String) as string, answered_at: expect.any(String) as string },
      },
      {
        ...{ number: 3, label: "Guard in place", done: false, kind: "pass_fail" },
        out_of_service: true,
      },
      expect.objectContaining({ kind: "choice", options: ["Good", "Worn"], answer: "Worn" }),
      expect.objectContaining({ kind: "text", answer: "Seal\nlooks old" }),
      { number: 6, label: "Signed by", done: false, kind: "signature", required: true },
    ]);
  });

  test.each([
    [{ label: "A", kind: "text", min: 1 }, "step 1: min is only for the kind number"],
    [{ label: "A", min: 3, max: 2 }, "step 1: limits"],
    [{ label: "A", min: 0.00001 }, "step 1: limits"],
    [{ label: "A", kind: "choice", options: ["One"] }, "a choice has 2 to 20 options"],
    [{ label: "A", kind: "photo", follow_up: "Mend" }, "only for the kind number or pass_fail"],
    [{ label: "A", meter: "km" }, 'no meter "km"'],
    [{ label: "A", kind: "star" }, "checklist[0].kind"],
    [{ label: "A", colour: "red" }, "colour"],
    [{ kind: "text" }, "checklist[0].label is missing"],
  ])("refuse %j", async (step, problem) => {
    const asset_id = await anAsset();
    const call = { asset_id, title: "Round", checklist: [step] };
    const { message } = await owner.refused("create_maintenance_task", call);
    expect(message).toContain(problem);
  });

  test.each([
    [{ checklist_answers: { 2: "high" } }, 'step 2, "Oil pressure", needs a number'],
    [{ checklist_answers: { 3: "maybe" } }, "must be one of: pass, fail"],
    [{ checklist_answers: { 4: "Broken" } }, "must be one of: Good, Worn"],
    [{ checklist_answers: { 1: "yes" } }, "must be one of: true, false"],
    [{ checklist_answers: { 7: "yes" } }, "the steps are 1 to 6"],
    [{ checklist_answers: { one: "yes" } }, "the steps are 1 to 6"],
    [{ checklist_tick: [2] }, "needs an answer"],
    [{ checklist_done: [1, 6] }, "needs an answer"],
    [{ state: "completed" }, 'required steps are open: 2 "Oil pressure", 6 "Signed by"'],
  ])("refuse the update %j", async (fields, problem) => {
    const { task_id } = await aTask();
    expect((await refused(task_id, fields)).message).toContain(problem);
  });

  test("true and false finish and reopen a check", async () => {
    const { task_id } = await aTask();
    await update(task_id, { checklist_answers: { 1: true, 2: 3 } });
    expect(await stepOf(task_id, 1)).toEqual({ number: 1, label: "Wipe the housing", done: true });
    expect(await stepOf(task_id, 2)).toMatchObject({ answer: "3" });
    await update(task_id, { checklist_answers: { 1: "false" } });
    expect(await stepOf(task_id, 1)).toMatchObject({ done: false });
  });

  test("a failed answer warns, adds one follow-up task and stops the asset", async () => {
    const { asset_id, task_id } = await aTask();

    const first = await update(task_id, { checklist_answers: { 2: 7.2, 3: "fail" } });
    expect(first).toMatchObject({
      asset_state: "out_of_service",
      warnings: [
        'Step 2, "Oil pressure": 7.2 bar is above the limit.',
        expect.stringMatching(/^T-\d+ added: "Mend pump"\.$/),
        'Step 3 failed: "Guard in place".',
      ],
    });
    expect(await stateOf(asset_id)).toBe("out_of_service");
    const followUp = (await stepOf(task_id, 2))?.["follow_up_task"] as string;
    expect(await taskOf(followUp)).toMatchObject({
      ...{ title: "Mend pump", type: "corrective", priority: "high", asset_id },
    });

    const second = await update(task_id, { checklist_answers: { 2: 1.5 } });
    expect(second["warnings"]).toEqual(['Step 2, "Oil pressure": 1.5 bar is below the limit.']);
    await update(task_id, { checklist_answers: { 2: 4 } });
    expect(await stepOf(task_id, 2)).toMatchObject({ answer: "4", follow_up_task: followUp });
    expect(await stepOf(task_id, 2)).not.toHaveProperty("failed");
  });

  test("answers feed the asset's meter, and only once", async () => {
    const asset_id = await anAsset();
    await undoing.count(owner, asset_id, 100);
    const checklist = [{ label: "Odometer", meter: "km", required: true }];
    const task_id = await undoing.addTask(owner, { asset_id, checklist });

    await update(task_id, { checklist_answers: { 1: 180.5 } });
    await update(task_id, { checklist_answers: { 1: "180.5" } });

    const rows = await current().db.query(
      `SELECT r.value::float8 AS value FROM meter_readings r JOIN meters m ON m.id = r.meter_id
       WHERE m.asset_id = $1 ORDER BY r.read_at`,
      [asset_id],
    );
    expect(rows).toEqual([{ value: 100 }, { value: 180.5 }]);
    expect(await stepOf(task_id, 1)).toMatchObject({
      unit: "km",
      meter: expect.any(String) as string,
    });
  });

  test("repeating work copies the steps without answers", async () => {
    const { task_id } = await aTask({
      due_date: "2027-01-31",
      recurrence: { every: 1, unit: "month" },
    });
    const done = await update(task_id, {
      ...{ state: "completed", checklist_answers: { 2: 3, 6: "Olga Owner" } },
    });
    const next = await taskOf(String(done.next_task?.id));
    const copied = await taskOf(task_id);
    const toPlain = (step: Json) => [step["label"], step["kind"], step["min"], step["options"]];
    expect(next.checklist.map(toPlain)).toEqual(copied.checklist.map(toPlain));
    expect(next.checklist.every((step) => step["done"] === false && !("answer" in step))).toBe(
      true,
    );
  });

  test("redefined steps keep the answers of equal labels, until the work is finished", async () => {
    const { task_id } = await aTask({ checklist: ["One", { label: "Oil", unit: "bar" }] });
    await update(task_id, { checklist_tick: [1], checklist_answers: { 2: 5 } });
    await update(task_id, { checklist: ["Zero", { label: "Oil", unit: "bar", max: 9 }, "One"] });

    const { checklist } = await taskOf(task_id);
    expect(checklist.map(({ label, done, answer }) => [label, done, answer])).toEqual([
      ["Zero", false, undefined],
      ["Oil", true, "5"],
      ["One", true, undefined],
    ]);
    await update(task_id, { state: "completed" });
    expect((await refused(task_id, { checklist: ["New"] })).message).toContain("finished work");
  });

  test("undo and redo restore answers, definitions, the follow-up and the asset", async () => {
    const own = await undoing.start();
    const { person, app } = own;
    await person.ok("create_workspace", { name: "Lab" });
    const asset_id = await undoing.addAsset(person, { name: "Pump", workspace_id: "Lab" });
    const task_id = await undoing.addTask(person, { asset_id, checklist: steps });
    const rows = async () => [
      await current().db.query(
        "SELECT * FROM task_checklist_items WHERE task_id = $1 ORDER BY position",
        [task_id],
      ),
      await current().db.query("SELECT state FROM assets WHERE id = $1", [asset_id]),
      await current().db.query(
        "SELECT title, state FROM maintenance_tasks WHERE asset_id = $1 ORDER BY task_number",
        [asset_id],
      ),
    ];
    const followUp = { title: "Mend pump", state: "cancelled" };
    const [stepsBefore, stateBefore, tasksBefore] = await rows();
    await app.ok("update_maintenance_task", {
      ...{ task_id, checklist_tick: [1] },
      checklist_answers: { 2: 9, 3: "fail", 5: "x".repeat(900), 6: "Olga Owner" },
    });
    await app.ok("update_maintenance_task", {
      ...{ task_id, checklist: [...steps.slice(1), { label: "New", kind: "photo" }] },
    });
    const after = await rows();
    const fields = await current().db.query<{ field: string }>(
      `SELECT DISTINCT c->>'field' AS field FROM history_events, jsonb_array_elements(changes) c
       WHERE task_id = $1 ORDER BY 1`,
      [task_id],
    );
    expect(fields.map(({ field }) => field)).toEqual([
      ...["checklist", "checklist_done", "step: Guard in place", "step: Oil pressure"],
      ...["step: Remarks", "step: Signed by"],
    ]);
    const names = await current().db.query(
      "SELECT FROM history_events WHERE task_id = $1 AND changes::text LIKE '%Olga Owner%'",
      [task_id],
    );
    expect(names).toEqual([]);

    const set = await undoing.undo(own);
    expect(await undoing.toldBy(set)).toEqual([]);
    expect(await rows()).toEqual([stepsBefore, stateBefore, [...(tasksBefore ?? []), followUp]]);
    const redone = await undoing.redo(own, set);
    expect(await undoing.toldBy(redone)).toEqual([]);
    expect(await rows()).toEqual(after);
  });
});
