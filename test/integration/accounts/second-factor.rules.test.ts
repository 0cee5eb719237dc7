import { describe, expect, test } from "vitest";
import { resetSecondFactors } from "../../../server/src/domain/accounts/second-factors.js";
import { useApp } from "../../support/app.js";
import type { TestBrowser } from "../../support/browser.js";
import { aMember, type Member } from "../../support/builders.js";
import { connect } from "../../support/mcp.js";
import { aChallenge, aClient, follow, openConsent, returnOf, signIn } from "../../support/oauth.js";
import { security, setUpAuthenticator } from "../../support/second-factors.js";

const rulesAddress = "/settings/organization/second-factor";

const rules = {
  admins_need_second_factor: "yes",
  destructive_needs_second_factor: "yes",
};

describe("organization that requires a second factor", () => {
  const current = useApp();

  async function setRules({ organizationId }: Member, admins: boolean, destructive = false) {
    await current().db.query(
      `UPDATE organizations SET admins_need_second_factor = $2,
         destructive_needs_second_factor = $3 WHERE id = $1`,
      [organizationId, admins, destructive],
    );
  }

  async function resetFactorsOf({ userId: id, name, email }: Member) {
    await current().db.transaction((tx) => resetSecondFactors(tx, undefined, { id, name, email }));
  }

  async function allow(browser: TestBrowser, scope: string[]) {
    const page = await openConsent(browser, await aClient(current().app), aChallenge());
    const acknowledge_destructive = scope.includes("mcp_destructive") ? "yes" : "";
    return browser.submitForm(page, { scope, acknowledge_destructive, decision: "allow" });
  }

  test("MFA-20 both rules are off, changed by admins with a factor, shown and logged", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const member = await aMember(db, { organization: owner.organization, role: "member" });
    const browser = await signIn(app, owner);
    expect((await browser.get("/settings/organization")).body.match(/Not required/g)).toHaveLength(
      2,
    );
    const page = await browser.get(rulesAddress);
    expect(page.body).toContain("You don't have a second factor yourself");
    expect(page.body).toContain("Currently without: 1 of 1 owner or admin");

    const without = await browser.submitForm(page, rules);
    expect(without.statusCode).toBe(400);
    expect(without.body).toContain("Set up a second factor for your own account first");
    await setUpAuthenticator(browser, owner);
    const saved = await browser.submitForm(await browser.get(rulesAddress), rules);
    expect(saved.headers.location).toBe("/settings/organization");
    const off = { destructive_needs_second_factor: "yes" };
    await browser.submitForm(await browser.get(rulesAddress), off);

    const reader = await signIn(app, member);
    const shown = await reader.get("/settings/organization");
    expect(shown.body.match(/>Not required</g)).toHaveLength(1);
    expect(shown.body.match(/>Required</g)).toHaveLength(1);
    expect((await reader.get(rulesAddress)).statusCode).toBe(403);
    const logged = await db.query<{ details: object }>(
      `SELECT details FROM activity_log WHERE organization_id = $1
         AND type = 'second_factor_rules_changed' ORDER BY id`,
      [owner.organizationId],
    );
    expect(logged.map(({ details }) => details)).toEqual([
      { admins_need_second_factor: true, destructive_needs_second_factor: true },
      { admins_need_second_factor: false },
    ]);
    expect((await browser.get("/settings/activity")).body).toContain(
      "no longer for owners and admins",
    );
  });

  test("MFA-21 admins without a factor are sent to set-up and back; members are not", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const member = await aMember(db, { organization: owner.organization, role: "member" });
    await setRules(owner, true);
    const browser = await signIn(app, owner);

    for (const url of ["/settings/members", "/settings/organization", "/settings/members/invite"]) {
      expect((await browser.get(url)).headers.location, url).toBe(security);
    }
    for (const url of ["/", "/assets", "/settings", "/settings/apps", "/settings/activity"]) {
      expect((await browser.get(url)).statusCode, url).toBe(200);
    }
    expect((await browser.get(security)).body).toContain(
      "Your organization requires a second factor for owners and admins",
    );
    await setUpAuthenticator(browser, owner);
    const after = await browser.get(security);
    expect(after.body).toContain('<a href="/settings/members/invite">Continue');
    expect((await browser.get("/settings/members/invite")).statusCode).toBe(200);
    const reader = await signIn(app, member);
    expect((await reader.get("/settings/members")).statusCode).toBe(200);
  });

  test("MFA-28 input from an admin without a factor waits, then returns to the form", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const browser = await signIn(app, owner);
    const page = await browser.get("/assets/new");
    await setRules(owner, true);
    const name = "Pump with a long story";

    const led = await browser.submitForm(page, { name });
    expect(led.headers.location).toBe(security);
    expect((await browser.get(security)).body).toContain("Your input is kept");
    await setUpAuthenticator(browser, owner);
    expect((await browser.get(security)).body).toContain('<a href="/assets/new">Continue');
    const again = await browser.get("/assets/new");
    expect(again.body).toContain(`value="${name}"`);
    const saved = await browser.submitForm(again, { name });
    expect(saved.statusCode).toBe(303);
    expect((await browser.get("/assets/new")).body).not.toContain(`value="${name}"`);

    await resetFactorsOf(owner);
    const changing = await signIn(app, owner);
    const edit = `${String(saved.headers.location)}/edit`;
    await setRules(owner, false);
    const opened = await changing.get(edit);
    await setRules(owner, true);
    await changing.submitForm(opened, { name: "Another name" });
    await setUpAuthenticator(changing, owner);
    expect((await changing.get(edit)).body).toContain('value="Another name"');
  });

  test("MFA-29 kept input is shown only in its organization's form, to its author", async () => {
    const { app, db } = current();
    const person = await aMember(db);
    const elsewhere = await aMember(db, { email: person.email });
    const { organization } = person;
    const colleague = await aMember(db, { organization, role: "admin" });
    const leaving = await aMember(db, { organization, role: "admin" });
    const name = "Pump of one organization";
    const openIn = async (browser: TestBrowser, { organizationId }: Member) => {
      const choice = { organization_id: organizationId };
      await browser.submitForm(await browser.get("/organizations"), choice);
      return browser.get("/assets/new");
    };

    const browser = await signIn(app, person);
    const page = await openIn(browser, person);
    await openIn(browser, elsewhere);
    await setRules(person, true);
    expect((await browser.submitForm(page, { name })).headers.location).toBe(security);
    await setUpAuthenticator(browser, person);
    expect((await openIn(browser, elsewhere)).body).not.toContain(name);
    expect((await openIn(browser, person)).body).toContain(name);

    await setRules(person, false);
    const shared = await signIn(app, leaving);
    const opened = await shared.get("/assets/new");
    await setRules(person, true);
    expect((await shared.submitForm(opened, { name })).headers.location).toBe(security);
    const signOut = { action: "/signout" };
    await shared.submitForm(await shared.get("/assets"), {}, signOut);
    const { email, password } = colleague;
    await shared.submitForm(await shared.get("/signin"), { email, password });
    await setUpAuthenticator(shared, colleague);
    const shown = await shared.get("/assets/new");
    expect(shown.statusCode).toBe(200);
    expect(shown.body).not.toContain(name);
  });

  test("LIM-76 long input that such an admin sends with a file form is not kept", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const browser = await signIn(app, owner);
    const page = await browser.get("/import");
    await setRules(owner, true);
    const texts = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`field-${index}`, "x".repeat(10_000)]),
    );

    const led = await browser.sendFiles(page, "/import", [], { kind: "tasks", ...texts });

    expect(led.headers.location).toBe(security);
    expect((await browser.get(security)).body).toContain("too long to keep");
    const rows = await db.query<{ length: number }>(
      "SELECT octet_length(data::text) AS length FROM sessions WHERE user_id = $1",
      [owner.userId],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.length).toBeLessThan(10_000);

    await browser.sendFiles(page, "/import", [], { kind: "tasks" });
    expect((await browser.get(security)).body).toContain("Your input is kept.");
  });

  test("MFA-22 admins without a factor can't use admin actions, also through an app", async () => {
    const { app } = current();
    const session = await connect(current());
    const { asset } = await session.ok<{ asset: { id: string } }>("create_asset", { name: "Pump" });
    await setRules(session.member, true);

    const refused = await session.call("create_workspace", { name: "Hall" });
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused.content)).toContain("Sign-in and security");
    await session.ok("get_asset", { asset_id: asset.id });
    const browser = await signIn(app, session.member);
    const page = await browser.get(`/assets/${asset.id}/delete`);
    expect(page.headers.location).toBe(security);
    await setUpAuthenticator(browser, session.member);
    await session.ok("create_workspace", { name: "Hall" });
    expect((await browser.get(`/assets/${asset.id}/delete`)).statusCode).toBe(200);
  });

  test.each([
    ["create_workspace", { name: "Hall" }],
    ["update_workspace", { workspace_id: "Lab", description: "Cold" }],
    ["delete_workspace", { workspace_id: "Lab" }],
    ["create_asset", { name: "Pump" }],
    ["force_delete_asset", { asset_id: "asset", confirm_inventory_number: "number" }],
    ["create_invite", { email: "ann@example.com" }],
    ["resend_invite", { invite_id: "invite" }],
    ["delete_invite", { invite_id: "invite" }],
    ["list_invites", {}],
    ["remove_user", { user_id: "person", from_organization: true }],
  ])("MFA-22 %s does nothing for an admin without a factor", async (tool, args) => {
    const session = await connect(current());
    const { organization } = session.member;
    const other = await aMember(current().db, { organization, role: "member" });
    await session.ok("create_workspace", { name: "Lab" });
    const { asset } = await session.ok<{ asset: { id: string; inventory_number: string } }>(
      "create_asset",
      { name: "Fan" },
    );
    const { invite } = await session.ok<{ invite: { id: string } }>("create_invite", {
      email: "bob@example.com",
    });
    const ids = { asset_id: asset.id, invite_id: invite.id, user_id: other.userId };
    const known = { ...ids, confirm_inventory_number: asset.inventory_number };
    const filled = Object.entries(known).filter(([name]) => name in args);
    await setRules(session.member, true);

    const refused = await session.call(tool, { ...args, ...Object.fromEntries(filled) });

    expect(JSON.stringify(refused.content)).toContain("Sign-in and security");
    expect(refused.isError).toBe(true);
  });

  test("MFA-22 an admin without a factor lists no invitations as workspace admin either", async () => {
    const session = await connect(current());
    await session.ok("create_workspace", { name: "Lab" });
    const { organizationId, userId } = session.member;
    await current().db.query(
      `INSERT INTO workspace_members (organization_id, workspace_id, user_id, role)
       SELECT $1, id, $2, 'admin' FROM workspaces WHERE organization_id = $1`,
      [organizationId, userId],
    );
    await setRules(session.member, true);

    const refused = await session.call("list_invites", {});

    expect(JSON.stringify(refused.content)).toContain("Sign-in and security");
    const { people } = await session.ok("get_organization_stats", {});
    expect(people).not.toHaveProperty("pending_invites");
  });

  test("MFA-22 hides other people's activity from an admin without a factor", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const other = await aMember(db, { organization: owner.organization, role: "member" });
    await signIn(app, other);
    const browser = await signIn(app, owner);
    expect((await browser.get("/settings/activity")).body).toContain(other.name);
    await setRules(owner, true);

    const page = await browser.get("/settings/activity");

    expect(page.body).not.toContain(other.name);
    expect(page.body).not.toContain("Download");
  });

  test("MFA-23 an admin without a factor sets one up before connecting an app", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    await setRules(owner, true);
    const browser = await signIn(app, owner);

    expect((await allow(browser, ["mcp_read"])).headers.location).toBe(security);
    const codes = await db.query("SELECT 1 FROM oauth_authorization_codes WHERE user_id = $1", [
      owner.userId,
    ]);
    expect(codes).toEqual([]);
    await setUpAuthenticator(browser, owner);
    const link = /<a href="(\/oauth\/authorize\?[^"]*)">Continue/.exec(
      (await browser.get(security)).body,
    );
    const address = (link?.[1] ?? "").replaceAll("&amp;", "&");
    const page = await follow(browser, await browser.get(address));
    expect(page.body).toContain("wants to connect");
    const answer = await browser.submitForm(page, { scope: ["mcp_read"], decision: "allow" });
    expect(returnOf(answer).values.get("code")).toBeTruthy();
    expect(returnOf(answer).values.get("state")).toBe("state-1");
  });

  test("MFA-24 mcp_destructive requires a factor if configured, for members too; other scopes do not", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const member = await aMember(db, { organization: owner.organization, role: "member" });
    const destructive = ["mcp_read", "mcp_destructive"];
    const browser = await signIn(app, member);
    expect(returnOf(await allow(browser, destructive)).values.get("code")).toBeTruthy();
    await setRules(owner, false, true);

    expect((await allow(browser, destructive)).headers.location).toBe(security);
    expect((await browser.get(security)).body).toContain(
      "Letting an app delete permanently requires",
    );
    expect(
      returnOf(await allow(browser, ["mcp_read", "mcp_write"])).values.get("code"),
    ).toBeTruthy();
    await setUpAuthenticator(browser, member);
    expect(returnOf(await allow(browser, destructive)).values.get("code")).toBeTruthy();
  });

  test("MFA-27 a previously approved app deletes nothing without a factor; the admin sees the count", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const admin = { organization: owner.organization, role: "admin" } as const;
    const session = await connect(current(), admin);
    const create = async () =>
      (
        await session.ok<{ asset: { id: string; inventory_number: string } }>("create_asset", {
          name: "Pump",
        })
      ).asset;
    const { id: asset_id, inventory_number: confirm_inventory_number } = await create();
    const deletion = { asset_id, confirm_inventory_number };
    const browser = await signIn(app, owner);
    expect((await browser.get(rulesAddress)).body).toContain(
      "1 person with such an app has no second factor.",
    );
    await setRules(owner, false, true);

    const refused = await session.refused("force_delete_asset", deletion);
    expect(refused).toMatchObject({ code: "forbidden" });
    expect(refused.message).toContain("requires a second factor");
    expect(await session.refused("force_delete_asset", { ...deletion, dry_run: true })).toEqual(
      refused,
    );
    await session.ok("update_asset_state", { asset_id, state: "deleted" });
    await setUpAuthenticator(await signIn(app, session.member), session.member);
    await session.ok("force_delete_asset", deletion);
    expect((await browser.get(rulesAddress)).body).toContain(
      "Everyone with such an app has a second factor.",
    );
  });

  test("MFA-25 the last factor can't be removed where the organization requires one", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const member = await aMember(db, { organization: owner.organization, role: "member" });
    await setRules(owner, true, true);
    for (const [person, status] of [
      [owner, 400],
      [member, 303],
    ] as const) {
      const browser = await signIn(app, person);
      await setUpAuthenticator(browser, person);
      const page = await browser.get(`${security}/authenticator/remove`);
      const answer = await browser.submitForm(page, {});
      expect(answer.statusCode).toBe(status);
      if (status === 400) expect(answer.body).toContain("this is your last one");
    }
  });

  test("MFA-26 the last factor stays while an app allowed to delete awaits its token", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const member = await aMember(db, { organization: owner.organization, role: "member" });
    await setRules(owner, false, true);
    const browser = await signIn(app, member);
    await setUpAuthenticator(browser, member);
    const allowed = await allow(browser, ["mcp_read", "mcp_destructive"]);
    expect(returnOf(allowed).values.get("code")).toBeTruthy();

    const page = await browser.get(`${security}/authenticator/remove`);
    const answer = await browser.submitForm(page, {});

    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain("this is your last one");
  });
});
