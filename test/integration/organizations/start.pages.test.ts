import { describe, expect, test } from "vitest";
import { planLibrary } from "../../../server/src/domain/tasks/plan-library.js";
import { useServer } from "../../support/app.js";
import { press } from "../../support/browser.js";
import { aMember } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { connect } from "../../support/mcp.js";
import { follow, signIn } from "../../support/oauth.js";
import { openPage, sweep, views } from "../../support/pages.js";

describe("ready-made plans after set-up", () => {
  const current = useServer();
  const chromium = useChromium();

  test("asks what people look after, and adds the selected plans, undone together", async () => {
    const { app, db } = current();
    const owner = await aMember(db, { workspace: "Fleet" });
    const browser = await signIn(app, owner);
    const areas = await browser.get("/start");
    expect(areas.body).toContain("What do you look after?");
    expect(areas.body).toContain("Skip for now");
    const form = await browser.get("/start?area=building&area=fleet&area=garden");
    expect(form.body).toContain("Inspect the lift");
    expect(form.body).toContain("Every 6 months · 1 h 30 min");
    expect(form.body).toMatch(
      /<summary>4 steps.*?: Inspect the lift<.*?<li>Emergency call is answered<\/li>/,
    );
    expect(form.body).not.toContain("Test the UPS");
    // A name is taken once, so only the existing workspace is offered.
    expect(form.body).toContain("New workspace: Buildings");
    expect(form.body).not.toContain("New workspace: Fleet");
    const ids = ["lift", "vehicle_check", "ups", "constructor"];
    const choice = { ids, fleet: owner.workspaceId ?? "" };

    const refused = await browser.submitForm(form, { ...choice, first_due: "soon" });
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toMatch(/id="lift"[^>]* checked/);
    const done = await browser.submitForm(refused, { ...choice, first_due: "2030-01-31" });

    const home = await follow(browser, done);
    expect(home.body).toContain("2 recurring tasks added.");
    const assistant = await connect(current(), { member: owner });
    const { tasks } = await assistant.ok<{
      tasks: { id: string; title: string; workspace_name: string }[];
    }>("list_maintenance_tasks", {});
    tasks.sort((one, other) => (one.title < other.title ? -1 : 1));
    expect(tasks.map(({ title, workspace_name: place }) => [title, place])).toEqual([
      ["Check vehicles", "Fleet"],
      ["Inspect the lift", "Buildings"],
    ]);
    const { task } = await assistant.ok<{ task: object }>("get_maintenance_task", {
      task_id: tasks[1]?.id,
    });
    expect(task).toMatchObject({
      type: "compliance_test",
      due_date: "2030-01-31",
      estimated_minutes: 90,
      recurrence: { every: 6, unit: "month" },
      checklist: [{ label: "Emergency call is answered" }, {}, {}, {}],
    });
    const categories = await db.query("SELECT name::text FROM asset_categories ORDER BY name");
    expect(categories).toEqual([{ name: "Cars and vans" }, { name: "Lifts" }]);

    const [, changes = ""] = /href="(\/changes\/[^"]+)"/.exec(home.body) ?? [];
    const undone = await press(browser, await browser.get(changes), "Undo");
    expect(undone.statusCode).toBe(303);
    const left = await assistant.ok<{ tasks: object[] }>("list_maintenance_tasks", {
      state: "open",
    });
    expect(left.tasks).toEqual([]);
  });

  test("asks for a plan or to skip if none is selected, and is for admins", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const { organization } = owner;
    const browser = await signIn(app, owner);
    const plain = await signIn(app, await aMember(db, { organization, role: "member" }));

    const done = await browser.submitForm(await browser.get("/start?area=it"), {
      first_due: "2030-01-31",
    });

    expect(done.statusCode).toBe(400);
    expect(done.body).toContain("Select at least one plan, or skip this step.");
    expect(done.body).toContain("Skip without plans");
    expect((await browser.get("/workspaces")).body).not.toContain(">IT<");
    expect((await plain.get("/start")).statusCode).toBe(403);
  });

  test("a ready-made plan fills in a new task", async () => {
    const { app, db } = current();
    const browser = await signIn(app, await aMember(db, { workspace: "Hall" }));

    const form = await browser.get("/tasks/new?workspace=Hall&plan=forklifts");

    for (const value of ["Inspect forklifts", "90"])
      expect(form.body).toContain(`value="${value}"`);
    expect(form.body).toContain(
      "Forks, chains and mast\nBrakes, steering and horn\nFile the report",
    );
    expect((await browser.get("/tasks/new?plan=constructor")).statusCode).toBe(200);
  });

  test("every plan in the library can be created", async () => {
    const assistant = await connect(current(), { workspace: "Hall" });
    const plans = Object.values(planLibrary);

    for (const { title, type, every, unit, minutes, checklist } of plans) {
      await assistant.ok("create_maintenance_task", {
        title,
        type,
        workspace_id: "Hall",
        due_date: "2030-01-31",
        estimated_minutes: minutes,
        recurrence: { every, unit },
        checklist,
      });
    }

    expect(new Set(plans.map(({ title }) => title)).size).toBe(30);
  });

  browserTest("pass the checks in every view", async () => {
    const owner = await aMember(current().db);
    for (const view of views) {
      const opened = await openPage(chromium(), current(), owner, view);
      expect(
        await sweep(opened, ["/start", "/start?area=building&area=machines", "/tasks/new"]),
      ).toEqual({});
      await opened.close();
    }
  });
});
