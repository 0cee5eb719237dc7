import type { FastifyInstance } from "fastify";
import type { Database } from "../../../server/src/db/database.js";
import { describe, expect, test } from "vitest";
import { useApp, useServer } from "../../support/app.js";
import type { TestBrowser } from "../../support/browser.js";
import { aMember, type Member } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { callWith, connect, signIn } from "../../support/oauth.js";
import { findProblems, openPage, sweep, views } from "../../support/pages.js";

function disconnectLinks(html: string): string[] {
  return [...html.matchAll(/href="(\/settings\/apps\/[^"]+\/disconnect)"/g)].map(
    ([, address = ""]) => address,
  );
}

/** An owner, an admin and a member of one organization. */
async function aTeam(db: Database): Promise<{ owner: Member; admin: Member; member: Member }> {
  const owner = await aMember(db, { role: "owner", name: "Olga Owner" });
  const { organization } = owner;
  return {
    owner,
    admin: await aMember(db, { organization, role: "admin", name: "Adam Admin" }),
    member: await aMember(db, { organization, role: "member", name: "Mona Member" }),
  };
}

async function createAsset(app: FastifyInstance, token: string): Promise<void> {
  const answer = await app.inject({
    method: "POST",
    url: "/mcp",
    headers: {
      host: new URL(app.services.config.baseUrl).host,
      authorization: `Bearer ${token}`,
      accept: "application/json, text/event-stream",
    },
    payload: {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "create_asset", arguments: { name: "Feed pump" } },
    },
  });
  expect(answer.body).toContain("inventory_number");
}

async function tokenOf(browser: TestBrowser): Promise<string> {
  const page = await browser.get("/settings");
  return /name="_csrf" value="([^"]*)"/.exec(page.body)?.[1] ?? "";
}

