// @module-tag embedded

import { beforeAll, describe, expect, test } from "vitest";
import { useServer } from "../../support/app.js";
import { press, type TestBrowser } from "../../support/browser.js";
import { updateTask } from "../../../server/src/domain/tasks/task-updates.js";
import { aMember, type Member } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { openPage, sweep, views } from "../../support/pages.js";
import { aPhoto } from "../../support/pictures.js";
import { createReplay } from "../../support/replay.js";
import { daysFromNow } from "../../support/tasks.js";

describe("task work", () => {
  const current = useServer();
  const chromium = useChromium();
  let owner: Connected;
  let browser: TestBrowser;
  let asset: { id: string };

  const taskOf = async (id: string) =>
    (await owner.ok<{ task: Json }>("get_maintenance_task", { task_id: id })).task;
  const aNewTask = async (fields: Json = {}) =>
    (
      await owner.ok<{ task: { id: string; task_number: string } }>("create_maintenance_task", {
        ...{ asset_id: asset.id, title: "Replace the seal", ...fields },
      })
    ).task;
  const pressState = async (id: string, state: string) => {
    const page = await browser.get(`/tasks/${id}`);
    const action = `/tasks/${id}/state`;
    return { page, answer: await browser.submitForm(page, { state }, { action }) };
  };

  beforeAll(async () => {
    owner = await connect(current());
    browser = await signIn(current().app, owner.member);
    await owner.ok("create_workspace", { name: "Lab" });
    ({ asset } = await owner.ok<{ asset: typeof asset }>("create_asset", {
      ...{ name: "Pump", workspace_id: "Lab" },
    }));
  });

  test("photos are from before the work until it starts, and then from after it", async () => {
    const { id } = await aNewTask();
    const preset = (page: { body: string }) =>
      /name="moment" value="(\w+)" checked/.exec(page.body)?.[1];
    const add = async (path: string, moment: string, name: string) => {
      const page = await browser.get(`/tasks/${id}`);
      const photo = { field: "file", name, content: await aPhoto() };
      const text = { field: "file", name: "notes.txt", content: "Oil", type: "text/plain" };
      return browser.sendFiles(page, `/tasks/${id}/${path}`, [photo, text], { moment });
    };
    expect(preset(await browser.get(`/tasks/${id}`))).toBe("before");
    expect(preset(await browser.get(`/tasks/${id}/complete`))).toBe("after");
    expect((await add("files", "before", "worn.jpg")).statusCode).toBe(303);
    await pressState(id, "in_progress");
    expect(preset(await browser.get(`/tasks/${id}`))).toBe("after");
    expect((await add("files", "after", "new.jpg")).statusCode).toBe(303);
    expect((await add("files", "never", "odd.jpg")).statusCode).toBe(400);

    const page = (await browser.get(`/tasks/${id}`)).body;
    expect(page).toMatch(
      /alt="new.jpg".{1,120}<strong>After<.*alt="worn.jpg".{1,120}<strong>Before</s,
    );
    const { files } = await owner.ok<{ files: Json[] }>("get_maintenance_task", { task_id: id });
    const told = files.map(({ name, moment }) => [name, moment]);
    expect(told.filter(([, moment]) => moment !== undefined)).toEqual([
      ["new.jpg", "after"],
      ["worn.jpg", "before"],
    ]);
    expect(files).toHaveLength(4);
  });

  test("buttons start, hold, reset and reopen a task; pressing twice ends on the task", async () => {
    const { id } = await aNewTask({ requires_downtime: true });
    const { page, answer } = await pressState(id, "in_progress");
    expect(answer.statusCode).toBe(303);
    const twice = await browser.submitForm(
      page,
      { state: "in_progress" },
      { action: `/tasks/${id}/state` },
    );
    expect([twice.statusCode, twice.headers.location]).toEqual([303, `/tasks/${id}`]);
    const shown = await browser.get(`/tasks/${id}`);
    expect(shown.body).toContain("Pump is now in maintenance.");
    const hold = await browser.get(`/tasks/${id}/hold`);
    expect((await browser.submitForm(hold, {})).statusCode).toBe(303);
    expect(await taskOf(id)).toMatchObject({ state: "on_hold" });
    for (const state of ["in_progress", "scheduled"]) {
      expect((await pressState(id, state)).answer.statusCode).toBe(303);
      expect(await taskOf(id)).toMatchObject({ state });
    }
    await owner.ok("update_maintenance_task", { task_id: id, state: "completed" });
    expect((await browser.get(`/tasks/${id}`)).body).toContain("Reopen");
    expect((await pressState(id, "on_hold")).answer.statusCode).toBe(400);
    expect((await pressState(id, "in_progress")).answer.statusCode).toBe(303);
    expect((await pressState(id, "completed")).answer.statusCode).toBe(400);
    // Restores the pump for the other tests.
    await owner.ok("update_maintenance_task", { task_id: id, state: "completed" });
  });

  test("checks and unchecks the checklist, and an outdated list names the other person", async () => {
    const { id } = await aNewTask({ checklist: ["Open it", "Close it"] });
    const action = `/tasks/${id}/checklist`;
    const page = await browser.get(`/tasks/${id}`);
    expect((await browser.submitForm(page, { done: ["1", "2"] }, { action })).statusCode).toBe(303);
    expect((await browser.submitForm(page, { done: ["1", "2"] }, { action })).statusCode).toBe(303);
    const stale = await browser.submitForm(page, { done: "1" }, { action });
    expect(stale.statusCode).toBe(400);
    expect(stale.body).toContain(`${owner.member.name} changed “Checklist”`);
    const cleared = await browser.submitForm(await browser.get(`/tasks/${id}`), {}, { action });
    expect(cleared.statusCode).toBe(303);
    expect(await taskOf(id)).toMatchObject({ checklist: [{ done: false }, { done: false }] });
    const odd = await browser.submitForm(
      await browser.get(`/tasks/${id}`),
      { done: "99" },
      { action },
    );
    expect(odd.statusCode).toBe(400);
  });

  test("completing records the work and names the next task, once for two submissions", async () => {
    const { id, task_number } = await aNewTask({
      ...{ type: "corrective", due_date: daysFromNow(1), checklist: ["Open it"] },
      ...{ requires_downtime: true, recurrence: { every: 1, unit: "month" } },
    });
    await pressState(id, "in_progress");
    const page = await browser.get(`/tasks/${id}/complete`);
    expect(page.body).toContain("Costs in USD");
    const fields = {
      ...{ done: "1", completion_notes: "<b>Worn</b>", activity: "replace", failure_cause: "wear" },
      ...{ actual_minutes: "90", downtime_minutes: "30", labor_cost: "80,50", parts_cost: "12" },
    };
    const answer = await browser.submitForm(page, fields);
    expect(answer.statusCode).toBe(303);
    expect((await browser.submitForm(page, fields)).statusCode).toBe(303);

    const shown = (await browser.get(`/tasks/${id}`)).body;
    expect(shown).toContain(`${task_number} completed. Pump is now available. Repeats as T-`);
    expect(shown).toMatch(/<a href="\/tasks\/tsk_\w+">Open T-\d+<\/a>/);
    expect(shown).toContain("&lt;b>Worn&lt;/b>");
    expect(await taskOf(id)).toMatchObject({
      ...{ state: "completed", actual_minutes: 90, downtime_minutes: 30, total_cost: 92.5 },
      ...{ activity: "replace", failure_cause: "wear", checklist: [{ done: true }] },
    });
    const { tasks } = await owner.ok<{ tasks: Json[] }>("list_maintenance_tasks", {
      ...{ state: "open", asset_id: asset.id, due_from: daysFromNow(20) },
    });
    expect(tasks).toHaveLength(1);

    const record = await browser.get(`/tasks/${id}/complete`);
    const emptied = await browser.submitForm(record, { ...fields, labor_cost: "" });
    expect(emptied.body).toContain("Labor cost is already set. Enter 0 if there was none.");
    await browser.submitForm(record, { ...fields, labor_cost: "0" });
    expect(await taskOf(id)).toMatchObject({ total_cost: 12 });
  });

  test("shows errors of a record at their field, and changes since an outdated record", async () => {
    const { id } = await aNewTask();
    const page = await browser.get(`/tasks/${id}/complete`);
    const wrong = await browser.submitForm(page, {
      ...{
        actual_minutes: "-1",
        labor_cost: "1 00",
        completed_at: "yesterday",
        activity: "magic",
      },
    });
    expect(wrong.statusCode).toBe(400);
    for (const field of ["actual_minutes", "labor_cost", "completed_at", "activity"]) {
      expect(wrong.body).toContain(`href="#${field}"`);
    }
    for (const text of ["\u0000", "x".repeat(20_000), "\u202E"]) {
      expect((await browser.submitForm(page, { completion_notes: text })).statusCode).toBe(400);
    }
    const ahead = await browser.submitForm(page, { completed_at: `${daysFromNow(2)}T10:00` });
    expect(ahead.body).toContain("must not be in the future");
    await owner.ok("update_maintenance_task", { task_id: id, priority: "urgent" });
    const stale = await browser.submitForm(page, { completion_notes: "Mine" });
    expect(stale.statusCode).toBe(400);
    expect(stale.body).toContain(`${owner.member.name} changed “Priority”`);
    const again = await browser.submitForm(stale, {
      completion_notes: "Mine",
      completed_at: "2026-01-02T10:00",
    });
    expect(again.statusCode).toBe(303);
    expect(await taskOf(id)).toMatchObject({ completed_at: "2026-01-02T10:00:00Z" });
  });

  test("keeps the photos and the text of a refused record, and adds photos once", async () => {
    const { id } = await aNewTask();
    const address = `/tasks/${id}/complete`;
    const filesOf = async () => {
      const { files = [] } = await owner.ok<{ files?: { name: string }[] }>(
        "get_maintenance_task",
        { task_id: id },
      );
      return files.map(({ name }) => name);
    };
    const page = await browser.get(address);
    const photo = { name: "seal.jpg", content: await aPhoto() };
    const fields = { completion_notes: "Seal worn", actual_minutes: "soon" };

    const wrong = await browser.sendFiles(page, address, [photo], fields);
    expect(wrong.statusCode).toBe(400);
    expect(wrong.body).toContain('href="#actual_minutes"');
    expect(wrong.body).toContain("enter minutes (90) or hours (1:30), up to 365 days.");
    expect(wrong.body).toContain("Seal worn</textarea>");
    expect(wrong.body).toContain("The task has 1 photo.");
    expect(await filesOf()).toEqual(["seal.jpg"]);
    expect((await browser.sendFiles(page, address, [photo], fields)).statusCode).toBe(400);
    expect(await filesOf()).toEqual(["seal.jpg"]);

    const text = { name: "page.html", content: "<p>" };
    const bad = await browser.sendFiles(wrong, address, [text], { completion_notes: "Seal worn" });
    expect(bad.statusCode).toBe(400);
    expect(bad.body).toContain('href="#file"');
    expect(bad.body).toContain("Seal worn</textarea>");
    expect(await taskOf(id)).toMatchObject({ state: "scheduled" });

    const long = "\u{1F600}".repeat(10_000);
    const second = { name: "new.jpg", content: await aPhoto() };
    const done = await browser.sendFiles(bad, address, [second], { completion_notes: long });
    expect(done.statusCode).toBe(303);
    expect(await taskOf(id)).toMatchObject({ state: "completed", completion_notes: long });
    expect((await filesOf()).toSorted()).toEqual(["new.jpg", "seal.jpg"]);
  });

  test("fills in the time in progress of the person who started the work", async () => {
    const { db } = current();
    const prefilled = async (id: string) => {
      const { body } = await browser.get(`/tasks/${id}/complete`);
      const isTold = body.includes("Time since you started work");
      return [/name="actual_minutes"[^>]* value="([^"]*)"/.exec(body)?.[1] ?? "", isTold];
    };
    const began = async (minutes: number, by: Member = owner.member) => {
      const { id } = await aNewTask();
      await createReplay(db, by)(new Date(Date.now() - minutes * 60_000), (tx, caller) =>
        updateTask(tx, caller, id, { state: "in_progress" }),
      );
      return id;
    };
    const own = await began(50);
    const other = await aMember(db, { organization: owner.member.organization, role: "admin" });

    expect(await prefilled(own)).toEqual(["50", true]);
    expect(await prefilled(await began(13 * 60))).toEqual(["", false]);
    expect(await prefilled(await began(50, other))).toEqual(["", false]);
    expect(await prefilled((await aNewTask()).id)).toEqual(["", false]);

    await createReplay(db, owner.member)(new Date(Date.now() - 20 * 60_000), (tx, caller) =>
      updateTask(tx, caller, own, { state: "on_hold" }),
    );
    expect(await prefilled(own)).toEqual(["30", true]);
    await pressState(own, "in_progress");
    expect(await prefilled(own)).toEqual(["30", true]);
    await owner.ok("update_maintenance_task", { task_id: own, actual_minutes: 45 });
    expect(await prefilled(own)).toEqual(["45", false]);
  });

  test("takes the asset out of service or back, as the completed form says", async () => {
    const stateOf = async () =>
      (await owner.ok<{ asset: { state: string } }>("get_asset", { asset_id: asset.id })).asset
        .state;
    const complete = async (fields: Record<string, string>) => {
      const { id } = await aNewTask();
      const page = await browser.get(`/tasks/${id}/complete`);
      return browser.submitForm(page, fields);
    };
    const broken = await complete({ asset_state: "out_of_service" });
    expect(broken.statusCode).toBe(303);
    expect(await stateOf()).toBe("out_of_service");
    const page = await browser.get(`/tasks/${(await aNewTask()).id}/complete`);
    expect(page.body).toContain("Can Pump be used again?");
    await complete({ asset_state: "same" });
    expect(await stateOf()).toBe("out_of_service");

    const repaired = await complete({ asset_state: "available" });
    const shown = await browser.get(String(repaired.headers.location));
    expect(shown.body).toContain("Pump is now available.");
    await press(browser, shown, "Undo");
    expect(await stateOf()).toBe("out_of_service");
    await owner.ok("update_asset_state", { asset_id: asset.id, state: "available" });
  });

  test("leads from a completed task to the next own one, in the same place first", async () => {
    const { app, db } = current();
    const { organization } = owner.member;
    const place = { organization, role: "member", workspace: "Lab" } as const;
    const worker = await aMember(db, place);
    const hands = await signIn(app, worker);
    const mine = (title: string, days: number, more: Json = {}) =>
      aNewTask({
        ...{ title, due_date: daysFromNow(days), assigned_to_user_id: worker.userId, ...more },
      });
    const first = await mine("Drain", 0);
    const second = await mine("Fill", 3);
    const third = await mine("Turn <b>", 0);
    const complete = async ({ id }: { id: string }) => {
      await hands.submitForm(await hands.get(`/tasks/${id}/complete`), {});
      return (await hands.get(`/tasks/${id}`)).body;
    };

    expect(await complete(first)).toContain(`href="/tasks/${third.id}">Next: Turn &lt;b></a>`);
    expect(await complete(third)).toContain(`href="/tasks/${second.id}">Next: Fill</a>`);
    expect(await complete(second)).not.toContain("Next: ");
  });

  test("canceling skips an occurrence with its reason, or stops the recurrence too", async () => {
    const repeating = { due_date: daysFromNow(40), recurrence: { every: 1, unit: "week" } };
    const { id } = await aNewTask(repeating);
    const page = await browser.get(`/tasks/${id}/cancel`);
    expect(page.body).toContain("The next one will be created");
    const tooLong = await browser.submitForm(page, { note: "x".repeat(1001) });
    expect(tooLong.body).toContain('href="#note"');
    const answer = await browser.submitForm(page, { note: "<i>Not required</i>" });
    expect(answer.statusCode).toBe(303);
    expect((await browser.submitForm(page, { note: "Again" })).statusCode).toBe(303);
    const shown = (await browser.get(`/tasks/${id}`)).body;
    expect(shown).toContain("&lt;i>Not required&lt;/i>");
    expect(shown).toContain("Repeats as T-");

    const other = await aNewTask(repeating);
    await browser.submitForm(await browser.get(`/tasks/${other.id}/cancel`), {
      stop_repeating: "yes",
    });
    expect(await taskOf(other.id)).toMatchObject({ state: "cancelled" });
    expect((await browser.get(`/tasks/${other.id}`)).body).not.toContain("Repeats as");
  });

  test("viewers can't change tasks, others find nothing, members can change them", async () => {
    const { app, db } = current();
    const { organization } = owner.member;
    const { id } = await aNewTask({ checklist: ["Open it"] });
    const place = { organization, role: "member", workspace: "Lab" } as const;
    const viewer = await signIn(app, await aMember(db, { ...place, workspaceRole: "viewer" }));
    const member = await signIn(app, await aMember(db, { ...place, workspaceRole: "member" }));
    const stranger = await signIn(app, await aMember(db));
    for (const [who, status] of [
      [viewer, 403],
      [stranger, 404],
    ] as const) {
      const [, token = ""] =
        /name="_csrf" value="([^"]*)"/.exec((await who.get("/tasks")).body) ?? [];
      for (const part of ["state", "checklist", "complete", "cancel"]) {
        const fields = { _csrf: token, state: "in_progress", done: "1" };
        expect((await who.post(`/tasks/${id}/${part}`, fields)).statusCode, part).toBe(status);
      }
    }
    expect(await taskOf(id)).toMatchObject({ state: "scheduled", version: 1 });
    const answer = await member.submitForm(await member.get(`/tasks/${id}/complete`), {});
    expect(answer.statusCode).toBe(303);
  });

  browserTest("completes a task by keyboard alone, with and without scripts", async () => {
    for (const view of views.slice(0, 2)) {
      const { id } = await aNewTask({ checklist: ["Open it"] });
      const opened = await openPage(chromium(), current(), owner.member, view);
      const { page } = opened;
      const tabTo = async (target: string) => {
        for (let steps = 0; steps < 60; steps += 1) {
          if ((await page.locator(`${target}:focus`).count()) > 0) return;
          await page.keyboard.press("Tab");
        }
        throw new Error(`The keyboard does not reach ${target}.`);
      };
      await page.goto(`/tasks/${id}`);
      await tabTo(`a[href$="/complete"]`);
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/complete$/);
      await tabTo("#done-1");
      await page.keyboard.press("Space");
      await tabTo("#completion_notes");
      await page.keyboard.type("Done by keys.");
      await tabTo("main form [type=submit]");
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/tasks\/tsk_\w+$/);
      expect(await page.getByRole("status").innerText()).toContain("completed");
      expect(await taskOf(id)).toMatchObject({
        ...{ state: "completed", completion_notes: "Done by keys.", checklist: [{ done: true }] },
      });
      expect(opened.complaints).toEqual([]);
      await opened.close();
    }
  });

  browserTest("changes the time spent by buttons, in steps of five minutes", async () => {
    const { id } = await aNewTask();
    const { page, close } = await openPage(chromium(), current(), owner.member, views[0]);
    await page.goto(`/tasks/${id}/complete`);
    const time = page.getByLabel("Time spent");
    const [less, more] = ["5 minutes less", "5 minutes more"].map((name) =>
      page.getByRole("button", { name }),
    );
    const seen: string[] = [];
    for (const [typed, button] of [
      ["", more],
      ["1:32", more],
      ["32", less],
      ["3", less],
      ["1h30", more],
      ["1 h 30 min", less],
      ["soon", more],
    ] as const) {
      await time.fill(typed);
      await button?.click();
      seen.push(await time.inputValue());
    }
    expect(seen).toEqual(["5", "95", "30", "0", "95", "85", "soon"]);
    await close();
  });

  browserTest(
    "completing and canceling pass in dark mode on a phone, with the reason stored",
    async () => {
      const { id, task_number } = await aNewTask({
        ...{ checklist: ["Open it"], due_date: daysFromNow(20) },
        recurrence: { every: 1, unit: "month" },
      });
      const opened = await openPage(chromium(), current(), owner.member, views[0]);
      const { page } = opened;
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await sweep(opened, [`/tasks/${id}/complete`, `/tasks/${id}/cancel`])).toEqual({});
      await page.getByRole("link", { name: "Keep task" }).click();
      await page.locator("main .menu > button", { hasText: "More" }).click();
      await page.getByRole("link", { name: "Cancel task" }).click();
      await page.getByLabel("Reason").fill("The pump is sold.");
      await page.getByLabel("Stop repeating too").check();
      await page.getByRole("button", { name: "Cancel task" }).click();
      await page.waitForURL(/\/tasks\/tsk_\w+$/);

      expect(await page.getByRole("status").innerText()).toContain(`${task_number} cancelled.`);
      expect(await page.getByRole("region", { name: "History" }).innerText()).toContain(
        "The pump is sold.",
      );
      expect(await taskOf(id)).toMatchObject({ state: "cancelled" });
      await opened.close();
    },
  );
});
