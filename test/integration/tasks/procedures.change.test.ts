import { beforeAll, describe, expect, test } from "vitest";
import { commit } from "../../../server/src/domain/history/transactions.js";
import {
  addProcedure,
  archiveProcedure,
  changeProcedure,
  type GivenProcedure,
} from "../../../server/src/domain/tasks/procedures.js";
import { useApp } from "../../support/app.js";
import type { TestBrowser } from "../../support/browser.js";
import { toCaller } from "../../support/builders.js";
import type { Connected, Json } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { useUndo, type UndoScene } from "../../support/undo-scene.js";

interface TaskWithSteps extends Json {
  checklist?: { label: string }[];
  procedure?: string;
  procedure_version?: number;
}

const yearly = [{ label: "Pressure", unit: "bar", max: 6, required: true }, "Wipe"];

describe("the procedure of a task", () => {
  const current = useApp();
  const undoing = useUndo(current);
  let scene: UndoScene;
  let owner: Connected;
  let browser: TestBrowser;

  async function add(to: Connected, given: GivenProcedure) {
    const caller = toCaller(to.member);
    return commit({ db: current().db, caller }, (tx) => addProcedure(tx, caller, given));
  }

  beforeAll(async () => {
    scene = await undoing.start();
    owner = scene.person;
    browser = await signIn(current().app, owner.member);
    await owner.ok("create_workspace", { name: "Lab" });
    await add(owner, { name: "Yearly", steps: yearly });
    await add(owner, { name: "Monthly", steps: ["Look", "Listen"] });
    await add(owner, { name: "Pumps only", category: "Pumps", steps: ["Turn"] });
  });

  const taskOf = async (task_id: string, by = owner) =>
    (await by.ok<{ task: TaskWithSteps }>("get_maintenance_task", { task_id })).task;
  const labelsOf = async (task_id: string, by = owner) =>
    ((await taskOf(task_id, by)).checklist ?? []).map(({ label }) => label);
  async function aTask(fields: Json = {}) {
    const asset_id = await undoing.addAsset(owner, { name: "Fan", workspace_id: "Lab" });
    return undoing.addTask(owner, { asset_id, ...fields });
  }
  const refused = async (task_id: string, fields: Json) =>
    (await owner.refused("update_maintenance_task", { task_id, ...fields })).message;

  describe("changed by a tool", () => {
    test("replaces the steps, appears in the history, and is undone", async () => {
      const id = await aTask({ procedure: "Yearly" });
      const changed = await scene.app.ok<{ changed: Json[] }>("update_maintenance_task", {
        ...{ task_id: id, procedure: "monthly" },
      });
      const changes = { procedure: { from: "Yearly", to: "Monthly" } };
      for (const [field, change] of Object.entries(changes)) {
        expect(changed.changed).toContainEqual({ field, ...change });
      }
      expect(await labelsOf(id)).toEqual(["Look", "Listen"]);
      const again = await scene.app.ok<{ changed: Json[] }>("update_maintenance_task", {
        ...{ task_id: id, procedure: "Monthly" },
      });
      expect(again.changed).toEqual([]);
      expect((await browser.get(`/tasks/${id}`)).body).toMatch(/Procedure[^]*Yearly[^]*Monthly/);

      const undone = await undoing.undo(scene);
      expect(await undoing.toldBy(undone)).toEqual([]);
      expect(await taskOf(id)).toMatchObject({
        ...{ procedure: "Yearly", procedure_version: 1 },
        checklist: [{ label: "Pressure", unit: "bar", max: 6, required: true }, { label: "Wipe" }],
      });
    });

    test("copies the current version, also to the next task, and undo keeps the old one", async () => {
      const { id: procedure } = await add(owner, { name: "Growing", steps: ["One"] });
      const id = await aTask({
        ...{ procedure, due_date: "2030-01-31", recurrence: { every: 1, unit: "month" } },
      });
      const caller = toCaller(owner.member);
      await commit({ db: current().db, caller }, (tx) =>
        changeProcedure(tx, caller, procedure, { name: "Growing", steps: ["One", "Two"] }),
      );
      const change = (fields: Json) =>
        scene.app.ok<{ next_task: { id: string } }>("update_maintenance_task", {
          ...{ task_id: id, ...fields },
        });
      await change({ procedure: "Monthly" });
      await undoing.undo(scene);
      expect(await taskOf(id)).toMatchObject({ procedure_version: 1 });
      expect(await labelsOf(id)).toEqual(["One"]);

      await change({ procedure: "Monthly" });
      await change({ procedure });
      expect(await labelsOf(id)).toEqual(["One", "Two"]);
      const { next_task: next } = await change({ state: "completed" });
      expect(await taskOf(next.id)).toMatchObject({ procedure: "Growing", procedure_version: 2 });
    });

    test("is refused once a step is done, beside steps, and for finished work", async () => {
      const id = await aTask({ procedure: "Yearly" });
      expect(await refused(id, { procedure: "Unknown" })).toContain('"Monthly"');
      expect(await refused(id, { procedure: "Monthly", checklist: ["A"] })).toContain("not both");
      await undoing.change(owner, id, { checklist_answers: { 1: 4 } });
      const message = await refused(id, { procedure: "Monthly" });
      expect(message).toContain('step 1, "Pressure", is already done');
      await undoing.change(owner, id, { clear_fields: ["procedure"] });
      expect(await taskOf(id)).not.toHaveProperty("procedure");
      expect(await labelsOf(id)).toEqual(["Pressure", "Wipe"]);
      await undoing.change(owner, id, { checklist_untick: [1] });
      await undoing.change(owner, id, { procedure: "Monthly" });
      await undoing.change(owner, id, { state: "cancelled" });
      expect(await refused(id, { procedure: "Yearly" })).toContain("Reopen the task first");
    });

    test("undo restores the lack of a procedure", async () => {
      const id = await aTask({ checklist: ["Own step"] });
      await undoing.change(scene.app, id, { procedure: "Monthly" });
      await undoing.undo(scene);
      expect(await taskOf(id)).not.toHaveProperty("procedure");
      expect(await labelsOf(id)).toEqual(["Own step"]);
    });
  });

  test("is changed on the edit page, which offers those for the asset's category", async () => {
    const id = await aTask();
    const page = await browser.get(`/tasks/${id}/edit`);
    expect(page.body).toContain("Monthly");
    expect(page.body).not.toContain("Pumps only");
    const option = (name: string) =>
      new RegExp(`<option value="(\\w+)"[^>]*>${name}`).exec(page.body)?.[1] ?? "";
    const save = async (fields: Record<string, string>) => {
      const form = await browser.get(`/tasks/${id}/edit`);
      return browser.submitForm(form, { title: "Oil", type: "other", ...fields });
    };
    expect((await save({ procedure: option("Yearly") })).statusCode).toBe(303);
    expect(await labelsOf(id)).toEqual(["Pressure", "Wipe"]);
    const shown = await browser.get(`/tasks/${id}`);
    const [, action = ""] = /action="(\/changes\/\w+\/undo)"/.exec(shown.body) ?? [];
    await browser.submitForm(shown, {}, { action });
    expect(await labelsOf(id)).toEqual([]);

    await save({ procedure: option("Yearly") });
    await undoing.change(owner, id, { checklist_tick: [2] });
    const answer = await save({ procedure: option("Monthly") });
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain("is already done, so the procedure can");
    expect((await save({ procedure: option("Yearly"), title: "Grease" })).statusCode).toBe(303);
    expect(await taskOf(id)).toMatchObject({ title: "Grease", procedure: "Yearly" });

    // The form of finished work lacks the field. An archived procedure stays selected.
    const { id: rare } = await add(owner, { name: "Rare", steps: ["Wait"] });
    const other = await aTask({ procedure: rare });
    const caller = toCaller(owner.member);
    await commit({ db: current().db, caller }, (tx) => archiveProcedure(tx, caller, rare));
    expect((await browser.get(`/tasks/${other}/edit`)).body).toContain(
      `<option value="${rare}" selected`,
    );
    await undoing.change(owner, other, { state: "cancelled" });
    const last = await browser.get(`/tasks/${other}/edit`);
    await browser.submitForm(last, { title: "Oil again", type: "other" });
    expect(await taskOf(other)).toMatchObject({ title: "Oil again", procedure: "Rare" });
  });
});
