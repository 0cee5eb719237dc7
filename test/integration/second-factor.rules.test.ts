import { Readable } from "node:stream";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createProgram } from "../../server/src/commands/program.js";
import { createJsonCipher } from "../../server/src/domain/values/encryption.js";
import { renewAuthenticatorSecrets } from "../../server/src/domain/second-factors/authenticators.js";
import { resetSecondFactors } from "../../server/src/domain/second-factors/second-factors.js";
import { openDatabase } from "../../server/src/db/open-database.js";
import { useApp } from "../support/app.js";
import { prepareDataDir } from "../support/database.js";
import { createBrowser, type TestBrowser } from "../support/browser.js";
import { aMember, type Member } from "../support/builders.js";
import { linkTo, noticesTo } from "../support/mails.js";
import { connect } from "../support/mcp.js";
import { aChallenge, aClient, follow, openConsent, returnOf, signIn } from "../support/oauth.js";
import {
  enterPassword,
  freshCode,
  isSignedIn,
  security,
  setUpAuthenticator,
} from "../support/second-factors.js";

const rulesAddress = "/settings/organization/second-factor";

const rules = {
  admins_need_second_factor: "yes",
  destructive_needs_second_factor: "yes",
};

describe("an organization that asks for a second factor", () => {
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

  test("MFA-20 both rules are off, changed by admins with a factor of their own, shown and logged", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const member = await aMember(db, { organization: owner.organization, role: "member" });
    const browser = await signIn(app, owner);
    expect((await browser.get("/settings/organization")).body.match(/Not needed/g)).toHaveLength(2);
    const page = await browser.get(rulesAddress);
    expect(page.body).toContain("You have no second factor yourself");
    expect(page.body).toContain("1 of 1 owner or admin has none");

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
    expect(shown.body.match(/>Not needed</g)).toHaveLength(1);
    expect(shown.body.match(/>Needed</g)).toHaveLength(1);
    expect((await reader.get(rulesAddress)).statusCode).toBe(403);
    const logged = await db.query<{ details: object }[]>(
      `SELECT details FROM activity_log WHERE organization_id = $1
         AND type = 'second_factor_rules_changed' ORDER BY id`,
      [owner.organizationId],
    );
    expect(logged.map(({ details }) => details)).toEqual([
      { admins_need_second_factor: true, destructive_needs_second_factor: true },
      { admins_need_second_factor: false },
    ]);
    expect((await browser.get("/settings/activity")).body).toContain(
      "no longer of owners and admins",
    );
  });

  test("MFA-21 admins without one are led to set-up from the settings and back; members are not", async () => {
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
      "Your organization asks its owners and admins for a second factor",
    );
    await setUpAuthenticator(browser, owner);
    const after = await browser.get(security);
    expect(after.body).toContain('<a href="/settings/members/invite">Go on');
    expect((await browser.get("/settings/members/invite")).statusCode).toBe(200);
    const reader = await signIn(app, member);
    expect((await reader.get("/settings/members")).statusCode).toBe(200);
  });

  test("MFA-28 what an admin without one typed waits until there is one, and is then in the form again", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const browser = await signIn(app, owner);
    const page = await browser.get("/assets/new");
    await setRules(owner, true);
    const name = "Pump with a long story";

    const led = await browser.submitForm(page, { name });
    expect(led.headers.location).toBe(security);
    expect((await browser.get(security)).body).toContain("What you have entered is kept");
    await setUpAuthenticator(browser, owner);
    expect((await browser.get(security)).body).toContain('<a href="/assets/new">Go on');
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

  test("MFA-22 admins without one do nothing as admins elsewhere, also by an app, and all else", async () => {
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

  test("MFA-23 an admin without one connects no app, and is led to set-up and back to the same question", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    await setRules(owner, true);
    const browser = await signIn(app, owner);

    expect((await allow(browser, ["mcp_read"])).headers.location).toBe(security);
    const codes: unknown[] = await db.query(
      "SELECT 1 FROM oauth_authorization_codes WHERE user_id = $1",
      [owner.userId],
    );
    expect(codes).toEqual([]);
    await setUpAuthenticator(browser, owner);
    const link = /<a href="(\/oauth\/authorize\?[^"]*)">Go on/.exec(
      (await browser.get(security)).body,
    );
    const address = (link?.[1] ?? "").replaceAll("&amp;", "&");
    const page = await follow(browser, await browser.get(address));
    expect(page.body).toContain("asks to connect");
    const answer = await browser.submitForm(page, { scope: ["mcp_read"], decision: "allow" });
    expect(returnOf(answer).values.get("code")).toBeTruthy();
    expect(returnOf(answer).values.get("state")).toBe("state-1");
  });

  test("MFA-24 mcp_destructive needs one where the organization says so, of members too; other scopes do not", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const member = await aMember(db, { organization: owner.organization, role: "member" });
    const destructive = ["mcp_read", "mcp_destructive"];
    const browser = await signIn(app, member);
    expect(returnOf(await allow(browser, destructive)).values.get("code")).toBeTruthy();
    await setRules(owner, false, true);

    expect((await allow(browser, destructive)).headers.location).toBe(security);
    expect((await browser.get(security)).body).toContain("lets apps delete permanently only");
    expect(
      returnOf(await allow(browser, ["mcp_read", "mcp_write"])).values.get("code"),
    ).toBeTruthy();
    await setUpAuthenticator(browser, member);
    expect(returnOf(await allow(browser, destructive)).values.get("code")).toBeTruthy();
  });

  test("MFA-27 an app that was allowed to before deletes nothing without one; the admin reads of how many", async () => {
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
    expect((await browser.get(rulesAddress)).body).toContain("1 person has one that may delete");
    await setRules(owner, false, true);

    const refused = await session.refused("force_delete_asset", deletion);
    expect(refused).toMatchObject({ code: "forbidden" });
    expect(refused.message).toContain("only for people with a second factor");
    expect(await session.refused("force_delete_asset", { ...deletion, dry_run: true })).toEqual(
      refused,
    );
    await session.ok("update_asset_state", { asset_id, state: "deleted" });
    await setUpAuthenticator(await signIn(app, session.member), session.member);
    await session.ok("force_delete_asset", deletion);
    expect((await browser.get(rulesAddress)).body).toContain("0 people have one that may delete");
  });

  test("MFA-25 the last factor stays while the organization asks for it", async () => {
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
      if (status === 400) expect(answer.body).toContain("this is the last one that you have");
    }
  });

  test("MFA-26 it stays for an app that was allowed to delete permanently, and has yet to get its token", async () => {
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
    expect(answer.body).toContain("this is the last one that you have");
  });
});

