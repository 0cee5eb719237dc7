import { beforeAll, describe, expect, test } from "vitest";
import { useServer } from "../../support/app.js";
import type { TestBrowser } from "../../support/browser.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { openPage, sweep, views } from "../../support/pages.js";
import { aPhoto } from "../../support/pictures.js";

const steps = [
  "Wipe the housing",
  { label: "Oil pressure", unit: "bar", min: -2, max: 6, required: true, follow_up: "Mend pump" },
  { label: "Guard in place", kind: "pass_fail", out_of_service: true },
  { label: "Belt", options: ["Good", "Worn"] },
  { label: "Remarks", kind: "text" },
  { label: "Photo of the plate", kind: "photo" },
  { label: "Signed by", kind: "signature", required: true },
];

describe("steps on pages", () => {
  const current = useServer();
  const chromium = useChromium();
  let owner: Connected;
  let browser: TestBrowser;

  beforeAll(async () => {
    owner = await connect(current());
    browser = await signIn(current().app, owner.member);
    await owner.ok("create_workspace", { name: "Lab" });
  });

  async function aTask(fields: Json = {}): Promise<string> {
    const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", {
      ...{ name: "Pump", workspace_id: "Lab" },
    });
    const { task } = await owner.ok<{ task: { id: string } }>("create_maintenance_task", {
      ...{ asset_id: asset.id, title: "Round", checklist: steps, ...fields },
    });
    return task.id;
  }
  const stepsOf = async (task_id: string) =>
    (await owner.ok<{ task: { checklist: Json[] } }>("get_maintenance_task", { task_id })).task
      .checklist;
  async function save(id: string, fields: Record<string, string>) {
    const page = await browser.get(`/tasks/${id}`);
    return browser.submitForm(page, fields, { action: `/tasks/${id}/checklist` });
  }

  test("are answered on the task's page, and failures are told at once", async () => {
    const id = await aTask();
    const answer = await save(id, {
      ...{ done: "1", "step-2": "7.25", "step-3": "fail", "step-4": "Worn" },
      ...{ "step-5": "Looks old", "step-7": "Olga Owner" },
    });
    expect(answer.statusCode).toBe(303);
    const shown = await browser.get(`/tasks/${id}`);
    for (const text of ["Pump is now out of service.<ul>", "Undo"]) {
      expect(shown.body).toContain(text);
    }
    const [, list = ""] = /role="status">[^<]*<ul>(.*?)<\/ul>/s.exec(shown.body) ?? [];
    expect(list.split("</li>")).toMatchObject([
      expect.stringContaining("7.25 bar is above the limit."),
      expect.stringMatching(/T-\d+ added/),
      expect.stringContaining("Step 3 failed"),
      "",
    ]);
    expect(shown.body).toMatch(/Above the limit[^]*Task T-\d+/);
    expect(await stepsOf(id)).toMatchObject([
      { done: true },
      { answer: "7.25", failed: true },
      { answer: "fail", failed: true },
      { answer: "Worn" },
      { answer: "Looks old" },
      { done: false },
      { answer: "Olga Owner" },
    ]);

    await save(id, { "step-2": "−1.5", "step-5": "" });
    expect(await stepsOf(id)).toMatchObject({
      ...{ 1: { answer: "-1.5" }, 4: { done: false }, 3: { answer: "Worn" } },
    });
  });

  test("a wrong number or a missing answer comes back with what was typed", async () => {
    const id = await aTask();
    const wrong = await save(id, { done: "1", "step-2": "high", "step-5": "Typed remark" });
    expect(wrong.statusCode).toBe(400);
    expect(wrong.body).toContain("must be a number like 7.5");
    expect(wrong.body).toContain("Typed remark");
    expect(wrong.body).toMatch(/id="done-1"[^>]*checked/);

    const page = await browser.get(`/tasks/${id}/complete`);
    const refused = await browser.submitForm(page, {
      ...{ completion_notes: "All fine", "step-2": "3" },
    });
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toMatch(/required step is open: 7/);
    expect(refused.body).toContain('href="#step-7"');
    expect(refused.body).toContain("All fine");
    expect(refused.body).toMatch(/id="step-2"[^>]*value="3"/);

    const done = await browser.submitForm(refused, {
      ...{ completion_notes: "All fine", "step-2": "3", "step-7": "Olga Owner" },
    });
    expect(done.statusCode).toBe(303);
    const shown = (await browser.get(`/tasks/${id}`)).body;
    expect(shown).toContain("Olga Owner");
    expect(shown).toMatch(/Oil pressure<\/bdi> <strong dir="auto">3 bar/);
  });

  test("a failed step's rule overrules the answer that the asset can be used, and says so", async () => {
    const checklist = [{ label: "Guard in place", kind: "pass_fail", out_of_service: true }];
    const complete = async (id: string, fields: Record<string, string>) => {
      await browser.submitForm(await browser.get(`/tasks/${id}/complete`), fields);
      return (await browser.get(`/tasks/${id}`)).body;
    };
    const overruled = /out of service because step 1, \S*Guard in place\S*, failed, although/;
    const id = await aTask({ checklist });
    expect(await complete(id, { "step-1": "fail", asset_state: "same" })).toMatch(overruled);

    const { task } = await owner.ok<{ task: Json }>("get_maintenance_task", { task_id: id });
    const stateOf = async () =>
      (await owner.ok<{ asset: Json }>("get_asset", { asset_id: task["asset_id"] })).asset["state"];
    expect(await stateOf()).toBe("out_of_service");
    const more = { asset_id: task["asset_id"] };
    const again = await aTask({ checklist, ...more });
    const shown = await complete(again, { "step-1": "fail", asset_state: "available" });
    expect(shown).toMatch(overruled);
    expect(shown).not.toContain("still out of service");
    expect(await stateOf()).toBe("out_of_service");

    const repaired = await aTask({ checklist, ...more });
    const last = await complete(repaired, { "step-1": "pass", asset_state: "available" });
    expect(last).not.toMatch(overruled);
    expect(await stateOf()).toBe("available");
  });

  browserTest("switch the answer that the asset can be used, while they fail", async () => {
    const limit = { label: "Pressure", kind: "number", max: 6, out_of_service: true };
    const id = await aTask({ checklist: [...steps.slice(2, 3), limit] });
    const { page, complaints, close } = await openPage(chromium(), current(), owner.member);
    await page.goto(`/tasks/${id}/complete`);
    const usable = page.getByRole("group", { name: "Can Pump still be used?" });
    const [yes, no] = [usable.getByLabel("Yes"), usable.getByLabel("No")];
    const seen = async () => [
      ...[await yes.isChecked(), await yes.isDisabled(), await no.isChecked()],
      await usable.getByRole("status").textContent(),
    ];
    expect(await seen()).toEqual([true, false, false, ""]);
    await page.getByLabel("Fail").check();
    const told = (label: string) => `Out of service while the step "${label}" fails.`;
    expect(await seen()).toEqual([false, true, true, told("Guard in place")]);
    await page.getByLabel("Pressure").fill("7,5");
    await page.getByLabel("Pass").check();
    expect(await seen()).toEqual([false, true, true, told("Pressure")]);
    await page.getByLabel("Pressure").fill("5");
    await page.getByLabel("Pressure").blur();
    expect(await seen()).toEqual([true, false, false, ""]);
    expect(complaints).toEqual([]);
    await close();
  });

  test("are defined with kinds, limits and rules, and keep answers", async () => {
    const id = await aTask({ checklist: ["Open it", "Close it"] });
    await owner.ok("update_maintenance_task", { task_id: id, checklist_tick: [1] });
    const page = await browser.get(`/tasks/${id}/steps`);
    const wrong = await browser.submitForm(page, {
      ...{ "label-3": "Belt", "kind-3": "choice", "options-3": "Good" },
    });
    expect(wrong.statusCode).toBe(400);
    expect(wrong.body).toContain("Enter at least two options.");

    const saved = await browser.submitForm(page, {
      ...{ "label-1": "Open it", "kind-1": "check", "label-2": "" },
      ...{ "label-3": "Belt", "kind-3": "choice", "options-3": "Good\r\nWorn", "unit-3": "bar" },
      ...{ "label-4": "Oil", "kind-4": "number", "unit-4": "bar", "min-4": "-1", "max-4": "2.5" },
      ...{ "required-4": "yes", "follow_up-4": "Mend pump", "position-4": "1" },
    });
    expect(saved.statusCode).toBe(303);
    expect(await stepsOf(id)).toMatchObject([
      { label: "Open it", done: true },
      {
        ...{ label: "Oil", kind: "number", unit: "bar", min: -1, max: 2.5, required: true },
        ...{ follow_up: "Mend pump", follow_up_priority: "high" },
      },
      { label: "Belt", kind: "choice", options: ["Good", "Worn"] },
    ]);
  });

  test("a photo is kept as the answer, even if the form is refused", async () => {
    const id = await aTask();
    const page = await browser.get(`/tasks/${id}`);
    const files = [{ field: "photo-6", name: "plate.jpg", content: await aPhoto() }];
    const action = `/tasks/${id}/checklist`;
    const refused = await browser.sendFiles(page, action, files, { "step-2": "high" });
    expect(refused.statusCode).toBe(400);
    const [, kept] = /name="step-6" value="(fil_[^"]+)"/.exec(refused.body) ?? [];
    expect(kept).toBeDefined();

    await browser.submitForm(refused, { "step-2": "3", "step-6": String(kept) }, { action });
    expect(await stepsOf(id)).toMatchObject({ 5: { kind: "photo", answer: kept, done: true } });
    const count = async () => {
      const pdf = (await browser.get(`/tasks/${id}/record.pdf`)).rawPayload.toString("latin1");
      return pdf.split("/Subtype /Image").length - 1;
    };
    expect(await count()).toBe(1);
    const other = { field: "file", name: "after.jpg", content: await aPhoto() };
    const shown = await browser.get(`/tasks/${id}`);
    await browser.sendFiles(shown, `/tasks/${id}/files`, [other], { moment: "after" });
    expect(await count()).toBe(2);
    const remove = await browser.get(`/files/${String(kept)}/delete`);
    await browser.submitForm(remove, {});
    expect(await stepsOf(id)).toMatchObject({ 5: { done: false } });
  });

  test("a renamed step keeps its answer, and its rules don't apply again", async () => {
    const id = await aTask();
    await owner.ok("update_maintenance_task", {
      ...{ task_id: id, checklist_tick: [1], checklist_answers: { 2: 9, 5: "Old" } },
    });
    const [, before] = await stepsOf(id);

    const page = await browser.get(`/tasks/${id}/steps`);
    const saved = await browser.submitForm(page, {
      ...{ "label-1": "Clean the housing", "kind-1": "check", "position-1": "2" },
      ...{ "label-2": "Pressure of the oil", "kind-2": "number", "unit-2": "bar", "max-2": "6" },
      ...{ "follow_up-2": "Mend pump", "follow_up_priority-2": "high", "position-2": "1" },
      ...{ "label-5": "Remarks", "kind-5": "check", "label-8": "Oil pressure" },
    });
    expect(saved.statusCode).toBe(303);

    const steps = await stepsOf(id);
    expect(steps).toMatchObject([
      { label: "Pressure of the oil", answer: "9", follow_up_task: before?.["follow_up_task"] },
      { label: "Clean the housing", done: true },
      { label: "Remarks", done: false },
      { label: "Oil pressure", done: false },
    ]);
    const found = await owner.ok<{ tasks: Json[] }>("list_maintenance_tasks", {
      query: "Mend pump",
    });
    const follows = found.tasks.filter(
      ({ task_number: number }) => number === before?.["follow_up_task"],
    );
    expect(follows).toHaveLength(1);

    const undo = await browser.get(`/tasks/${id}`);
    const [, action = ""] = /action="(\/changes\/\w+\/undo)"/.exec(undo.body) ?? [];
    await browser.submitForm(undo, {}, { action });
    expect((await stepsOf(id))[1]).toMatchObject({ label: "Oil pressure", answer: "9" });
  });

  browserTest(
    "pass the checks of pages",
    async () => {
      const id = await aTask();
      const answers = { 2: 9, 3: "fail" };
      await owner.ok("update_maintenance_task", { task_id: id, checklist_answers: answers });
      for (const view of views) {
        const opened = await openPage(chromium(), current(), owner.member, view);
        const addresses = ["", "/complete", "/steps"].map((end) => `/tasks/${id}${end}`);
        expect(await sweep(opened, addresses)).toEqual({});
        await opened.close();
      }
    },
    240_000,
  );
});
