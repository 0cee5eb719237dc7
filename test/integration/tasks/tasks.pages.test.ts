import { beforeAll, describe, expect, test } from "vitest";
import { useServer } from "../../support/app.js";
import { withoutPageScript, type TestBrowser } from "../../support/browser.js";
import { aMember, aPlan, aTask } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { connect, type Connected } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { openPage, sweep, views } from "../../support/pages.js";
import { aPhoto } from "../../support/pictures.js";
import { daysFromNow } from "../../support/tasks.js";

const hostile = `<script>alert("1")</script> & 'quotes' ${"unbroken".repeat(15)}`;
const escaped = "&lt;script>alert(&quot;1&quot;)&lt;/script> &amp; 'quotes'";

describe("task list", () => {
  const current = useServer();
  const chromium = useChromium();
  let owner: Connected;
  let browser: TestBrowser;
  let asset: { id: string; inventory_number: string };

  const list = async (query = "") => browser.get(`/tasks${query}`);

  beforeAll(async () => {
    owner = await connect(current());
    browser = await signIn(current().app, owner.member);
    await owner.ok("create_workspace", { name: "Lab" });
    ({ asset } = await owner.ok<{ asset: typeof asset }>("create_asset", {
      name: `Pump ${hostile}`.slice(0, 200),
      workspace_id: "Lab",
    }));
    const { db } = current();
    const add = (columns: Parameters<typeof aTask>[2]) => aTask(db, owner.member, columns);
    const on = { asset_id: asset.id };
    await add({ ...on, title: "Replace the seal", due_date: daysFromNow(-3), priority: "urgent" });
    await add({ ...on, title: "Grease the bearing", due_date: daysFromNow(2), state: "on_hold" });
    await add({ ...on, title: hostile, assigned_to_user_id: owner.member.userId });
    await add({ ...on, title: "Measure the flow", state: "completed", type: "inspection" });
    await add({ ...on, title: "Drain the sump", state: "completed", type: "improvement" });
  });

  test("shows open tasks, overdue first, with asset, due date, assignee and count", async () => {
    const { body, statusCode } = await list();

    expect(statusCode).toBe(200);
    expect(body).toContain("3 tasks, 1 overdue");
    expect(body.indexOf("Replace the seal")).toBeLessThan(body.indexOf("Grease the bearing"));
    expect(body).toContain("3 days overdue");
    expect(body).toContain("in 2 days");
    expect(body).toContain("Urgent priority");
    expect(body).toContain(asset.inventory_number);
    expect(body).toContain("Unassigned");
    expect(body).not.toContain("Measure the flow");
    expect(body).toContain(escaped);
    expect(withoutPageScript(body)).not.toContain("<script");
  });

  test.each([
    ["?state=overdue", "Replace the seal", "Grease the bearing"],
    ["?state=completed", "Measure the flow", "Replace the seal"],
    ["?state=all&type=inspection", "Measure the flow", "Replace the seal"],
    ["?state=all&type=planned", "Measure the flow", "Drain the sump"],
    [`?completed_from=${daysFromNow(-1)}`, "Measure the flow", "Replace the seal"],
    [`?state=all&completed_to=${daysFromNow(0)}`, "Measure the flow", "Replace the seal"],
    ["?priority=urgent", "Replace the seal", "Grease the bearing"],
    ["?assignee=none", "Replace the seal", `>&lt;script>`],
    ["?assignee=me", `>&lt;script>`, "Replace the seal"],
    ["?responsible=me", `>&lt;script>`, "Replace the seal"],
    ["?q=bearing", "Grease the bearing", "Replace the seal"],
    [`?due_from=${daysFromNow(0)}&due_to=${daysFromNow(6)}`, "Grease the bearing", "the seal"],
    ["?workspace_id=Lab&q=seal", "Replace the seal", "Grease the bearing"],
  ])("filters the list by %s", async (query, found, other) => {
    const { body, statusCode } = await list(query);

    expect(statusCode).toBe(200);
    const rows = body.slice(body.indexOf('class="list'));
    expect(rows).toContain(found);
    expect(rows).not.toContain(other);
  });

  test("a task's page leads to the list that the navigation marks, and describes its asset", async () => {
    const { id } = await aTask(current().db, owner.member, { asset_id: asset.id, title: "Dust" });
    const { body } = await browser.get(`/tasks/${id}`);
    const [, crumbs = ""] = /<nav[^>]* class="breadcrumb">(.*?)<\/nav>/s.exec(body) ?? [];
    const [, about = ""] = /<section class="task-asset[^>]*>(.*?)<\/section>/s.exec(body) ?? [];

    expect(crumbs.indexOf('href="/tasks"')).toBeGreaterThan(-1);
    expect(crumbs.indexOf('href="/tasks"')).toBeLessThan(crumbs.indexOf('href="/assets/'));
    expect(body).toMatch(/<a href="\/tasks" aria-current="[^"]+"/);
    expect(about.replaceAll(/<[^>]*>/g, "")).toMatch(/Medium criticality$/);
  });

  test("names the filtered days as pages write them, and others as typed", async () => {
    const { body } = await list("?due_from=2026-10-01&due_to=soon");

    expect(body).toContain('aria-label="Due from: 1 Oct 2026: remove"');
    expect(body).toContain('aria-label="Due to: soon: remove"');
  });

  test("reports invalid URL parameters and applies the others", async () => {
    const wrong = await list(`?state=lost&due_from=soon&q=${"long ".repeat(60)}&priority=urgent`);
    expect(wrong.statusCode).toBe(400);
    expect(wrong.body).toContain("State: choose one from the list.");
    expect(wrong.body).toContain("Due from isn't a date.");
    expect(wrong.body).toContain("Search must have at most 200 characters.");
    expect(wrong.body).toContain("1 task, 1 overdue");
    for (const query of [
      "?due_from=2026-05-02&due_to=2026-05-01",
      "?workspace_id=Nowhere",
      "?assignee=nobody-knows%40example.com",
      "?cursor=abc",
      "?q=%00",
      "?workspace_id=%00",
      `?assignee=${"x".repeat(300)}`,
    ]) {
      const answer = await list(query);
      expect(answer.statusCode, query).toBe(400);
      expect(answer.body, query).toContain("Some search filters were ignored");
    }
    expect((await list("?state=open&state=all")).statusCode).toBe(200);
  });

  test("an empty list explains why and suggests alternatives", async () => {
    expect((await list("?state=cancelled")).body).toContain("No tasks match");
    const near = await list("?q=replace+the+seal+carefully");
    expect(near.body).toContain("Did you mean one of these?");
    const [, address = ""] = /<a href="(\/tasks\/T-\d+)"/.exec(near.body) ?? [];
    const answer = await browser.get(address);
    expect(answer.statusCode).toBe(302);
    expect((await browser.get(String(answer.headers.location))).body).toContain("Replace the seal");

    const newcomer = await connect(current());
    const fresh = await signIn(current().app, newcomer.member);
    expect((await fresh.get("/tasks")).body).toContain("No tasks yet");
    await newcomer.ok("create_workspace", { name: "Hall" });
    await newcomer.ok("create_maintenance_task", { workspace_id: "Hall", title: "Sweep" });
    expect((await fresh.get("/tasks?state=overdue")).body).toContain("Nothing is overdue");
    await newcomer.ok("update_maintenance_task", { task_id: "T-1", state: "completed" });
    expect((await fresh.get("/tasks")).body).toContain("All done");
  });

  test("a viewer sees tasks without the add button, and others see no tasks", async () => {
    const { app, db } = current();
    const { organization } = owner.member;
    const viewer = await aMember(db, {
      ...{ organization, role: "member", workspace: "Lab", workspaceRole: "viewer" },
    });
    const elsewhere = await aMember(db, { organization, role: "member", workspace: "Yard" });
    const stranger = await aMember(db);

    const seen = (await (await signIn(app, viewer)).get("/tasks")).body;
    expect(seen).toContain("Replace the seal");
    expect(seen).not.toContain("Add a task");
    for (const member of [elsewhere, stranger]) {
      const page = (await (await signIn(app, member)).get("/tasks?state=all")).body;
      expect(page).not.toContain("Replace the seal");
      expect(page).toContain("Add a task");
    }
  });

  test("the heading sorts by due date in both directions, tasks without one last", async () => {
    const order = (body: string) =>
      ["Replace the seal", "Grease the bearing", escaped].toSorted(
        (one, other) => body.indexOf(`dir="auto">${one}`) - body.indexOf(`dir="auto">${other}`),
      );
    const usual = await list();
    const earliest = await list("?sort=due_date");
    const latest = await list("?sort=-due_date");

    expect(usual.body).toContain('<a class="sort" href="/tasks?sort=due_date"');
    expect(usual.body).not.toContain("aria-sort");
    expect(earliest.body).toContain('aria-sort="ascending"><a class="sort" href="/tasks?sort=-due');
    expect(latest.body).toContain('aria-sort="descending"><a class="sort" href="/tasks?sort=due');
    expect(order(earliest.body)).toEqual(["Replace the seal", "Grease the bearing", escaped]);
    expect(order(latest.body)).toEqual(["Grease the bearing", "Replace the seal", escaped]);
  });

  test("each row shows the kind or the newest picture of its asset", async () => {
    const person = await connect(current());
    const { db, app } = current();
    const made = await person.ok<{ asset: { id: string } }>("create_asset", { name: "Drill" });
    await aTask(db, person.member, {
      asset_id: made.asset.id,
      due_date: daysFromNow(0),
      assigned_to_user_id: person.member.userId,
    });
    await person.ok("create_workspace", { name: "Hall" });
    const { workspaces } = await person.ok<{ workspaces: { id: string }[] }>("list_workspaces");
    await aTask(db, person.member, { workspace_id: workspaces[0]?.id ?? "" });
    const reader = await signIn(app, person.member);

    const kinds = (await reader.get("/tasks")).body;
    const form = await reader.get(`/assets/${made.asset.id}?tab=files`);
    const photo = { name: "drill.jpg", content: await aPhoto() };
    await reader.sendFiles(form, `/assets/${made.asset.id}/files`, [photo]);
    const pictures = (await reader.get("/tasks")).body;

    expect(kinds.match(/<span class="picture"><svg/g)).toHaveLength(1);
    expect(kinds.match(/<span class="picture none">/g)).toHaveLength(1);
    const picture = /<img class="picture" src="[^"]*thumbnail" alt loading="lazy" width="40"/;
    expect(pictures).toMatch(picture);
  });

  test("pages lead forward and back", async () => {
    const person = await connect(current());
    const { db, app } = current();
    await person.ok("create_workspace", { name: "Hall" });
    const { workspaces } = await person.ok<{ workspaces: { id: string }[] }>("list_workspaces");
    for (let number = 1; number <= 32; number += 1) {
      await aTask(db, person.member, { workspace_id: workspaces[0]?.id ?? "" });
    }
    const paging = await signIn(app, person.member);

    const first = await paging.get("/tasks?sort=due_date");
    expect(first.body).toContain("30 of 32 tasks, none overdue");
    const [, next = ""] = /href="([^"]+)" rel="next"/.exec(first.body) ?? [];
    const second = await paging.get(next.replaceAll("&amp;", "&"));
    expect(second.body).toContain("2 of 32 tasks");
    expect(second.body).toContain('href="/tasks?sort=due_date"');
  });

  test("redirects a signed-out person to sign-in", async () => {
    const { app } = current();
    const answer = await app.inject({
      url: "/tasks?state=overdue",
      headers: { accept: "text/html" },
    });
    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toContain("/signin");
  });

  browserTest("list and task pass in every view, and the whole row is a link", async () => {
    const { db } = current();
    const plan = await aPlan(db, owner.member, { every: 3 });
    const rich = await aTask(db, owner.member, {
      ...{ asset_id: asset.id, plan_id: plan, occurrence: 1, due_date: daysFromNow(5) },
      ...{ title: `Service ${hostile}`.slice(0, 200), description: `${hostile}\n\nThen more.` },
      ...{ priority: "high", estimated_minutes: 90, requires_downtime: true },
    });
    await db.query(
      `INSERT INTO task_checklist_items (organization_id, task_id, position, label)
         VALUES ($1, $2, 1, $3), ($1, $2, 2, 'Close it')`,
      [owner.member.organizationId, rich.id, hostile.slice(0, 190)],
    );
    for (const view of views) {
      const opened = await openPage(chromium(), current(), owner.member, view);
      const { page } = opened;
      const problems = await sweep(opened, ["/tasks", `/tasks/${rich.id}`]);
      expect(problems).toEqual({});
      await page.goto("/tasks");
      await page.getByLabel("Search").fill("bearing");
      await page.getByLabel("Search").press("Enter");
      await page.waitForURL(/q=bearing/);
      const row = page.locator(".list tbody tr");
      expect(await row.count()).toBe(1);
      await row.click({ position: { x: 200, y: 5 } });
      await page.waitForURL(/\/tasks\/tsk_/);
      expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("Grease the bearing");
      expect(opened.complaints).toEqual([]);
      await opened.close();
    }
  });
});
