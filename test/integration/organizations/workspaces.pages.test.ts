import { beforeAll, describe, expect, test } from "vitest";
import { createAsset } from "../../../server/src/domain/assets/create-asset.js";
import {
  createWorkspace,
  type NewWorkspace,
} from "../../../server/src/domain/organizations/workspaces.js";
import { useServer } from "../../support/app.js";
import { aMember, aTask, type Member } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { signIn } from "../../support/oauth.js";
import { openPage, sweep, views } from "../../support/pages.js";
import { createReplay, dayFromToday, daysAgo } from "../../support/replay.js";

const testApp = useServer();

async function aPlace(owner: Member, fields: NewWorkspace): Promise<string> {
  const made = await createReplay(testApp().db, owner)(daysAgo(1), (tx, caller) =>
    createWorkspace(tx, caller, fields),
  );
  return made.workspace.id;
}

async function anAsset(owner: Member, workspaceId: string): Promise<string> {
  const made = await createReplay(testApp().db, owner)(daysAgo(1), (tx, caller) =>
    createAsset(tx, caller, { name: "Pump", workspace_id: workspaceId }),
  );
  return made.asset.id;
}

async function pageFor(member: Member, query = "") {
  const browser = await signIn(testApp().app, member);
  return browser.get(`/workspaces${query}`);
}

const hostile = `<img src=x onerror=alert(1)>${"W".repeat(70)}`;

let owner: Member;
let depot: string;
let member: Member;
let viewer: Member;
beforeAll(async () => {
  const { db } = testApp();
  owner = await aMember(db, { role: "owner" });
  depot = await aPlace(owner, {
    name: "Depot",
    description: "Vans and spare parts.",
    address: "Hafenstrasse 1, Potsdam",
  });
  await aPlace(owner, { name: hostile, description: "Long. ".repeat(100) });
  const pump = await anAsset(owner, depot);
  await anAsset(owner, depot);
  await aTask(db, owner, { asset_id: pump, due_date: dayFromToday(-1) });
  await aTask(db, owner, { asset_id: pump });
  await aTask(db, owner, { asset_id: pump, state: "completed" });
  const join = (workspaceRole: "admin" | "viewer") =>
    aMember(db, {
      organization: owner.organization,
      role: "member",
      workspace: "Depot",
      workspaceRole,
    });
  member = await join("admin");
  viewer = await join("viewer");
});

describe("workspaces page", () => {
  test("shows facts, counts linked to lists, and an anchor by id", async () => {
    const { body } = await pageFor(owner);

    expect(body).toContain("2 workspaces");
    expect(body).toContain(`<li id="${depot}" class="place">`);
    // The other name begins with a symbol, which sorts before letters.
    const row = body.slice(body.indexOf(`id="${depot}"`));
    for (const text of ["Vans and spare parts.", "Hafenstrasse 1, Potsdam", "2 members"]) {
      expect(row).toContain(text);
    }
    expect(row).toMatch(new RegExp(`href="/assets\\?workspace_id=${depot}">2 assets<`));
    expect(row).toMatch(new RegExp(`href="/tasks\\?workspace_id=${depot}">2 open tasks<`));
    expect(row).toMatch(
      new RegExp(`href="/tasks\\?state=overdue&amp;workspace_id=${depot}"><span.*?1 overdue<`),
    );
  });

  test("can be added to and edited only by admins", async () => {
    const ofOwner = (await pageFor(owner)).body;
    expect(ofOwner).toContain("Add a workspace");
    expect(ofOwner.match(/class="place-edit"/g)).toHaveLength(2);
    const ofAdmin = (await pageFor(member)).body;
    expect(ofAdmin).not.toContain("Add a workspace");
    expect(ofAdmin).toContain(`class="place-edit" href="/settings/workspaces/${depot}"`);
    const ofViewer = (await pageFor(viewer)).body;
    expect(ofViewer).not.toContain("Add a workspace");
    expect(ofViewer).not.toContain("place-edit");
  });

  test("lists the person's workspaces, with their role in each", async () => {
    for (const [person, role] of [
      [member, "admin"],
      [viewer, "viewer"],
    ] as const) {
      const { body } = await pageFor(person);
      expect(body).toContain("1 workspace<");
      expect(body).toContain(`Your role: ${role}`);
      expect(body).not.toContain("onerror");
    }
    const stranger = await aMember(testApp().db, { role: "owner" });
    expect((await pageFor(stranger)).body).not.toContain("Depot");
  });

  test("shows user input as plain text", async () => {
    const { body } = await pageFor(owner);

    expect(body).not.toContain("<img");
    expect(body).toContain("&lt;img src=x onerror=alert(1)>");
    expect(body).toMatch(/Long\. [^<]*…/);
  });

  test("can be searched, and says when nothing matches", async () => {
    const found = (await pageFor(owner, "?q=spare")).body;
    expect(found).toContain("1 workspace<");
    expect(found).toContain('value="spare"');
    const none = await pageFor(owner, `?q=${encodeURIComponent('%"><b>')}`);
    expect(none.statusCode).toBe(200);
    expect(none.body).toContain("No workspace has that name");
    const long = await pageFor(owner, `?q=${"x".repeat(201)}`);
    expect(long.statusCode).toBe(400);
    expect(long.body).toContain("Search for at most 200 characters.");
  });

  test("is paginated by thirty", async () => {
    const many = await aMember(testApp().db, { role: "owner" });
    for (let count = 10; count <= 41; count += 1) await aPlace(many, { name: `Place ${count}` });

    const first = (await pageFor(many)).body;
    const next = /href="(\/workspaces\?cursor=[^"]+)" rel="next"/.exec(first)?.[1] ?? "";
    const second = (await pageFor(many, next.slice("/workspaces".length))).body;

    expect(first).toContain("30 of 32 workspaces");
    expect(first).not.toContain("Place 40");
    expect(second).toContain("Place 41");
    expect(second).toContain("Back to the first page");
  });

  test("an empty list suggests next steps the person is allowed to take", async () => {
    const { db } = testApp();
    const first = await aMember(db, { role: "owner" });
    const other = await aMember(db, { organization: first.organization, role: "member" });

    expect((await pageFor(first)).body).toContain("No workspaces yet");
    const ofOther = (await pageFor(other)).body;
    expect(ofOther).toContain("You're not in a workspace yet");
    expect(ofOther).not.toContain("Add a workspace");
  });

  describe("in a browser", () => {
    const chromium = useChromium();

    browserTest("has no faults in any view", async () => {
      for (const view of views) {
        const opened = await openPage(chromium(), testApp(), owner, view);
        expect(await sweep(opened, ["/workspaces"])).toEqual({});
        await opened.close();
      }
    });

    browserTest("searches with the form, and marks the workspace in the URL", async () => {
      const { page, close } = await openPage(chromium(), testApp(), owner);
      await page.goto(`/workspaces#${depot}`);
      const marked = await page.evaluate(() => document.querySelector(":target")?.id);
      expect(marked).toBe(depot);
      const form = page.getByRole("search", { name: "Workspaces" });
      await form.getByRole("searchbox").fill("Depot");
      await form.getByRole("button", { name: "Search" }).click();
      await page.waitForURL(/q=Depot/);
      expect(await page.getByRole("heading", { level: 2 }).allTextContents()).toEqual(["Depot"]);
      await close();
    });
  });
});
