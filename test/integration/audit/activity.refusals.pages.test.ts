import { describe, expect, test } from "vitest";
import { deactivateAccount } from "../../../server/src/domain/accounts/accounts.js";
import { createFailedSignInLog } from "../../../server/src/domain/accounts/failed-sign-ins.js";
import { useApp } from "../../support/app.js";
import { createBrowser } from "../../support/browser.js";
import { aMember, type Member } from "../../support/builders.js";
import { rewriteLog } from "../../support/database.js";
import { aChallenge, aClient, openConsent, signIn } from "../../support/oauth.js";

interface Line {
  organization_id: string | null;
  details: Record<string, unknown>;
  ip_address: string | null;
  user_agent: string | null;
}

describe("failed sign-ins in the activity log", () => {
  const current = useApp({ trustProxy: 1 });

  async function fail(email: string, headers: Record<string, string> = {}) {
    const browser = createBrowser(current().app);
    const page = await browser.get("/signin");
    const answer = await browser.submitForm(page, { email, password: "not it" }, { headers });
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain("That email and password don't match.");
  }

  async function linesOf({ userId }: Member): Promise<Line[]> {
    await current().app.services.failedSignIns.flush();
    return current().db.query(
      `SELECT organization_id, details, ip_address, user_agent FROM activity_log
       WHERE type = 'sign_in_failed' AND user_id = $1 ORDER BY id`,
      [userId],
    );
  }

  const from = (address: string) => ({ "x-forwarded-for": address });
  const age = () =>
    rewriteLog(
      current().db,
      `UPDATE activity_log SET created_at = created_at - interval '1 hour',
         counted_until = counted_until - interval '1 hour'`,
    );

  test("AUD-01 are visible to the person and to admins of their organizations", async () => {
    const { app, db } = current();
    const owner = await aMember(db, { role: "owner" });
    const { organization } = owner;
    const member = await aMember(db, { organization, name: "Mona Member" });
    const stranger = await aMember(db, { role: "owner" });
    await fail(member.email, { ...from("192.0.2.7"), "user-agent": "Guesser/1" });
    await linesOf(member);
    await fail(member.email.toUpperCase(), from("192.0.2.7"));
    await fail(member.email, from("192.0.2.7"));
    await linesOf(member);

    const read = async (who: Member, query = "") =>
      (await (await signIn(app, who)).get(`/settings/activity${query}`)).body;

    const told = "Sign-in as Mona Member failed, 2 times.";
    expect(await read(owner)).toContain(told);
    expect(await read(owner)).toContain("Sign-in as Mona Member failed.");
    expect(await read(owner)).toContain("From 192.0.2.7");
    expect(await read(owner, "?type=account")).toContain(told);
    expect(await read(owner, "?type=apps")).not.toContain("failed");
    expect(await read(member)).toContain("Sign-in as you failed, 2 times.");
    expect(await read(stranger)).not.toContain("failed");
  });

  test("AUD-01 writes two lines an hour per account and address, the second counting repeats", async () => {
    const member = await aMember(current().db);
    for (const address of ["192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.1"]) {
      await fail(member.email, from(address));
      await linesOf(member);
    }
    await Promise.all([
      fail(member.email, from("192.0.2.2")),
      fail(member.email, from("192.0.2.2")),
    ]);

    const counts = (await linesOf(member)).map((line) => [line.ip_address, line.details["times"]]);
    expect(counts).toEqual([
      ["192.0.2.1", 1],
      ["192.0.2.1", 2],
      ["192.0.2.2", 1],
      ["192.0.2.2", 2],
    ]);

    await age();
    await fail(member.email, from("192.0.2.1"));
    expect(await linesOf(member)).toHaveLength(5);
  });

  test("AUD-01 guesses from many addresses write at most eleven lines per account", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    for (let number = 1; number <= 30; number += 1) {
      app.services.failedSignIns.record({
        userId: member.userId,
        userName: member.name,
        origin: { ipAddress: `198.51.100.${number}` },
      });
    }

    const lines = await linesOf(member);

    expect(lines).toHaveLength(11);
    expect(lines.at(-1)).toMatchObject({ ip_address: null, details: { various: true, times: 20 } });
    const { body } = await (await signIn(app, member)).get("/settings/activity");
    expect(body).toContain(`Sign-in as ${member.name} failed from more addresses, 20 times.`);
  });

  test("AUD-01 counts two concurrent nodes as one", async () => {
    const { db, app } = current();
    const member = await aMember(db);
    const other = createFailedSignInLog(db, app.services.secondFactors, (error) => {
      throw error;
    });
    const failed = {
      userId: member.userId,
      userName: member.name,
      origin: { ipAddress: "192.0.2.1" },
    };
    for (const log of [app.services.failedSignIns, other]) log.record(failed);
    await Promise.all([app.services.failedSignIns.flush(), other.flush()]);
    for (const log of [app.services.failedSignIns, other]) log.record(failed);
    await Promise.all([app.services.failedSignIns.flush(), other.close()]);

    expect(await linesOf(member)).toMatchObject([
      { details: { times: 1 } },
      { details: { times: 3 } },
    ]);
  });

  test("AUD-01 records failures for a deactivated account but not for an unknown email", async () => {
    const { db } = current();
    const deactivated = await aMember(db);
    await db.transaction((tx) => deactivateAccount(tx, deactivated.userId));
    const count = async () => {
      await current().app.services.failedSignIns.flush();
      const rows = await db.query<{ n: number }>("SELECT count(*)::int AS n FROM activity_log");
      return rows[0]?.n ?? 0;
    };
    const before = await count();

    await fail("nobody@example.com");
    expect(await count()).toBe(before);
    await fail(deactivated.email);

    expect(await linesOf(deactivated)).toMatchObject([
      { organization_id: null, details: { times: 1 } },
    ]);
  });

  test("AUD-01 writes nothing before the response, with or without an account", async () => {
    const member = await aMember(current().db);
    const { app, db } = current();
    const recorded: string[] = [];
    const original = app.services.failedSignIns.record;
    app.services.failedSignIns.record = ({ userId }) => recorded.push(userId);
    try {
      await fail(member.email);
      await fail("nobody@example.com");
    } finally {
      app.services.failedSignIns.record = original;
    }

    expect(recorded).toEqual([member.userId]);
    expect(
      await db.query("SELECT 1 FROM activity_log WHERE type = 'sign_in_failed' AND user_id = $1", [
        member.userId,
      ]),
    ).toEqual([]);
  });
});

