import { beforeAll, describe, expect, test } from "vitest";
import { useServer } from "../../support/app.js";
import type { TestBrowser } from "../../support/browser.js";
import { aMember, aTask, type Member } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { signIn } from "../../support/oauth.js";
import { openPage, sweep, views } from "../../support/pages.js";

const people = 5000;

describe("LIM-99: organization with thousands of people", () => {
  const current = useServer();
  const chromium = useChromium();
  let owner: Member;
  let browser: TestBrowser;

  const idOf = (nr: number) => `usr_${String(nr).padStart(12, "0")}`;
  const choice = (nr: number) => `Nr ${nr} (${idOf(nr)})`;
  const listOf = (body: string) => [...body.matchAll(/<option value="Nr \d+ \(usr_/g)].length;

  beforeAll(async () => {
    const { db } = current();
    owner = await aMember(db, { role: "owner", workspace: "Works" });
    browser = await signIn(current().app, owner);
    await db.query(
      `INSERT INTO users (id, email, name)
       SELECT 'usr_' || lpad(i::text, 12, '0'), 'nr' || i || '@crowd.example', 'Nr ' || i
       FROM generate_series(1, $1::int) i`,
      [people],
    );
    await db.query(
      `INSERT INTO organization_members (organization_id, user_id, role)
       SELECT $1, 'usr_' || lpad(i::text, 12, '0'), 'admin' FROM generate_series(1, $2::int) i`,
      [owner.organizationId, people],
    );
  });

  async function addAsset(name: string, responsible: string): Promise<string> {
    const form = await browser.get("/assets/new");
    const fields = { name, assigned_to_user_id: responsible };
    const answer = await browser.submitForm(form, fields, { action: "/assets/new" });
    return answer.statusCode === 303 ? String(answer.headers.location) : answer.body;
  }

  const responsibleFor = async (name: string): Promise<unknown> => {
    const row = await current().db.maybe<{ assigned_to_user_id: unknown }>(
      "SELECT assigned_to_user_id FROM assets WHERE name = $1",
      [name],
    );
    return row?.assigned_to_user_id;
  };

  test("limits the people listed on each page", async () => {
    const { id: task } = await aTask(current().db, owner, {
      ...{ title: "Check", due_date: "2026-11-30", workspace_id: owner.workspaceId ?? "" },
    });
    const address = (await addAsset("Press", "")).replace(/\?.*/, "");
    for (const path of [
      ...["/", "/assets", "/assets/new", "/tasks", "/tasks/new", "/plan", "/settings/activity"],
      ...[`${address}/edit`, `/tasks/${task}/edit`, `/tasks/change?ids=${task}`],
    ]) {
      const page = await browser.get(path);
      expect([path, page.statusCode]).toEqual([path, 200]);
      expect([path, Buffer.byteLength(page.body) < 60_000]).toEqual([path, true]);
      // The plan has a filter and a choice for the selected tasks.
      const lists = path === "/plan" ? 2 : 1;
      if (path !== "/") expect([path, listOf(page.body)]).toEqual([path, 100 * lists]);
    }
  });

  test.each([
    ["by what the list wrote", () => choice(4711)],
    ["by name", () => "nr 4711"],
    ["by email address", () => "nr4711@crowd.example"],
    ["by id", () => idOf(4711)],
  ])("accepts any assignee %s", async (how, typed) => {
    await addAsset(how, typed());

    expect(await responsibleFor(how)).toBe(idOf(4711));
  });

  test("rejects an unknown name, keeps the typed text and stores nothing", async () => {
    const body = await addAsset("Unknown", "Nr 99999");

    expect(body).toContain("Nr 99999");
    expect(body).toContain("error-summary");
    expect(await responsibleFor("Unknown")).toBeUndefined();
  });

  test("keeps the assignee when a form is submitted unchanged", async () => {
    const address = (await addAsset("Kept", choice(4000))).replace(/\?.*/, "");
    const form = await browser.get(`${address}/edit`);
    expect(form.body).toContain(`value="${choice(4000)}"`);

    const sent = await browser.submitForm(form, {
      ...{ name: "Kept too", criticality: "low", assigned_to_user_id: choice(4000) },
    });

    expect(sent.statusCode).toBe(303);
    expect(await responsibleFor("Kept too")).toBe(idOf(4000));
  });

  test("filters by a typed name and shows the filter", async () => {
    await addAsset("Filtered", choice(3333));
    for (const typed of [choice(3333), "Nr 3333", "nr3333@crowd.example"]) {
      const page = await browser.get(`/assets?assignee=${encodeURIComponent(typed)}`);
      expect(page.body).toContain("Filtered");
      expect(page.body).not.toContain("Kept too");
    }
    const none = await browser.get("/assets?assignee=none");
    expect(none.body).toContain("Assignee: Unassigned");
    const activity = await browser.get("/settings/activity?person=Nr+3333");
    expect(activity.body).toContain(`value="Nr 3333"`);
  });

  browserTest.each(views)("renders pages without problems %#", async (view) => {
    const opened = await openPage(chromium(), current(), owner, view);

    expect(await sweep(opened, ["/assets/new", "/assets?assignee=Nr+3", "/plan"])).toEqual({});

    await opened.page.goto("/assets/new");
    await opened.page.getByLabel("Name").fill(`Chosen ${String(views.indexOf(view))}`);
    const folds = opened.page.locator("form summary");
    for (const fold of await folds.all()) if (await fold.isVisible()) await fold.click();
    await opened.page.getByLabel("Assignee").fill("nr 4000");
    await opened.page.getByRole("button", { name: "Add" }).click();
    await opened.page.waitForURL(/ast_/);
    await opened.close();
    expect(await responsibleFor(`Chosen ${String(views.indexOf(view))}`)).toBe(idOf(4000));
  });
});
