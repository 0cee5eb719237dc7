import { beforeAll, describe, expect, test } from "vitest";
import { commit } from "../../../server/src/domain/history/transactions.js";
import { endDueMemberships } from "../../../server/src/domain/people/access-end.js";
import { changeOrganizationRole } from "../../../server/src/domain/people/member-roles.js";
import { useApp } from "../../support/app.js";
import { aMember, toCaller, type Member } from "../../support/builders.js";
import { createBrowser } from "../../support/browser.js";
import { tokenOf } from "../../support/mails.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { daysFromNow } from "../../support/tasks.js";

describe("membership with a last day", () => {
  const testApp = useApp();
  let owner: Connected;

  beforeAll(async () => {
    owner = await connect(testApp());
    await owner.ok("create_workspace", { name: "Plant" });
  });

  const zone = (timeZone: string) =>
    testApp().db.query("UPDATE organizations SET time_zone = $1 WHERE id = $2", [
      timeZone,
      owner.member.organizationId,
    ]);
  const endOn = ({ userId }: Member, day: string) =>
    testApp().db.query("UPDATE organization_members SET access_ends_on = $1 WHERE user_id = $2", [
      day,
      userId,
    ]);
  const aContractor = () => {
    const { organization } = owner.member;
    return connect(testApp(), { organization, role: "member", workspace: "Plant" });
  };
  const isIn = async ({ member }: Connected) => {
    const rows = await testApp().db.query(
      "SELECT 1 FROM organization_members WHERE user_id = $1 AND removed_at IS NULL",
      [member.userId],
    );
    return rows.length === 1;
  };
  const status = async (token: string) =>
    (
      await testApp().app.inject({
        method: "POST",
        url: "/mcp",
        headers: { authorization: `Bearer ${token}` },
        payload: { jsonrpc: "2.0", id: 1, method: "tools/list" },
      })
    ).statusCode;

  test("comes with the invitation, and is shown in lists", async () => {
    const email = "contractor@example.com";
    const access_ends_on = daysFromNow(30);
    const { invite } = await owner.ok<{ invite: { id: string } }>("create_invite", {
      ...{ email, workspace_id: "Plant", access_ends_on },
    });
    const browser = createBrowser(testApp().app);
    const page = await browser.get(`/invites/${await tokenOf(testApp(), invite.id)}`);
    expect(page.body).toContain("Last day with access");
    await browser.submitForm(page, { name: "Con Tractor", password: "A long enough one 4711" });

    const { users } = await owner.ok<{ users: Json[] }>("list_users", { query: "tractor" });

    expect(users).toMatchObject([{ name: "Con Tractor", access_ends_on }]);
  });

  test("must be today or later", async () => {
    const refusal = await owner.refused("create_invite", {
      email: "late@example.com",
      access_ends_on: daysFromNow(-2),
    });

    expect(refusal).toMatchObject({ code: "validation_failed", field: "access_ends_on" });
  });

  test("ends after that day in the organization's time zone, with its assignments and connections", async () => {
    const contractor = await aContractor();
    const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", {
      ...{ name: "Pump", workspace_id: "Plant", assigned_to_user_id: contractor.member.userId },
    });
    // The date always differs between these two zones.
    const row = await testApp().db.maybe<{ today: string }>(
      "SELECT (now() AT TIME ZONE 'Etc/GMT+12')::date AS today",
    );
    await endOn(contractor.member, row?.today ?? "");

    await zone("Etc/GMT+12");
    await endDueMemberships(testApp().db);
    expect(await isIn(contractor)).toBe(true);
    expect(await status(contractor.token)).toBe(200);
    await zone("Pacific/Kiritimati");
    await Promise.all([endDueMemberships(testApp().db), endDueMemberships(testApp().db)]);

    expect(await isIn(contractor)).toBe(false);
    expect(await status(contractor.token)).toBe(401);
    const answer = await owner.ok<{ asset: Json }>("get_asset", { asset_id: asset.id });
    expect(answer.asset).not.toHaveProperty("assigned_to_user_id");
    const told = await testApp().db.query<{ type: string }>(
      `SELECT type FROM activity_log WHERE details ->> 'user_id' = $1 AND type = 'member_removed'`,
      [contractor.member.userId],
    );
    expect(told).toHaveLength(1);
    const browser = await signIn(testApp().app, owner.member);
    expect((await browser.get("/settings/activity")).body).toContain("access has ended");
  });

  test("is cleared when the person becomes an owner, even after returning to admin", async () => {
    const { db } = testApp();
    const person = await aContractor();
    const caller = toCaller(owner.member);
    const giveRole = (role: "owner" | "admin") =>
      commit({ db, caller }, (tx) =>
        changeOrganizationRole(tx, caller, { user_id: person.member.userId, role }),
      );
    await endOn(person.member, daysFromNow(-3));
    await giveRole("owner");
    await giveRole("admin");

    await endDueMemberships(db);

    expect(await isIn(person)).toBe(true);
  });

  test("doesn't end for an owner", async () => {
    const { organization } = owner.member;
    const other = await connect(testApp(), { organization, role: "owner" });
    await endOn(other.member, daysFromNow(-3));

    await endDueMemberships(testApp().db);

    expect(await isIn(other)).toBe(true);
  });

  test("an outdated form doesn't clear a newly set last day", async () => {
    const contractor = await aContractor();
    const address = `/settings/members/${contractor.member.userId}/access-end`;
    const browser = await signIn(testApp().app, owner.member);
    const stale = await browser.get(address);
    await endOn(contractor.member, daysFromNow(5));

    const refused = await browser.submitForm(stale, { access_ends_on: "" });

    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain("after you opened this form");
    expect((await browser.get(address)).body).toContain(daysFromNow(5));
    expect((await browser.submitForm(refused, { access_ends_on: "" })).statusCode).toBe(303);
    expect((await browser.get(address)).body).not.toContain(daysFromNow(5));
  });

  test("admins can set and remove it on the person's page; other people can't", async () => {
    const contractor = await aContractor();
    const address = `/settings/members/${contractor.member.userId}`;
    const browser = await signIn(testApp().app, owner.member);
    const page = await browser.get(`${address}/access-end`);
    const past = await browser.submitForm(page, { access_ends_on: daysFromNow(-2) });
    expect([past.statusCode, past.body]).toEqual([
      400,
      expect.stringContaining("#access_ends_on") as string,
    ]);

    const set = await browser.submitForm(page, { access_ends_on: daysFromNow(5) });
    expect(set.headers.location).toBe(address);
    expect((await browser.get(address)).body).toContain("Change the last day");
    const again = await browser.get(`${address}/access-end`);
    expect(again.body).toContain(daysFromNow(5));
    await browser.submitForm(again, { access_ends_on: "" });
    expect((await browser.get(address)).body).toContain("Set the last day");

    const own = await signIn(testApp().app, contractor.member);
    expect((await own.get(`${address}/access-end`)).statusCode).toBe(403);
    const admin = await aMember(testApp().db, {
      organization: owner.member.organization,
      role: "admin",
    });
    const self = await signIn(testApp().app, admin);
    const selfPage = await self.get(`/settings/members/${admin.userId}/access-end`);
    const refused = await self.submitForm(selfPage, { access_ends_on: daysFromNow(5) });
    expect(refused.body).toContain("Ask another admin");
  });
});
