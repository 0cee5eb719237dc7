// @module-tag embedded

import { withoutPageScript } from "../../support/browser.js";
import { beforeAll, describe, expect, test } from "vitest";
import { changeAssetState } from "../../../server/src/domain/assets/change-asset-state.js";
import { createAsset, type NewAsset } from "../../../server/src/domain/assets/create-asset.js";
import { addDays, addMonths } from "../../../server/src/domain/shared/dates.js";
import { createWorkspace } from "../../../server/src/domain/organizations/workspaces.js";
import { useServer } from "../../support/app.js";
import { aMember, aTask, type Member } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { connect, signIn } from "../../support/oauth.js";
import { openPage, sweep, views } from "../../support/pages.js";
import { createReplay, dayFromToday, daysAgo } from "../../support/replay.js";

const testApp = useServer();

async function bodyFor(member: Member, address = "/"): Promise<string> {
  const browser = await signIn(testApp().app, member);
  const answer = await browser.get(address);
  expect(answer.statusCode).toBe(200);
  return answer.body;
}

function toText(html: string): string {
  return html
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&amp;", "&")
    .replaceAll("&lt;", "<")
    .replaceAll("&quot;", '"')
    .replace(/\s+/g, " ");
}

async function anAsset(
  owner: Member,
  name: string,
  fields: Partial<NewAsset> = {},
  age = 30,
): Promise<string> {
  const made = await createReplay(testApp().db, owner)(daysAgo(age), (tx, then) =>
    createAsset(tx, then, { name, ...fields }),
  );
  return made.asset.id;
}

async function aPlace(owner: Member, name: string): Promise<string> {
  const made = await createReplay(testApp().db, owner)(daysAgo(0), (tx, caller) =>
    createWorkspace(tx, caller, { name }),
  );
  return made.workspace.id;
}

const hostile = `<script>alert("1")</script>${"W".repeat(150)}`;

/** One entry of each kind in the workspace Depot, and one elsewhere. */
async function aWorkingDay() {
  const { db } = testApp();
  const owner = await aMember(db, { role: "owner", name: "Olga Owner" });
  const depot = await aPlace(owner, "Depot");
  const there = { workspace_id: depot };
  const generator = await anAsset(owner, "Generator", { ...there, criticality: "critical" });
  const late = await aTask(db, owner, {
    asset_id: generator,
    title: "Load test",
    due_date: dayFromToday(-3),
    assigned_to_user_id: owner.userId,
  });
  await aTask(db, owner, { asset_id: generator, title: "Oil", priority: "urgent" });
  const lift = await anAsset(owner, "Lift", { ...there, state: "out_of_service" }, 2);
  const fan = await anAsset(owner, hostile, there);
  const unassigned = await aTask(db, owner, {
    asset_id: fan,
    title: "Belt squeals",
    due_date: dayFromToday(1),
  });
  const pump = await anAsset(owner, "Pump", there, 300);
  for (const days of [5, 6, 7]) {
    await aTask(db, owner, {
      asset_id: pump,
      type: "corrective",
      state: "completed",
      completed_at: daysAgo(days).toISOString(),
      labor_cost: 100,
      currency: "EUR",
      downtime_minutes: 120,
    });
  }
  const laptop = await anAsset(owner, "Laptop", {
    ...there,
    warranty_expires_on: dayFromToday(1),
    state: "stored",
  });
  await anAsset(owner, "Hidden van", { workspace_id: await aPlace(owner, "Elsewhere") });
  const join = (name: string, workspaceRole: "member" | "viewer") =>
    aMember(db, {
      name,
      organization: owner.organization,
      role: "member",
      workspace: "Depot",
      workspaceRole,
    });
  return {
    owner,
    member: await join("Mara Member", "member"),
    viewer: await join("Vito Viewer", "viewer"),
    ids: { generator, late: late.id, lift, unassigned: unassigned.id, pump, laptop },
  };
}

let day: Awaited<ReturnType<typeof aWorkingDay>>;
beforeAll(async () => {
  day = await aWorkingDay();
});