describe("Apps connected by other people", () => {
  const current = useApp();

  test("owners and admins see person, app and permissions; members don't", async () => {
    const { app, db } = current();
    const { owner, admin, member } = await aTeam(db);
    await connect(app, member, { scope: ["mcp_read", "mcp_write"] }, { client_name: "Helper" });
    await connect(app, owner, {}, { client_name: "Owner's app" });
    await connect(app, await aMember(db), {}, { client_name: "App of another organization" });

    const forAdmin = (await (await signIn(app, admin)).get("/settings/apps")).body;
    const forOwner = (await (await signIn(app, owner)).get("/settings/apps")).body;
    const forMember = (await (await signIn(app, member)).get("/settings/apps")).body;

    expect(forAdmin).toContain("2 connections");
    expect(forAdmin).toContain("Helper");
    expect(forAdmin).toContain('<strong dir="auto">Mona Member</strong>');
    expect(forAdmin).toContain("Add and change");
    expect(forAdmin).toContain("Owner's app");
    expect(forOwner).toContain("1 connection<");
    expect(forMember).not.toContain("Owner's app");
    expect(forMember).not.toContain("Other people's apps");
    for (const body of [forAdmin, forOwner, forMember]) {
      expect(body).not.toContain("another organization");
    }
  });

  test("SET-09: an admin immediately disconnects even an owner's app, with log entry and notice", async () => {
    const { app, db } = current();
    const { owner, admin } = await aTeam(db);
    const { browser: theirs, tokens } = await connect(app, owner);
    const browser = await signIn(app, admin);
    const [address = ""] = disconnectLinks((await browser.get("/settings/apps")).body);
    const question = await browser.get(address);

    const answer = await browser.submitForm(question, {});
    const again = await browser.submitForm(question, {});

    expect(question.body).toContain("Disconnect Olga Owner's Test app?");
    expect(question.body).toContain('<strong dir="auto">Olga Owner</strong>');
    expect([answer.statusCode, again.statusCode]).toEqual([303, 303]);
    expect((await browser.get("/settings/apps")).body).toContain("was already disconnected");
    expect(await callWith(app, tokens.access_token)).toBe(401);
    const notice = (await theirs.get("/settings/apps")).body;
    expect(notice).toContain("Adam Admin disconnected Test app");
    expect(notice).toContain("No app is connected");
    const entries: unknown = await db.query(
      `SELECT user_id, actor_name, organization_id, details->>'name' AS name,
         details->>'user_id' AS person
       FROM activity_log WHERE type = 'app_disconnected'`,
    );
    expect(entries).toEqual([
      {
        user_id: admin.userId,
        actor_name: "Adam Admin",
        organization_id: owner.organizationId,
        name: "Olga Owner",
        person: owner.userId,
      },
    ]);
  });

  test("the notice disappears after 14 days, and disconnecting your own app leaves none", async () => {
    const { app, db } = current();
    const { owner, member } = await aTeam(db);
    const { browser: theirs } = await connect(app, member);
    const browser = await signIn(app, owner);
    const [address = ""] = disconnectLinks((await browser.get("/settings/apps")).body);
    await browser.submitForm(await browser.get(address), {});
    expect((await theirs.get("/settings/apps")).body).toContain("Olga Owner disconnected");

    await db.query(
      `UPDATE oauth_connections SET revoked_at = now() - interval '15 days'
       WHERE user_id = $1`,
      [member.userId],
    );
    const { browser: own } = await connect(app, owner, {}, { client_name: "Own app" });
    const [mine = ""] = disconnectLinks((await own.get("/settings/apps")).body);
    await own.submitForm(await own.get(mine), {});

    expect((await theirs.get("/settings/apps")).body).not.toContain("Olga Owner disconnected");
    const after = (await own.get("/settings/apps")).body;
    expect(after).toContain("Own app disconnected.");
    expect(after).not.toContain("Olga Owner disconnected");
  });

  test("members, former admins and admins of other organizations can't disconnect an app", async () => {
    const { app, db } = current();
    const { owner, admin, member } = await aTeam(db);
    const { tokens } = await connect(app, owner);
    const former = await signIn(app, admin);
    const [address = ""] = disconnectLinks((await former.get("/settings/apps")).body);
    await db.query("UPDATE organization_members SET role = 'member' WHERE user_id = $1", [
      admin.userId,
    ]);
    const elsewhere = await aMember(db, { role: "owner" });

    for (const browser of [former, await signIn(app, member), await signIn(app, elsewhere)]) {
      const _csrf = await tokenOf(browser);
      expect((await browser.get(address)).statusCode).toBe(404);
      expect((await browser.post(address, { _csrf })).statusCode).toBe(404);
    }
    expect(await callWith(app, tokens.access_token)).toBe(200);
  });

  test("counts an app's changes this week by app, person and organization", async () => {
    const { app, db } = current();
    const { owner, admin } = await aTeam(db);
    const writer = await connect(app, owner, { scope: ["mcp_read", "mcp_write"] });
    await connect(app, owner, {}, { client_name: "Reader" });
    await createAsset(app, writer.tokens.access_token);
    await createAsset(app, writer.tokens.access_token);

    const own = (await writer.browser.get("/settings/apps")).body;
    const seen = (await (await signIn(app, admin)).get("/settings/apps")).body;
    await db.query("ALTER TABLE history_events DISABLE TRIGGER USER");
    await db.query(
      `UPDATE history_events SET occurred_at = occurred_at - interval '8 days',
         recorded_at = recorded_at - interval '8 days'`,
    );
    await db.query("ALTER TABLE history_events ENABLE TRIGGER USER");
    const later = (await writer.browser.get("/settings/apps")).body;

    for (const body of [own, seen]) {
      expect(body.match(/Made 2 changes/g)).toHaveLength(1);
      expect(body.match(/No changes/g)).toHaveLength(1);
    }
    expect(later.match(/No changes/g)).toHaveLength(2);
  });

  test("are paginated and searchable by person, email and app; odd searches find nothing", async () => {
    const { app, db } = current();
    const { owner, member } = await aTeam(db);
    const { client } = await connect(app, member, {}, { client_name: "Helper" });
    await db.query(
      `INSERT INTO oauth_connections
         (id, organization_id, user_id, client_id, scopes, resource, redirect_uri)
       SELECT 'con_' || lpad(n::text, 12, '0'), $1, $2, $3, '{mcp_read}', 'x', $4
       FROM generate_series(1, 30) n`,
      [owner.organizationId, member.userId, client.id, client.redirectUri],
    );
    await db.query("UPDATE oauth_clients SET name = 'Helper <b>9</b>' WHERE id = $1", [client.id]);
    const browser = await signIn(app, owner);
    const count = async (q: string) =>
      disconnectLinks((await browser.get(`/settings/apps?${new URLSearchParams({ q })}`)).body)
        .length;

    const first = (await browser.get("/settings/apps")).body;
    const next = /href="(\/settings\/apps\?cursor=[^"]+)" rel="next"/.exec(first)?.[1] ?? "";
    const second = (await browser.get(next)).body;

    expect(first).toContain("25 of 31 connections");
    expect(first).toContain("Helper &lt;b>9");
    expect(new Set([...disconnectLinks(first), ...disconnectLinks(second)]).size).toBe(31);
    expect(second).toContain("Back to the first page");
    expect(await count("mona helper")).toBe(25);
    expect(await count(member.email)).toBe(25);
    for (const q of ["nobody", "%", "_", "'\"<script>", "\\"]) expect(await count(q), q).toBe(0);
    const endless = (await browser.get(`/settings/apps?q=${"x".repeat(3000)}`)).body;
    expect(endless).toContain(`value="${"x".repeat(200)}"`);
    expect((await browser.get(`${next}x`)).statusCode).toBe(400);
  });
});