describe("denials on the consent page in the activity log", () => {
  const current = useApp();

  async function deny(person: Member, name: string, choices: Record<string, string> = {}) {
    const { app } = current();
    const browser = await signIn(app, person);
    const client = await aClient(app, { client_name: name });
    return async () => {
      const page = await openConsent(browser, client, aChallenge());
      const answer = await browser.submitForm(page, { decision: "deny", ...choices });
      expect(answer.headers.location).toContain("error=access_denied");
    };
  }

  const linesOf = async ({ userId }: Member): Promise<Line[]> =>
    current().db.query(
      `SELECT organization_id, details, ip_address, user_agent FROM activity_log
       WHERE type = 'app_denied' AND user_id = $1 ORDER BY id`,
      [userId],
    );

  test("AUD-01 the organization's admin and the person see the denial and its app", async () => {
    const { app, db } = current();
    const owner = await aMember(db, { role: "owner" });
    const { organization } = owner;
    const member = await aMember(db, { organization, name: "Mona Member" });
    const again = await deny(member, "Odd app");
    for (let time = 1; time <= 3; time += 1) await again();

    const browser = await signIn(app, owner);
    const { body } = await browser.get("/settings/activity?type=apps");

    expect(body).toContain("Mona Member refused &quot;Odd app&quot;, 2 times.");
    const own = await (await signIn(app, member)).get("/settings/activity");
    expect(own.body).toContain("You refused &quot;Odd app&quot;, 2 times.");
    const details = { client_name: "Odd app", returns_to: "client.example" };
    expect(await linesOf(member)).toMatchObject([
      { organization_id: owner.organizationId, details: { ...details, times: 1 } },
      { organization_id: owner.organizationId, details: { ...details, times: 2 } },
    ]);
  });

  test("AUD-01 logs a denial in the chosen organization, or in all when none was chosen", async () => {
    const { db } = current();
    const person = await aMember(db);
    const other = await aMember(db, { role: "owner" });
    await db.query(
      "INSERT INTO organization_members (organization_id, user_id, role) VALUES ($1, $2, 'member')",
      [other.organizationId, person.userId],
    );

    await (
      await deny(person, "One", { organization_id: other.organizationId })
    )();
    await (
      await deny(person, "None", { organization_id: "" })
    )();

    expect((await linesOf(person)).map((line) => line.organization_id)).toEqual([
      other.organizationId,
      null,
    ]);
  });

  test("AUD-01 repeated denials don't fill the log", async () => {
    const { db } = current();
    const person = await aMember(db);
    for (let number = 1; number <= 13; number += 1) {
      await (
        await deny(person, `App ${number}`)
      )();
    }

    const lines = await linesOf(person);

    expect(lines).toHaveLength(11);
    expect(lines.at(-1)?.details).toEqual({ various: true, times: 3 });
  });
});
