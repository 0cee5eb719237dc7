import { describe, expect, test } from "vitest";
import { planLibrary } from "../../../server/src/domain/tasks/plan-library.js";
import { useServer } from "../../support/app.js";
import { press, type TestBrowser } from "../../support/browser.js";
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
      /<summary>5 steps.*?: Inspect the lift<.*?<li>Emergency call is answered<\/li>/,
    );
    expect(form.body).toContain("<li>Hot water temperature · At least 55 °C</li>");
    expect(form.body).not.toContain("Test the UPS");
    // A name is taken once, so only the existing workspace is offered.
    expect(form.body).toContain("New workspace: Buildings");
    expect(form.body).not.toContain("New workspace: Fleet");
    const ids = ["lift", "vehicle_check", "ups", "constructor"];
    const procedures = async () => {
      const rows = await db.query<{ name: string }>(
        "SELECT name::text FROM procedures WHERE organization_id = $1 ORDER BY name",
        [owner.organizationId],
      );
      return rows.map(({ name }) => name);
    };
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
      procedure: "Inspect the lift",
      checklist: [
        {
          ...{ label: "Emergency call is answered", kind: "pass_fail", required: true },
          follow_up: "Repair the lift's emergency call",
        },
        ...[{ kind: "pass_fail" }, { kind: "pass_fail" }, { kind: "photo" }, { kind: "signature" }],
      ],
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

    // The procedures stay, and the next plans use them.
    await browser.submitForm(await browser.get("/start?area=building"), {
      ...{ ids: ["lift"], first_due: "2030-01-31" },
    });
    expect(await procedures()).toEqual(["Check vehicles", "Inspect the lift"]);
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

  test("a ready-made plan with kinds of steps brings its procedure once", async () => {
    const { app, db } = current();
    const owner = await aMember(db, { workspace: "Hall" });
    const admin = await signIn(app, owner);
    const { organization } = owner;
    const plain = await signIn(
      app,
      await aMember(db, { organization, role: "member", workspace: "Shed" }),
    );
    const address = (workspace: string) => `/tasks/new?workspace=${workspace}&plan=server_room`;
    async function add(browser: TestBrowser, workspace: string) {
      const form = await browser.get(address(workspace));
      const [, procedure = ""] =
        /value="([\w-]+)" selected[^>]*>[^<]*Check the server/.exec(form.body) ?? [];
      const fields = { title: "Check the server room", priority: "medium", procedure };
      const made = await browser.submitForm(form, fields);
      expect(made.statusCode, made.body).toBe(303);
      return { form: form.body, task: (await follow(browser, made)).body };
    }

    const alone = await add(plain, "Shed");
    const first = await add(admin, "Hall");
    const second = await add(admin, "Hall");

    expect(first.form).toContain("New procedure: Check the server room");
    expect(first.form).toContain("Relative humidity · Allowed: 20 % to 80 %");
    expect(second.form).not.toContain("New procedure");
    for (const { task } of [alone, first, second]) expect(task).toContain("18 °C to 27 °C");
    const procedureLink = /href="(\/settings\/procedures\/\w+)/;
    const [of, ofSecond] = [first, second].map(({ task }) => procedureLink.exec(task)?.[1]);
    expect(of).toBeDefined();
    expect(ofSecond).toBe(of);
    expect(alone.task).not.toMatch(procedureLink);
  });

  test("every plan in the library can be created", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const browser = await signIn(app, owner);
    const ids = Object.keys(planLibrary);

    const form = await browser.get("/start?area=building&area=fleet&area=it&area=machines");
    const done = await browser.submitForm(form, { ids, first_due: "2030-01-31" });

    expect((await follow(browser, done)).body).toContain("30 recurring tasks added.");
    expect(new Set(Object.values(planLibrary).map(({ title }) => title)).size).toBe(30);
  });

  browserTest("pass the checks in every view", async () => {
    const owner = await aMember(current().db);
    for (const view of views) {
      const opened = await openPage(chromium(), current(), owner, view);
      expect(
        await sweep(opened, [
          ...["/start", "/start?area=building&area=machines", "/tasks/new"],
          "/tasks/new?plan=heating",
        ]),
      ).toEqual({});
      await opened.close();
    }
  });
});