describe("ways around a second factor", () => {
  const current = useApp({ smtpUrl: "smtp://127.0.0.1:1", mailFrom: "f@example.com" });

  test("MFA-30 a new password by mail does not remove it", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const { secret } = await setUpAuthenticator(await signIn(app, member), member);
    const browser = createBrowser(app);
    await browser.submitForm(await browser.get("/password/forgot"), { email: member.email });
    const reset = await browser.get(await linkTo(current(), member.email, "password_reset"));
    const password = "four unrelated words";

    const answer = await browser.submitForm(reset, { password });

    expect(answer.headers.location).toBe("/signin");
    expect(await isSignedIn(browser)).toBe(false);
    const { browser: next, page } = await enterPassword(app, { ...member, password });
    expect(await isSignedIn(next)).toBe(false);
    await next.submitForm(page, { code: await freshCode(db, member, secret) });
    expect(await isSignedIn(next)).toBe(true);
  });

  test("MFA-31 who runs the server can remove them; sessions end, log and mail tell", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const browser = await signIn(app, member);
    await setUpAuthenticator(browser, member);
    const person = { id: member.userId, name: member.name, email: member.email };
    const had = await db.transaction((tx) => resetSecondFactors(tx, app.secondFactors, person));
    const again = await db.transaction((tx) => resetSecondFactors(tx, app.secondFactors, person));

    expect([had, again]).toEqual([true, false]);
    expect(await isSignedIn(browser)).toBe(false);
    expect(await isSignedIn(await signIn(app, member))).toBe(true);
    const logged: unknown[] = await db.query(
      "SELECT 1 FROM activity_log WHERE user_id = $1 AND type = 'second_factors_reset'",
      [member.userId],
    );
    expect(logged).toHaveLength(1);
    expect((await noticesTo(current(), member.email)).at(-1)).toMatchObject({
      change: "second_factors_reset",
    });
  });

  test("MFA-35 who changes them without end gets a few mails only, and everybody else theirs", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const browser = await signIn(app, member);
    await setUpAuthenticator(browser, member);
    const page = await browser.get(`${security}/recovery-codes`);

    for (let n = 0; n < 30; n += 1) {
      expect((await browser.submitForm(page, {})).statusCode).toBe(200);
    }

    expect(await noticesTo(current(), member.email)).toHaveLength(20);
  });

  test("MFA-37 who enters wrong codes after the right password is told of by mail, once in an hour", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    await setUpAuthenticator(await signIn(app, member), member);
    const { browser, page } = await enterPassword(app, member);
    const guess = async () => {
      await browser.submitForm(page, { code: "000000" });
      await app.failedSignIns.flush();
      const notices = await noticesTo(current(), member.email);
      return notices.filter(({ kind }) => kind === "second_factor_guessed").length;
    };

    expect([await guess(), await guess(), await guess(), await guess()]).toEqual([0, 0, 1, 1]);
    await db.query("UPDATE mail_outbox SET created_at = created_at - interval '61 minutes'");
    expect([await guess(), await guess()]).toEqual([2, 2]);
  });

  test("MFA-36 a sign-in that is under way while the first one is set up signs nobody in", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const browser = await signIn(app, member);
    const afterPassword = vi.spyOn(app.signInThrottle, "forget");
    onTestFinished(() => {
      afterPassword.mockRestore();
    });
    afterPassword.mockImplementationOnce(async () => {
      await setUpAuthenticator(browser, member);
    });

    const late = createBrowser(app);
    const fields = { email: member.email, password: member.password };
    await late.submitForm(await late.get("/signin"), fields);

    expect(await isSignedIn(late)).toBe(false);
    const form = await browser.get("/settings/password");
    const password = "four unrelated words";
    await browser.submitForm(form, { current_password: member.password, password });
    expect(await isSignedIn(browser)).toBe(true);
  });

  test("MFA-33 the command for that says whether there were any, and ends with 1 without an account", async () => {
    const folder = prepareDataDir();
    const written: string[] = [];
    const complaints: string[] = [];
    const run = (command: string, input = "") =>
      createProgram({
        variables: {
          DATA_DIR: folder.path,
          SMTP_URL: "smtp://127.0.0.1:1",
          MAIL_FROM: "f@example.com",
        },
        stdin: Readable.from([input]),
        write: (line) => written.push(line),
        complain: (line) => complaints.push(line),
        report: () => undefined,
        onStopSignal: () => undefined,
        abort: () => undefined,
      }).run(command.split(" "));
    // The server that has the database; commands join it.
    const { dataSource, close } = await openDatabase({
      databaseUrl: undefined,
      dataDir: folder.path,
      embedded: "own",
      onFailure: () => undefined,
    });
    const email = "--email ana@example.com";
    await run(
      `account create ${email} --name Ana --organization Northgate --password-stdin`,
      "four unrelated words",
    );
    await dataSource.query(
      `INSERT INTO passkeys (id, user_id, credential_id, public_key, sign_count, transports, backed_up, name)
       SELECT 'p', id, 'c', '', 0, '{}', false, 'Phone' FROM users`,
    );

    const codes = [
      await run(`account reset-second-factors ${email}`),
      await run(`account reset-second-factors ${email}`),
      await run("account reset-second-factors --email nobody@example.com"),
    ];

    expect(codes).toEqual([0, 0, 1]);
    expect(written.slice(1).map((line) => JSON.parse(line) as unknown)).toEqual([
      { email: "ana@example.com", second_factors: "removed" },
      { email: "ana@example.com", second_factors: "none" },
    ]);
    expect(complaints.join()).toContain("There is no account with the email nobody@example.com");
    await close();
    folder.remove();
  });

  test("MFA-32 secrets are encrypted anew with the newest key, so that an old one can be dropped", async () => {
    const { app, db, config } = current();
    const member = await aMember(db);
    await setUpAuthenticator(await signIn(app, member), member);
    const purpose = "fettle authenticator";
    const [old = ""] = config.secretKeys;
    const both = createJsonCipher(["n".repeat(40), old], purpose);
    const newest = createJsonCipher(["n".repeat(40)], purpose);
    const stored = async () => {
      const rows: { secret_encrypted: Buffer }[] = await db.query(
        "SELECT secret_encrypted FROM authenticators WHERE user_id = $1",
        [member.userId],
      );
      return rows[0]?.secret_encrypted ?? Buffer.alloc(0);
    };
    const before = app.secondFactors.secrets.decrypt(await stored());
    expect(newest.decrypt(await stored())).toBeUndefined();

    await renewAuthenticatorSecrets(db, both);

    expect(newest.decrypt(await stored())).toEqual(before);
    const renewed = await stored();
    await renewAuthenticatorSecrets(db, both);
    expect(await stored()).toEqual(renewed);
  });
});
