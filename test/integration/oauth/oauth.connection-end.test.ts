import { describe, expect, inject, test } from "vitest";
import { endExpiredConnections } from "../../../server/src/domain/oauth/connections-ended.js";
import { endMembership, removeUser } from "../../../server/src/domain/people/member-removal.js";
import { addMember } from "../../../server/src/domain/organizations/organizations.js";
import { useApp } from "../../support/app.js";
import { aMember, toCaller, type Member } from "../../support/builders.js";
import { untilOneWaits } from "../../support/database.js";
import {
  aChallenge,
  aClient,
  approve,
  callWith,
  connect,
  exchange,
  openConsent,
  refresh,
  signIn,
} from "../../support/oauth.js";

const current = useApp();

describe("connection with an expiry", () => {
  async function daysOf({ userId }: Member): Promise<number | null> {
    const row = await current().db.maybe<{ days: number | null }>(
      `SELECT extract(day FROM expires_at - created_at)::int AS days FROM oauth_connections
       WHERE user_id = $1`,
      [userId],
    );
    return row?.days ?? null;
  }

  /** Lets the chosen period expire. */
  async function end({ userId }: Member) {
    await current().db.query(
      "UPDATE oauth_connections SET expires_at = now() - interval '1 minute' WHERE user_id = $1",
      [userId],
    );
  }

  test.each([
    ["", null],
    ["30", 30],
    ["90", 90],
    ["365", 365],
  ])("CON-24: selecting %j sets the expiry in days to %j", async (connection_days, days) => {
    const member = await aMember(current().db);

    const { browser, tokens } = await connect(current().app, member, { connection_days });

    expect(await daysOf(member)).toBe(days);
    expect(tokens.expires_in).toBe(7200);
    const list = (await browser.get("/settings/apps")).body;
    expect(list.includes("<dt>Until</dt>")).toBe(days !== null);
    const log = (await browser.get("/settings/activity")).body;
    expect(log.includes(`with read for ${String(days)} days.`)).toBe(days !== null);
  });

  test("CON-24: never expires without the field, and an unoffered period is rejected", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    await connect(app, member);
    expect(await daysOf(member)).toBeNull();
    const browser = await signIn(app, member);
    const page = await openConsent(browser, await aClient(app), aChallenge());

    for (const connection_days of ["0", "-1", "31", "36500", "30 days"]) {
      const fields = { scope: "mcp_read", decision: "allow", connection_days };
      const refused = await browser.submitForm(page, fields);
      expect(refused.statusCode).toBe(400);
      expect(refused.body).toContain('id="connection_days-error"');
    }
    const twice = { scope: "mcp_read", decision: "allow", connection_days: ["30", ""] };
    expect((await browser.submitForm(page, twice)).statusCode).toBe(400);
    const kept = await browser.submitForm(page, { decision: "allow", connection_days: "90" });
    expect(kept.body).toMatch(/<option value="90" selected/);
  });

  test("CON-24: neither token works after expiry, and the person is notified", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const { browser, client, tokens } = await connect(app, member, { connection_days: "30" });
    const next = (await refresh(app, client, tokens.refresh_token)).json<typeof tokens>();
    expect(await callWith(app, next.access_token)).not.toBe(401);
    const question = /href="(\/settings\/apps\/[^"]+\/disconnect)"/;
    const [, address = ""] = question.exec((await browser.get("/settings/apps")).body) ?? [];
    const form = await browser.get(address);

    await end(member);

    expect(await callWith(app, next.access_token)).toBe(401);
    expect((await refresh(app, client, next.refresh_token)).json()).toMatchObject({
      error: "invalid_grant",
    });
    const list = (await browser.get("/settings/apps")).body;
    expect(list).toContain("Access of Test app expired");
    expect(list).not.toMatch(question);
    const late = await browser.submitForm(form, {});
    const answer = await browser.get(String(late.headers.location));
    expect(answer.body).toContain("Test app was already disconnected.");
  });

  test("CON-24: disappears from the admins' list after expiry", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const { organization } = owner;
    const member = await aMember(db, { organization });
    await connect(app, member, { connection_days: "30" }, { client_name: "Short-lived" });
    const browser = await signIn(app, owner);
    expect((await browser.get("/settings/apps")).body).toContain("Short-lived");

    await end(member);

    expect((await browser.get("/settings/apps")).body).not.toContain("Short-lived");
    await endExpiredConnections(db);
    await endExpiredConnections(db);
    const log = (await browser.get("/settings/activity")).body;
    expect(log.match(/<span>Access of &quot;Short-lived&quot; expired/g)).toHaveLength(1);
    const own = await signIn(app, member);
    expect((await own.get("/settings/apps")).body).toContain("Access of Short-lived expired");
  });
});

test("RVK-12 a code from before a removal stays invalid after the person rejoins", async () => {
  const { app, db } = current();
  const member = await aMember(db);
  const { organizationId, userId } = member;
  const approved = await approve(await signIn(app, member), await aClient(app));
  await db.transaction(async (tx) => {
    await endMembership(tx, { organizationId, userId: null }, userId);
    await addMember(tx, {
      organizationId,
      userId,
      userName: "Ada",
      role: "member",
    });
  });

  expect((await exchange(app, approved)).json()).toMatchObject({ error: "invalid_grant" });
});

test.runIf(inject("databaseUrl") !== null)(
  "RVK-22 removing a person uses up a code that is being redeemed",
  async () => {
    const { app, db } = current();
    const owner = await aMember(db, { role: "owner" });
    const person = await aMember(db, { organization: owner.organization });
    const approved = await approve(await signIn(app, person), await aClient(app));
    const { redeeming } = await db.transaction(async (tx) => {
      await tx.query("SELECT FROM organization_members WHERE user_id = $1 FOR UPDATE", [
        person.userId,
      ]);
      const begun = exchange(app, approved);
      await untilOneWaits(db);
      await removeUser(tx, toCaller(owner), { user_id: person.userId, from_organization: true });
      return { redeeming: begun };
    });

    expect((await redeeming).json()).toMatchObject({ error: "invalid_grant" });
    const unused = await db.query<object>(
      "SELECT FROM oauth_authorization_codes WHERE user_id = $1 AND consumed_at IS NULL",
      [person.userId],
    );
    expect(unused).toEqual([]);
  },
);