describe("home page", () => {
  test("shows broken, late, unassigned and other matters in bands with next actions", async () => {
    const { owner, ids } = day;
    const body = await bodyFor(owner);
    const text = toText(body);

    const matters = [
      [
        "Broken now 1 Lift Out of service for 2 days",
        `/tasks/new?asset=${ids.lift}&amp;repair=1`,
        "Plan repair",
      ],
      ["Late 1 Load test 3 days overdue", `/tasks/${ids.late}/act`, "Assign"],
      ["Belt squeals Due tomorrow", `/tasks/${ids.unassigned}/act`, "Assign"],
      ["Oil No due date Generator", `/assets/${ids.generator}`, "Assign"],
      ["Laptop Warranty ends tomorrow", `/assets/${ids.laptop}`, ""],
      ["Pump Failed 3 times in the last 365 days", `/assets/${ids.pump}`, ""],
    ] as const;
    for (const [words, href, label] of matters) {
      expect(text).toContain(words);
      if (href.endsWith("/act")) expect(body).toContain(`action="${href}"`);
      else if (label === "Plan repair")
        expect(body).toContain(`class="button quiet" href="${href}">${label}`);
    }
    const bands = ["Broken now 1", "Late 1", "No assignee 2", "Worth watching 2"];
    const places = bands.map((words) => text.indexOf(words));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(text).toMatch(/Load test 3 days overdue +Generator +Depot +Critical asset +Olga Owner/);
  });

  test("groups late work by title, with one change for all of it", async () => {
    const { db } = testApp();
    const owner = await aMember(db, { role: "owner" });
    const ids = [];
    for (const [number, days] of [
      [3, 26],
      [5, 20],
      [7, 26],
    ] as const) {
      const asset_id = await anAsset(owner, `Boiler ${number}`);
      const due_date = dayFromToday(-days);
      ids.push((await aTask(db, owner, { asset_id, title: "Burner service", due_date })).id);
    }
    const browser = await signIn(testApp().app, owner);
    const { body } = await browser.get("/");

    expect(toText(body)).toMatch(
      /Late 3 Burner service ×3 \(3 tasks\) up to 26 days overdue +Boiler 3, 5, 7 +Unassigned/,
    );
    const links = [...body.matchAll(/href="(\/tasks\/change\?[^"]*)"[^>]*>(\w+)/g)];
    expect(links.map(([, , words]) => words)).toEqual(["Reschedule", "Assign"]);
    for (const [, href = "", words = ""] of links) {
      const address = href.replaceAll("&amp;", "&");
      const chosen = new URLSearchParams(address.split("?")[1]).getAll("ids");
      expect(chosen.toSorted()).toEqual(ids.toSorted());
      const change = await browser.get(address);
      expect(toText(change.body)).toContain(`${words} 3 tasks`);
      const open = [...change.body.matchAll(/<details class="group" open><summary>([^<]+)/g)];
      expect(open.map(([, part]) => part)).toEqual([words, "3 tasks"]);
      expect(toText(change.body)).toMatch(
        /T-\d+ Burner service +Due \d+ \w+ \d+ +\d+-\d+ *Boiler 5 /,
      );
    }
  });

  test("offers to reschedule and assign a late task that has an assignee", async () => {
    const owner = await aMember(testApp().db, { role: "owner" });
    const asset_id = await anAsset(owner, "Generator");
    const due = { due_date: dayFromToday(-3), assigned_to_user_id: owner.userId };
    const { id } = await aTask(testApp().db, owner, { asset_id, title: "Load test", ...due });

    const [, late = ""] = (await bodyFor(owner)).split('id="late"');
    expect(late).toContain(`href="/tasks/change?part=due&amp;ids=${id}"`);
    expect(late).toContain(`action="/tasks/${id}/act"`);
  });

  test("keeps a reported asset among the broken ones, whatever its other work", async () => {
    const { db } = testApp();
    const owner = await aMember(db, { role: "owner" });
    const asset_id = await anAsset(owner, "Door drive", { state: "out_of_service" });
    await aTask(db, owner, { asset_id, title: "Paint", due_date: dayFromToday(-14) });
    const repair = { asset_id, title: "Seal", type: "corrective", due_date: dayFromToday(-1) };
    const { id } = await aTask(db, owner, repair);

    const body = await bodyFor(owner);

    const text = toText(body);
    expect(text).toMatch(/Broken now 1 Door drive .*Repair: *Seal .*1 day overdue.*Late 1 Paint/);
    // Actions of a task appear once.
    expect(body.split(`action="/tasks/${id}/act"`)).toHaveLength(2);
  });

  test("lists work due in seven days by day and links to the full list", async () => {
    const { db } = testApp();
    const owner = await aMember(db, { role: "owner" });
    const pump = await anAsset(owner, "Pump");
    for (const days of [0, 1, 6, 7]) {
      await aTask(db, owner, { asset_id: pump, title: `In ${days}`, due_date: dayFromToday(days) });
    }
    const due = async () => {
      const body = await bodyFor(owner);
      return body.slice(body.indexOf('id="due"'), body.indexOf('id="figures"'));
    };

    expect(toText(await due())).toMatch(/today, .* In 0 .*tomorrow, .* In 1 .* In 6 /);
    expect(await due()).not.toContain("In 7");
    for (let count = 0; count < 20; count += 1) {
      await aTask(db, owner, { asset_id: pump, due_date: dayFromToday(2) });
    }

    expect(await due()).toContain("View all 23 tasks due in the next 7 days");
    expect(toText(await due())).toMatch(/ 17 more on .* In 6 /);
    for (let count = 0; count < 5; count += 1) {
      await aTask(db, owner, { asset_id: pump, due_date: dayFromToday(0) });
    }
    const today = `<a href="/tasks?due_from=${dayFromToday(0)}&amp;due_to=${dayFromToday(0)}">`;
    expect(await due()).toContain(`${today}1 more today</a>`);
    expect(await due()).toContain(
      `/tasks?due_from=${dayFromToday(0)}&amp;due_to=${dayFromToday(6)}`,
    );
  });

  test("shows the statistics figures with their sources", async () => {
    const body = await bodyFor(day.owner);
    const text = toText(body.slice(body.indexOf('id="figures"')));

    expect(text).toMatch(/Overdue 1 Due in 7 days 1 Open 3/);
    expect(text).toMatch(/All 6 Available 4 Out of service 1 Stored 1/);
    expect(text).toMatch(/Completed tasks 3/);
    expect(text).toMatch(/Maintenance cost €300 Availability/);
    expect(text).toMatch(/\(MTBF\) [\d.]+ days 4 failures/);
    expect(text).toMatch(/\(MTTR\) 2 hours 3 repairs/);
    expect(text).toMatch(/Availability [\d.]+% over 5 assets/);
    for (const href of ["/tasks?state=overdue", "/assets?state=stored", "/assets"]) {
      expect(body).toContain(`<a href="${href}">`);
    }
  });

  test("shows members their part, says so, and offers only allowed actions", async () => {
    const { member, viewer, ids } = day;
    const ofMember = toText(await bodyFor(member));
    const looked = await bodyFor(viewer);
    const ofViewer = toText(looked);

    for (const text of [ofMember, ofViewer]) {
      expect(text).toContain(`Showing your workspaces in ${member.organization} : Depot .`);
      expect(text).toContain("Load test 3 days overdue");
      expect(text).toMatch(/All 5 Available 3/);
    }
    expect(ofMember).not.toContain("You have view-only access");
    expect(ofMember).toMatch(/Load test 3 days overdue.*?Complete \( ?Load test ?\)/s);
    expect(ofViewer).toContain("You have view-only access");
    for (const offer of ["Plan repair", "Assign", "Assign to me"]) {
      expect(ofViewer).not.toContain(offer);
    }
    expect(looked).toContain(`href="/tasks/${ids.late}">View task`);
    expect(looked).toContain(`href="/assets/${ids.lift}">View asset`);
  });

  test("shows members their own work first, by place, and no task twice", async () => {
    const { db } = testApp();
    const { owner, ids } = day;
    const worker = await aMember(db, { organization: owner.organization, workspace: "Depot" });
    expect(await bodyFor(worker)).not.toContain("My work today");
    const mine = { asset_id: ids.pump, assigned_to_user_id: worker.userId };
    await aTask(db, owner, { ...mine, title: "Some day" });
    await aTask(db, owner, { ...mine, title: "Grease", due_date: dayFromToday(-2) });
    await aTask(db, owner, { ...mine, title: "Rinse", due_date: dayFromToday(0) });
    await aTask(db, owner, { ...mine, title: "Done", state: "completed" });
    const repair = { ...mine, asset_id: ids.lift, title: "Weld", type: "corrective" };
    await aTask(db, owner, { ...repair, due_date: dayFromToday(1) });

    const begun = { due_date: dayFromToday(2), state: "in_progress" } as const;
    await aTask(db, owner, { ...mine, title: "Begun", ...begun });

    const body = await bodyFor(worker);

    expect(toText(body)).toMatch(
      /My work today 2 Depot Grease .*2 days overdue.*Start.* Rinse .* Next Begun In progress .*Complete.* Weld .*Out of service for 2 days.* Some day .*No due date.*Needs attention.*Late 1 Load test/,
    );
    for (const title of ["Grease", "Rinse", "Some day", "Weld"]) {
      expect(body.split(`dir="auto">${title}</a>`)).toHaveLength(2);
    }
    expect(body).not.toContain("Broken now");
    expect(body).not.toContain('href="/tasks?assignee=me"');
    expect(await bodyFor(owner)).not.toContain("My work today");

    for (let count = 3; count <= 8; count += 1) await aTask(db, owner, mine);
    expect(await bodyFor(worker)).toContain(
      '<a href="/tasks?assignee=me">View all your 11 open tasks</a>',
    );
  });

  test("starts own work from its row, and folds the other work away", async () => {
    const { db } = testApp();
    const { owner, ids } = day;
    const worker = await aMember(db, { organization: owner.organization, workspace: "Depot" });
    const mine = { asset_id: ids.pump, assigned_to_user_id: worker.userId };
    const { id } = await aTask(db, owner, { ...mine, title: "Sand", due_date: dayFromToday(0) });
    const browser = await signIn(testApp().app, worker);
    const home = await browser.get("/");
    const action = `/tasks/${id}/act`;

    expect(home.body).toMatch(/<details class="others"><summary>Needs attention/);
    expect((await browser.get("/?attention=all")).body).toContain('<details class="others" open');
    const started = await browser.submitForm(home, { state: "in_progress" }, { action });
    expect([started.statusCode, started.headers.location]).toEqual([303, `/tasks/${id}`]);
    expect((await browser.get(`/tasks/${id}`)).body).toMatch(/T-\d+ started\./);
    const again = await browser.get("/");
    expect(toText(again.body)).toMatch(/Sand .*Complete \( ?Sand ?\)/);

    // A list that is older than the end of the work.
    await browser.submitForm(await browser.get(`/tasks/${id}/complete`), {});
    expect((await browser.submitForm(home, { state: "in_progress" }, { action })).statusCode).toBe(
      303,
    );
    expect((await browser.get("/")).body).toContain("Reopen it first.");
    const task = await db.maybe("SELECT state FROM maintenance_tasks WHERE id = $1", [id]);
    expect(task).toEqual({ state: "completed" });
  });

  test("shows nothing from another organization", async () => {
    const stranger = await aMember(testApp().db, { role: "owner" });

    const body = await bodyFor(stranger);

    for (const name of ["Load test", "Generator", "Depot", day.owner.organization]) {
      expect(body).not.toMatch(new RegExp(`\\b${name}\\b`));
    }
  });

  test("shows no repair time after repairs without downtime", async () => {
    const { db } = testApp();
    const owner = await aMember(db, { role: "owner" });
    const asset_id = await anAsset(owner, "Pump", {}, 200);
    const repair = { asset_id, type: "corrective", state: "completed" } as const;
    for (const [days, downtime_minutes] of Object.entries({ 5: 0, 100: 60 })) {
      const completed_at = daysAgo(Number(days)).toISOString();
      await aTask(db, owner, { ...repair, completed_at, downtime_minutes });
    }

    const text = toText(await bodyFor(owner));

    expect(text).toMatch(/\(MTTR\) – 1 repair /);
    expect(text).not.toMatch(/\(MTTR\) – 1 repair *down/);
  });

  test("shows why an asset is out of service, and fills in its repair", async () => {
    const { db } = testApp();
    const owner = await aMember(db, { role: "owner" });
    const press = await anAsset(owner, "Press", {}, 9);
    await createReplay(db, owner)(daysAgo(2), (tx, caller) =>
      changeAssetState(tx, caller, press, { state: "out_of_service", note: "Guard <is> loose" }),
    );
    expect(toText(await bodyFor(owner))).toContain("Guard <is> loose");

    const body = await bodyFor(owner, `/tasks/new?asset=${press}&repair=1`);
    expect(body).toMatch(/<title>Plan repair.*<h1[^>]*>Plan repair</s);
    expect(body).toMatch(/name="title"[^>]* value="Repair Press"/);
    expect(body).toMatch(/<textarea[^>]*name="description"[^>]*>Guard &lt;is> loose</);
    expect(body).toMatch(/<option value="corrective" selected/);
    expect(body).toMatch(/<option value="high" selected/);
    expect(body).toMatch(new RegExp(`name="due_date"[^>]* value="${dayFromToday(0)}"`));

    const plain = await bodyFor(owner, `/tasks/new?asset=${press}`);
    expect(plain).toContain("<title>Add a task");
    expect(plain).not.toContain("Guard");
  });

  test("shows the state of an assigned repair, and offers to reschedule it", async () => {
    const { db } = testApp();
    const owner = await aMember(db, { role: "owner", name: "Olga Owner" });
    const asset_id = await anAsset(owner, "Rooftop unit", { state: "out_of_service" });
    const { id } = await aTask(db, owner, {
      ...{ asset_id, title: "Replace compressor", type: "corrective", state: "on_hold" },
      assigned_to_user_id: owner.userId,
    });

    const [, rest = ""] = (await bodyFor(owner)).split('id="broken"');
    const [broken = ""] = rest.split("</section>");

    expect(toText(broken)).toMatch(/Repair: *Replace compressor *· *On hold *· *Olga Owner/);
    expect(broken).toContain(`href="/tasks/change?part=due&amp;ids=${id}"`);
    expect(broken).toContain(`href="/tasks/${id}">View task`);
    expect(broken).not.toContain("Assign");
  });

  test("offers only assigning in the Assign popover", async () => {
    const owner = await aMember(testApp().db, { role: "owner" });
    const asset_id = await anAsset(owner, "Generator");
    await aTask(testApp().db, owner, { asset_id, due_date: dayFromToday(-3) });

    const [, late = ""] = (await bodyFor(owner)).split('id="late"');

    expect(late).toContain("Assign to me");
    expect(late).not.toContain("+7 days");
    expect(late).not.toContain("/complete");
  });

  test("lists the warranty that ends first at the top, whatever the criticality", async () => {
    const owner = await aMember(testApp().db, { role: "owner" });
    const ends = (days: number) => ({ warranty_expires_on: dayFromToday(days) });
    await anAsset(owner, "Compressor", { criticality: "critical", ...ends(19) });
    await anAsset(owner, "Fan", { criticality: "low", ...ends(7) });

    expect(toText(await bodyFor(owner))).toMatch(/Worth watching 2 Fan .* Compressor /);
  });

  test("shows user text as text", async () => {
    const body = await bodyFor(day.owner);

    expect(withoutPageScript(body)).not.toContain("<script");
    expect(toText(body)).toContain('<script>alert("1")</script>');
  });

  test("shows a few rows of each band with its total, and all on request", async () => {
    const { db } = testApp();
    const owner = await aMember(db, { role: "owner" });
    for (let count = 1; count <= 6; count += 1) {
      const asset_id = await anAsset(owner, `Pump ${count}`);
      await aTask(db, owner, { asset_id, title: `Oil ${count}`, due_date: dayFromToday(-count) });
    }
    const count = (body: string) => body.match(/class="matter /g)?.length;
    const short = await bodyFor(owner);

    expect(count(short)).toBe(4);
    expect(short).toContain('<a href="/?attention=all#late">Show all 6</a>');
    const long = await bodyFor(owner, "/?attention=all");
    expect(count(long)).toBe(6);
    expect(long).not.toContain("attention=all");
  });

  test("tells good news: everything is in order, or work was on time as rarely before", async () => {
    const { db } = testApp();
    const owner = await aMember(db, { role: "owner" });
    const asset_id = await anAsset(owner, "Pump", {}, 400);
    const month = (back: number) => addMonths(`${dayFromToday(0).slice(0, 8)}10`, -back);
    for (const [back, isInTime] of [
      [5, true],
      [4, false],
      [3, false],
      [2, false],
      [1, true],
    ] as const) {
      const due_date = month(back);
      await aTask(db, owner, {
        ...{ asset_id, type: "inspection", state: "completed", due_date },
        completed_at: `${isInTime ? due_date : addDays(due_date, 15)}T12:00:00Z`,
      });
    }

    const text = toText(await bodyFor(owner));

    expect(text).toContain("You're all caught up.");
    expect(text).toMatch(/100% of planned work was on time in \w+, the best since \w+/);
  });

  test("shows an empty organization's first steps by the person's permissions", async () => {
    const { db } = testApp();
    const owner = await aMember(db, { role: "owner" });
    const join = (workspace?: string, workspaceRole?: "member" | "viewer") =>
      aMember(db, {
        organization: owner.organization,
        role: "member",
        ...(workspace !== undefined && { workspace }),
        ...(workspaceRole !== undefined && { workspaceRole }),
      });

    const none = await bodyFor(owner);
    expect(toText(none)).toMatch(
      /Add a workspace .*Add an asset .*Invite people .*Connect your assistant/,
    );
    await aPlace(owner, "Yard");
    const first = await bodyFor(owner);
    expect(toText(first)).toContain("Yard already exists.");
    expect(first).toContain('class="button" href="/assets/new"');
    for (const href of ["/settings/workspaces/new", "/assets/new", "/connect"]) {
      expect(first).toContain(`href="${href}"`);
    }
    expect(await bodyFor(await join("Yard", "member"))).toContain('href="/assets/new"');
    const viewer = await bodyFor(await join("Yard", "viewer"));
    expect(viewer).toContain("Nothing here yet");
    expect(viewer).not.toContain("/assets/new");
    expect(await bodyFor(await join())).toContain("You're not in a workspace yet");
  });

  test("explains the next step to a person without an organization", async () => {
    const { db } = testApp();
    const owner = await aMember(db, { role: "owner" });
    const gone = await aMember(db, { organization: owner.organization, role: "member" });
    await db.query("UPDATE organization_members SET removed_at = now() WHERE user_id = $1", [
      gone.userId,
    ]);

    for (const address of ["/", "/connect"]) {
      const body = await bodyFor(gone, address);
      expect(body).toContain("You're not in an organization");
      expect(body).not.toContain(owner.organization);
    }
  });

  test("invites people to connect an assistant, briefly once one is connected", async () => {
    const { app, db, config } = testApp();
    const owner = await aMember(db, { role: "owner" });
    await anAsset(owner, "Pump");
    const before = await bodyFor(owner);
    expect(before).toContain("Connect your assistant");
    expect(before).toContain(`value="${config.baseUrl}/mcp"`);

    await connect(app, owner);

    const after = await bodyFor(owner);
    expect(after).toContain("View your connected app");
    expect(after).not.toContain("Server URL");
    const steps = await bodyFor(owner, "/connect");
    expect(steps).toContain(`value="${config.baseUrl}/mcp"`);
    expect(toText(steps)).toContain("add a connector or MCP server");
  });

  test("shows each client's setup steps with this server's address", async () => {
    const { db, config } = testApp();
    const url = `${config.baseUrl}/mcp`;

    const page = await bodyFor(await aMember(db), "/connect");

    const names = [...page.matchAll(/<summary>(.*?)<\/summary>/g)].map(([, name]) => name);
    expect(names).toEqual(
      expect.arrayContaining(["Claude Desktop", "Claude Code", "ChatGPT", "Cursor", "VS Code"]),
    );
    expect(page).toContain(`value="claude mcp add --transport http fettle ${url}"`);
    const settings = [...page.matchAll(/<pre><code>(.*?)<\/code><\/pre>/gs)].map(
      ([, text = ""]) => JSON.parse(text.replaceAll("&quot;", '"')) as Record<string, unknown>,
    );
    expect(settings).toContainEqual({ servers: { fettle: { type: "http", url } } });
    expect(settings).toContainEqual({ mcpServers: { fettle: { url } } });
  });

  test("redirects visitors to sign-in", async () => {
    const { app } = testApp();
    const headers = { accept: "text/html" };
    expect((await app.inject({ url: "/", headers })).headers.location).toBe("/signin");
    const { location } = (await app.inject({ url: "/connect", headers })).headers;
    expect(location).toMatch(/^\/signin\?next=/);
  });
});

describe("home page in a browser", () => {
  const chromium = useChromium();

  browserTest("passes the checks in every view", async () => {
    for (const view of views) {
      const opened = await openPage(chromium(), testApp(), day.owner, view);
      expect(await sweep(opened, ["/", "/connect"])).toEqual({});
      await opened.close();
    }
  });

  browserTest("passes the checks for a viewer and when empty", async () => {
    const empty = await aMember(testApp().db, { role: "owner" });
    for (const member of [day.viewer, empty]) {
      const opened = await openPage(chromium(), testApp(), member, views[2]);
      expect(await sweep(opened, ["/"])).toEqual({});
      await opened.close();
    }
  });

  browserTest("finds assets and opens the next step with the keyboard alone", async () => {
    const opened = await openPage(chromium(), testApp(), day.owner, views[0]);
    const { page } = opened;
    await page.goto("/");
    await page.getByRole("link", { name: "Find" }).focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Search assets").fill("Generator");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/search\?q=Generator$/);

    await page.goto("/");
    await page.locator(".acting > button", { hasText: "(Load test)" }).first().focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Assign to me" }).first().press("Enter");
    await page.getByText(/assigned to Olga Owner/).waitFor();
    await opened.close();
  });
});