describe("The person's pages in Chromium", () => {
  const current = useServer();
  const chromium = useChromium();

  browserTest.each(views)(
    "every page is accessible at $width px, $colorScheme, with apps, notices and sessions",
    async (view) => {
      const { app, db } = current();
      const { owner, member } = await aTeam(db);
      const scope = ["mcp_read", "mcp_write"];
      await connect(app, member, { scope }, { client_name: "x".repeat(80) });
      const { browser } = await connect(app, owner);
      await db.query(
        `UPDATE oauth_connections SET revoked_at = now(), revoked_reason = 'refresh_reuse'
         WHERE user_id = $1`,
        [owner.userId],
      );
      await connect(app, owner);
      const [own = "", others = ""] = disconnectLinks((await browser.get("/settings/apps")).body);
      const opened = await openPage(chromium(), current(), owner, view);
      await opened.page.goto("/settings/sessions");
      const end = opened.page.getByRole("link", { name: /^End the session/ }).first();

      const problems = await sweep(opened, [
        "/settings",
        "/settings/password",
        "/settings/sessions",
        (await end.getAttribute("href")) ?? "",
        "/settings/sessions/others/end",
        "/settings/apps",
        own,
        others,
        "/settings/activity",
      ]);

      expect(problems).toEqual({});
      await opened.close();
    },
  );

  browserTest("disconnects an app using only the keyboard", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const { tokens } = await connect(app, member);
    const { page, complaints, close } = await openPage(chromium(), current(), member, views[1]);
    await page.goto("/settings/apps");
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");
    const tabTo = async (words: string) => {
      for (let presses = 0; presses < 40 && (await focused()) !== words; presses += 1) {
        await page.keyboard.press("Tab");
      }
      expect(await focused()).toBe(words);
    };

    await tabTo("Disconnect");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/disconnect$/);
    expect(await callWith(app, tokens.access_token)).toBe(200);
    await tabTo("Disconnect");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/settings\/apps$/);

    expect(await page.getByRole("status").textContent()).toContain("Test app disconnected.");
    expect(await callWith(app, tokens.access_token)).toBe(401);
    expect(complaints).toEqual([]);
    await close();
  });

  for (const view of views) {
    browserTest(
      `name, password and sessions are changed at ${view.width} px, ${view.colorScheme}, ${view.javaScriptEnabled ? "with" : "without"} scripts`,
      async () => {
        const { app, db } = current();
        const member = await aMember(db);
        await signIn(app, member);
        await signIn(app, member);
        const opened = await openPage(chromium(), current(), member, view);
        const { page, complaints } = opened;

        await page.goto("/settings");
        await page.getByLabel("Name").fill("Nora Renamed");
        await page.getByRole("button", { name: "Save" }).click();
        expect(await page.getByRole("status").textContent()).toContain("Account saved.");
        await page.goto("/settings/sessions");
        await page
          .getByRole("link", { name: /^End the session/ })
          .first()
          .click();
        await page.getByRole("button", { name: "End session" }).click();
        expect(await page.getByRole("status").textContent()).toContain("Session ended.");
        await page.goto("/settings/password");
        await page.getByLabel("Current password").fill("can't use this one");
        await page.getByLabel("New password").fill("four unrelated words");
        await page.getByRole("button", { name: "Change password" }).click();
        expect(await page.getByRole("alert").textContent()).toContain("is wrong");
        expect(await findProblems(page)).toEqual([]);
        await page.getByLabel("Current password").fill(member.password);
        await page.getByLabel("New password").fill("four unrelated words");
        await page.getByRole("button", { name: "Change password" }).click();

        expect(await page.getByRole("status").textContent()).toContain("1 other browser");
        expect(complaints).toEqual([]);
        await opened.close();
      },
    );
  }
});
