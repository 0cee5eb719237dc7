import { beforeAll, describe, expect, test } from "vitest";
import { useServer } from "../../support/app.js";
import type { TestBrowser } from "../../support/browser.js";
import { aMember } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { findProblems, openPage, views } from "../../support/pages.js";
import { daysFromNow } from "../../support/tasks.js";

const hostile = `<img src=x onerror=alert(1)> "&" ${"unbroken".repeat(15)}`;
const escaped = "&lt;img src=x onerror=alert(1)>";
const base = { priority: "medium", unit: "month", anchor: "due_date" };

describe("task forms", () => {
  const current = useServer();
  const chromium = useChromium();
  let owner: Connected;
  let browser: TestBrowser;
  let asset: { id: string; inventory_number: string };
  let lab: string;

  const taskOf = async (id: string) =>
    (await owner.ok<{ task: Json }>("get_maintenance_task", { task_id: id })).task;
  const aNewTask = async (fields: Json = {}) =>
    (
      await owner.ok<{ task: { id: string; task_number: string } }>("create_maintenance_task", {
        asset_id: asset.id,
        title: "Replace the seal",
        ...fields,
      })
    ).task;
  const idIn = (answer: { headers: { location?: unknown } }) =>
    String(answer.headers.location).replace("/tasks/", "");

  beforeAll(async () => {
    owner = await connect(current());
    browser = await signIn(current().app, owner.member);
    ({
      workspace: { id: lab },
    } = await owner.ok<{ workspace: { id: string } }>("create_workspace", { name: "Lab" }));
    ({ asset } = await owner.ok<{ asset: typeof asset }>("create_asset", {
      name: "Pump",
      workspace_id: lab,
    }));
  });

  test("adds a task for an asset with all entered values", async () => {
    const page = await browser.get(`/tasks/new?asset=${asset.inventory_number}`);
    expect(page.body).toContain("Pump");
    expect(page.body).toContain('<a href="/tasks" dir="auto">Tasks</a>');
    const site = (await browser.get("/tasks/new")).body;
    expect(site).toMatch(/<label for="asset_id">Asset<\/label>/);
    expect(site).toMatch(/<label for="workspace_id">Workspace<\/label>/);
    const answer = await browser.submitForm(page, {
      ...base,
      title: "  Grease it ",
      description: "First line\r\nSecond line",
      type: "inspection",
      priority: "high",
      due_date: "2090-11-14",
      assigned_to_user_id: owner.member.userId,
      estimated_minutes: "45",
      requires_downtime: "yes",
      checklist: "Open it\r\n\r\nClose it\r\n",
      every: "3",
      on_weekday: "second tuesday",
      ends_on: "2095-01-31",
    });

    expect(answer.statusCode).toBe(303);
    expect(await taskOf(idIn(answer))).toMatchObject({
      title: "Grease it",
      description: "First line\nSecond line",
      asset_id: asset.id,
      type: "inspection",
      priority: "high",
      due_date: "2090-11-14",
      assigned_to_user_id: owner.member.userId,
      estimated_minutes: 45,
      requires_downtime: true,
      checklist: [{ label: "Open it" }, { label: "Close it" }],
      recurrence: { every: 3, on_weekday: "second tuesday", ends_on: "2095-01-31" },
    });
    const shown = await browser.get(String(answer.headers.location));
    expect(shown.body).toMatch(/T-\d+ added\. The next one will be due on/);
    expect(shown.body).toContain("Every 3 months on the second Tuesday, counted from the due date");
  });

  test("leads to the kinds of the steps", async () => {
    const form = await browser.get(`/tasks/new?workspace=${lab}`);
    const given = { ...base, title: "Measure", checklist: "Pressure", edit_steps: "yes" };
    const made = await browser.submitForm(form, given);
    expect(made.headers.location).toMatch(/^\/tasks\/\w+\/steps/);
    const steps = await browser.get(String(made.headers.location));
    expect(steps.body).toContain('value="Pressure"');
  });

  test("adds tasks for a workspace and an asset number, and shows warnings", async () => {
    const place = await browser.submitForm(await browser.get(`/tasks/new?workspace=${lab}`), {
      ...{ ...base, title: "Sweep the floor", due_date: daysFromNow(-1) },
    });
    expect(await taskOf(idIn(place))).toMatchObject({ workspace_id: lab });
    const shown = await browser.get(String(place.headers.location));
    expect(shown.body).toContain("The task is already overdue");

    const page = await browser.get("/tasks/new");
    const typed = await browser.submitForm(page, {
      ...{ ...base, title: "Look at it", asset_id: ` ${asset.inventory_number} ` },
    });
    expect(await taskOf(idIn(typed))).toMatchObject({ asset_id: asset.id });
    for (const site of [{}, { asset_id: asset.id, workspace_id: lab }]) {
      const none = await browser.submitForm(await browser.get("/tasks/new"), {
        ...base,
        title: "Nowhere",
        ...site,
      });
      expect(none.statusCode).toBe(400);
      expect(none.body).toContain('href="#asset_id"');
    }
    const { asset: retired } = await owner.ok<{ asset: { id: string } }>("create_asset", {
      ...{ name: "Scrapped", workspace_id: lab },
    });
    await owner.ok("update_asset_state", { asset_id: retired.id, state: "deleted" });
    const late = await browser.submitForm(await browser.get("/tasks/new"), {
      ...{ ...base, title: "Lost", asset_id: retired.id },
    });
    expect(late.body).toContain(
      "This asset is retired, so it can't get new tasks. Restore it first, or choose another asset.",
    );
    const asTask = await browser.submitForm(await browser.get("/tasks/new"), {
      ...{ ...base, title: "Lost", asset_id: "T-5" },
    });
    expect(asTask.body).toContain(
      "No asset you can see has the number &quot;T-5&quot;. It looks like a task number.",
    );
    const wrong = await browser.submitForm(await browser.get("/tasks/new"), {
      ...base,
      title: "Lost",
      asset_id: "434-999",
    });
    expect(wrong.statusCode).toBe(400);
    expect(wrong.body).toContain('value="434-999"');
  });

  test("a form submitted twice adds one task; another task with its key is refused", async () => {
    const page = await browser.get(`/tasks/new?asset=${asset.id}`);
    const fields = { ...base, title: "Only once" };
    const [first, second] = [
      await browser.submitForm(page, fields),
      await browser.submitForm(page, fields),
    ];
    expect(second.headers.location).toBe(first.headers.location);
    const other = await browser.submitForm(page, { ...base, title: "Something else" });
    expect(other.statusCode).toBe(400);
    expect(other.body).toContain("You already sent this form");
    const third = await browser.submitForm(other, { ...base, title: "Something else" });
    expect(third.headers.location).not.toBe(first.headers.location);
  });

  test("shows errors at their field and keeps all typed text", async () => {
    const page = await browser.get(`/tasks/new?asset=${asset.id}`);
    const answer = await browser.submitForm(page, {
      ...base,
      title: " ",
      description: hostile,
      due_date: "31.12.2026",
      estimated_minutes: "an hour",
      every: "0",
      assigned_to_user_id: "usr_%",
    });
    expect(answer.statusCode).toBe(400);
    for (const field of [
      "title",
      "due_date",
      "estimated_minutes",
      "every",
      "assigned_to_user_id",
    ]) {
      expect(answer.body).toContain(`href="#${field}"`);
    }
    const [summary = ""] = /<div class="error-summary".*?<\/ul>/s.exec(answer.body) ?? [];
    const inPage = (fields: readonly (string | undefined)[]) =>
      fields.toSorted(
        (a, b) => answer.body.indexOf(` id="${a}"`) - answer.body.indexOf(` id="${b}"`),
      );
    const told = [...summary.matchAll(/href="#(\w+)"/g)].map(([, field]) => field);
    expect(told).toEqual(inPage(told));
    expect(answer.body).toContain(escaped);
    expect(answer.body).toContain('value="an hour"');
    const repeated = await browser.submitForm(page, { ...base, title: "Again", every: "2" });
    expect(repeated.body).toContain("“Repeats” needs “Due date”");
    const ended = await browser.submitForm(page, {
      ...{ ...base, title: "Again", every: "2", due_date: "2027-02-01", ends_on: "2027-01-01" },
    });
    expect(ended.body).toContain("“Ends on” 1 Jan 2027 is before “Due date” 1 Feb 2027");
  });

  test.each(["title", "description", "checklist", "asset_id", "request_key", "due_date", "every"])(
    "a hostile or very long %s breaks nothing",
    async (field) => {
      const page = await browser.get(
        field === "asset_id" ? "/tasks/new" : `/tasks/new?asset=${asset.id}`,
      );
      for (const text of [hostile, "\u0000", "x".repeat(20_000), "\u202E", "%00'; DROP TABLE x"]) {
        const answer = await browser.submitForm(page, { ...base, title: "Fine", [field]: text });
        expect([303, 400]).toContain(answer.statusCode);
        expect(answer.body).not.toContain("<img");
        if (answer.statusCode === 303) {
          const shown = await browser.get(String(answer.headers.location));
          expect(shown.statusCode).toBe(200);
          expect(shown.body).not.toContain("<img");
        }
      }
    },
  );

  test("submits only changed fields and clears emptied ones", async () => {
    const { id } = await aNewTask({
      description: "Drain it.",
      due_date: daysFromNow(4),
      estimated_minutes: 20,
      recurrence: { every: 2, unit: "week" },
    });
    const page = await browser.get(`/tasks/${id}/edit`);
    const same = {
      ...{ ...base, title: "Replace the seal", type: "preventive", description: "Drain it." },
      ...{ due_date: daysFromNow(4), estimated_minutes: "20", every: "2", unit: "week" },
    };
    expect((await browser.submitForm(page, same)).statusCode).toBe(303);
    expect(await taskOf(id)).toMatchObject({ version: 1 });

    const forgotten = await browser.submitForm(page, { ...same, every: "" });
    expect(forgotten.body).toContain("select “Stop repeating”");
    const answer = await browser.submitForm(page, {
      ...{ ...same, description: "", estimated_minutes: "", title: "Replace both seals" },
      ...{ every: "", due_date: "", stop_repeating: "yes" },
    });
    expect(answer.statusCode).toBe(303);
    const task = await taskOf(id);
    expect(task).toMatchObject({ title: "Replace both seals", version: 2 });
    for (const field of ["description", "estimated_minutes", "due_date", "recurrence"]) {
      expect(task[field] ?? null).toBeNull();
    }
  });

  test("an outdated form names the person and the change, and can be submitted again", async () => {
    const { id } = await aNewTask();
    const fields = { ...base, title: "Mine", type: "preventive" };
    const page = await browser.get(`/tasks/${id}/edit`);
    await owner.ok("update_maintenance_task", { task_id: id, priority: "urgent" });

    const stale = await browser.submitForm(page, fields);
    expect(stale.statusCode).toBe(400);
    expect(stale.body).toContain(`${owner.member.name} changed “Priority”`);
    expect(stale.body).toContain('value="Mine"');
    expect(stale.body).toContain("current");
    expect(stale.body).toContain("<strong>Priority</strong> is now: <bdi>Urgent</bdi>");
    const again = await browser.submitForm(stale, fields);
    expect(again.statusCode).toBe(303);
    expect(await taskOf(id)).toMatchObject({ title: "Mine", priority: "medium" });
    // Submitting the form again changes nothing.
    expect((await browser.submitForm(stale, fields)).statusCode).toBe(303);
  });

  test("viewers get a refusal with a person to ask, and others find nothing", async () => {
    const { app, db } = current();
    const { organization } = owner.member;
    const { id } = await aNewTask();
    const form = await browser.get(`/tasks/${id}/edit`);
    const viewer = await signIn(
      app,
      await aMember(db, {
        organization,
        role: "member",
        workspace: "Lab",
        workspaceRole: "viewer",
      }),
    );
    const member = await signIn(
      app,
      await aMember(db, {
        organization,
        role: "member",
        workspace: "Lab",
        workspaceRole: "member",
      }),
    );
    const stranger = await signIn(app, await aMember(db));

    const seen = await viewer.get(`/tasks/${id}`);
    expect(seen.statusCode).toBe(200);
    expect(seen.body).not.toContain("/edit");
    expect(seen.body).not.toContain("Start work");
    for (const address of [`/tasks/${id}/edit`, `/tasks/new?asset=${asset.id}`]) {
      const refused = await viewer.get(address);
      expect(refused.statusCode).toBe(403);
      expect(refused.body).toContain("Ask an organization admin");
      expect((await member.get(address)).statusCode).toBe(200);
      expect((await stranger.get(address)).statusCode).toBe(404);
    }
    const [, token = ""] = /name="_csrf" value="([^"]*)"/.exec(seen.body) ?? [];
    const fields = { ...base, _csrf: token, title: "Theirs", type: "preventive" };
    const nowhere = await viewer.get("/tasks/new");
    expect(nowhere.statusCode).toBe(403);
    expect(nowhere.body).toMatch(
      /You can view this workspace but not add tasks\. Ask an organization admin: &quot;/,
    );
    expect((await viewer.get("/assets/new")).body).toContain("but not add assets");
    expect((await viewer.get("/rounds/new")).body).toContain("but not do rounds");
    const place = { organization, role: "member", workspace: "Lab" } as const;
    await aMember(db, { ...place, workspaceRole: "admin", name: "Wim Admin" });
    expect((await viewer.get("/tasks/new")).body).toContain(
      "Ask a workspace admin: &quot;Wim Admin&quot;.",
    );
    const apart = await signIn(app, await aMember(db, { organization, role: "member" }));
    expect((await apart.get("/tasks/new")).body).toContain("because you're in no workspace");
    expect((await member.get("/tasks/new")).statusCode).toBe(200);
    const unknown = await member.get("/tasks/T-9999");
    expect(unknown.statusCode).toBe(404);
    expect(unknown.body).not.toMatch(/list[_ ]maintenance[_ ]tasks/);
    expect((await viewer.post(`/tasks/${id}/edit`, fields)).statusCode).toBe(403);
    expect((await viewer.post(`/tasks/new?asset=${asset.id}`, fields)).statusCode).toBe(403);
    const unproved = await browser.submitForm(form, { ...fields, _csrf: "x" });
    expect(unproved.statusCode).toBe(403);
    expect(unproved.body).toContain(`href="/tasks/${id}/edit"`);
    const foreign = await stranger.get("/tasks/new");
    const [, own = ""] = /name="_csrf" value="([^"]*)"/.exec(foreign.body) ?? [];
    expect((await stranger.post(`/tasks/${id}/edit`, { ...fields, _csrf: own })).statusCode).toBe(
      404,
    );
    expect(await taskOf(id)).toMatchObject({ title: "Replace the seal" });
    const mine = await member.submitForm(await member.get(`/tasks/${id}/edit`), {
      ...{ ...base, title: "By a member", type: "preventive" },
    });
    expect(mine.statusCode).toBe(303);
  });

  browserTest("adds and changes a task in every view", async () => {
    for (const view of views) {
      const opened = await openPage(chromium(), current(), owner.member, view);
      const { page } = opened;
      await page.goto("/tasks/new");
      await page.getByLabel("Title").fill(hostile);
      await page.getByRole("button", { name: "Add task" }).click();
      expect(await findProblems(page)).toEqual([]);
      await page.getByRole("alert").getByRole("link").first().click();
      await page.getByLabel("Asset", { exact: false }).first().fill(asset.inventory_number);
      await page.locator("summary", { hasText: "Checklist" }).click();
      await page.getByLabel("Checklist").fill("One\nTwo");
      await page.getByLabel("Due", { exact: false }).first().fill(daysFromNow(3));
      await page.locator("summary", { hasText: "Recurrence" }).click();
      await page.getByLabel("Repeats every").fill("2");
      await page.getByRole("button", { name: "Add task" }).click();
      await page.waitForURL(/\/tasks\/tsk_/);
      expect(await page.getByRole("status").innerText()).toContain("added");

      await page.getByRole("link", { name: "Edit" }).click();
      expect(await findProblems(page)).toEqual([]);
      await page.getByLabel("Title").fill("Changed in a browser");
      await page.getByLabel("Stop repeating").check();
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.waitForURL(/\/tasks\/tsk_\w+$/);
      expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe(
        "Changed in a browser",
      );
      expect(opened.complaints).toEqual([]);
      await opened.close();
    }
  });
});
