import { Readable } from "node:stream";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createProgram } from "../../../server/src/commands/program.js";
import { addSession, hasSession } from "../../../server/src/domain/accounts/sessions.js";
import { commit } from "../../../server/src/domain/history/transactions.js";
import { continueImport, startApplying } from "../../../server/src/domain/exchange/apply-import.js";
import { changeRules } from "../../../server/src/domain/organizations/organization-rules.js";
import { createJsonCipher } from "../../../server/src/domain/shared/encryption.js";
import { renewAuthenticatorSecrets } from "../../../server/src/domain/accounts/authenticators.js";
import { resetSecondFactors } from "../../../server/src/domain/accounts/second-factors.js";
import { createSecret } from "../../../server/src/domain/shared/secrets.js";
import type { SignInProof } from "../../../server/src/domain/shared/sign-in-proof.js";
import { openDatabase } from "../../../server/src/db/open-database.js";
import { useApp } from "../../support/app.js";
import { prepareDataDir } from "../../support/database.js";
import { createBrowser, type TestBrowser } from "../../support/browser.js";
import { aMember, toCaller, type Member } from "../../support/builders.js";
import { linkTo, noticesTo } from "../../support/mails.js";
import { signIn } from "../../support/oauth.js";
import {
  enterPassword,
  freshCode,
  isSignedIn,
  security,
  setUpAuthenticator,
} from "../../support/second-factors.js";
import { planTable } from "../../support/uploads.js";

describe("ways to bypass a second factor", () => {
  const current = useApp({ smtpUrl: "smtp://127.0.0.1:1", mailFrom: "f@example.com" });

  test("MFA-30 a password reset by email does not remove it", async () => {
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

  test("MFA-31 the server's administrator can remove factors; sessions end, with log and email", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const browser = await signIn(app, member);
    await setUpAuthenticator(browser, member);
    const person = { id: member.userId, name: member.name, email: member.email };
    const had = await db.transaction((tx) =>
      resetSecondFactors(tx, app.services.secondFactors, person),
    );
    const again = await db.transaction((tx) =>
      resetSecondFactors(tx, app.services.secondFactors, person),
    );

    expect([had, again]).toEqual([true, false]);
    expect(await isSignedIn(browser)).toBe(false);
    expect(await isSignedIn(await signIn(app, member))).toBe(true);
    const logged = await db.query(
      "SELECT 1 FROM activity_log WHERE user_id = $1 AND type = 'second_factors_reset'",
      [member.userId],
    );
    expect(logged).toHaveLength(1);
    expect((await noticesTo(current(), member.email)).at(-1)).toMatchObject({
      change: "second_factors_reset",
    });
  });

  test("MFA-35 endless changes send the person 20 emails at most", async () => {
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

  test("MFA-37 wrong codes after the right password send one email an hour", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    await setUpAuthenticator(await signIn(app, member), member);
    const { browser, page } = await enterPassword(app, member);
    const guess = async () => {
      await browser.submitForm(page, { code: "000000" });
      await app.services.failedSignIns.flush();
      const notices = await noticesTo(current(), member.email);
      return notices.filter(({ kind }) => kind === "second_factor_guessed").length;
    };

    expect([await guess(), await guess(), await guess(), await guess()]).toEqual([0, 0, 1, 1]);
    await db.query("UPDATE mail_outbox SET created_at = created_at - interval '61 minutes'");
    expect([await guess(), await guess()]).toEqual([2, 2]);
  });

  test("MFA-36 a sign-in in progress fails if the first factor is set up meanwhile", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const browser = await signIn(app, member);
    const afterPassword = vi.spyOn(app.services.signInThrottle, "forget");
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

  test.each(["passkey", "authenticator"] as const)(
    "MFA-20 a sign-in by %s in progress fails if all factors are removed meanwhile",
    async (factor) => {
      const { app, db } = current();
      const member = await aMember(db);
      await setUpAuthenticator(await signIn(app, member), member);
      const proof: SignInProof =
        factor === "passkey" ? { method: factor } : { method: "password", factor };
      const begin = async () => {
        const id = createSecret();
        await addSession(app.services.anonymousDb, id, {
          user_id: member.userId,
          data: { signedInBy: proof },
        });
        return hasSession(db, id);
      };
      expect(await begin()).toBe(true);

      const person = { id: member.userId, name: member.name, email: member.email };
      await db.transaction((tx) => resetSecondFactors(tx, app.services.secondFactors, person));

      expect(await begin()).toBe(false);
    },
  );

  test("MFA-33 the removal command reports whether there were any, and exits 1 without an account", async () => {
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
        writeError: (line) => complaints.push(line),
        report: () => undefined,
        onStopSignal: () => undefined,
        abort: () => undefined,
      }).run(command.split(" "));
    // The server process that owns the database. Commands join it.
    const { db, close } = await openDatabase({
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
    await db.query(
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
    expect(complaints.join()).toContain("No account with the email nobody@example.com");
    await close();
    folder.remove();
  });

  test("MFA-32 re-encrypts secrets with the newest key, so that an old one can be dropped", async () => {
    const { app, db, config } = current();
    const member = await aMember(db);
    await setUpAuthenticator(await signIn(app, member), member);
    const purpose = "fettle authenticator";
    const [old = ""] = config.secretKeys;
    const both = createJsonCipher(["n".repeat(40), old], purpose);
    const newest = createJsonCipher(["n".repeat(40)], purpose);
    const stored = async () => {
      const row = await db.maybe<{ secret_encrypted: Buffer }>(
        "SELECT secret_encrypted FROM authenticators WHERE user_id = $1",
        [member.userId],
      );
      return row?.secret_encrypted ?? Buffer.alloc(0);
    };
    const before = app.services.secondFactors.secrets.decrypt(await stored());
    expect(newest.decrypt(await stored())).toBeUndefined();

    await renewAuthenticatorSecrets(db, both);

    expect(newest.decrypt(await stored())).toEqual(before);
    const renewed = await stored();
    await renewAuthenticatorSecrets(db, both);
    expect(await stored()).toEqual(renewed);
  });
});

describe("background work when a second factor becomes required", () => {
  const current = useApp();

  test.each([
    { has: "without one stops, and what was done stays", hasOne: false, stored: 50 },
    { has: "with one goes on", hasOne: true, stored: 120 },
  ])("RVK-14 the work of an admin $has", async ({ hasOne, stored }) => {
    const { owner, admin, browser } = await twoAdmins();
    if (hasOne) await setUpAuthenticator(browser, admin);

    const work = importMeanwhile(browser, admin, () => askForFactor(toCaller(owner)));

    if (hasOne) await work;
    else await expect(work).rejects.toMatchObject({ key: "access_changed" });
    expect(await countAssets(owner)).toBe(stored);
  });

  test("RVK-17: an admin's work stops when their required factors are removed", async () => {
    const { db } = current();
    const { owner, admin, browser } = await twoAdmins();
    await setUpAuthenticator(browser, admin);
    await askForFactor(toCaller(owner));
    const person = { id: admin.userId, name: admin.name, email: admin.email };

    const work = importMeanwhile(browser, admin, () =>
      commit({ db, caller: null }, (tx) => resetSecondFactors(tx, undefined, person)),
    );

    await expect(work).rejects.toMatchObject({ key: "access_changed" });
    expect(await countAssets(owner)).toBe(50);
  });

  async function twoAdmins() {
    const { app, db } = current();
    const owner = await aMember(db);
    await setUpAuthenticator(await signIn(app, owner), owner);
    const admin = await aMember(db, { organization: owner.organization, role: "admin" });
    return { owner, admin, browser: await signIn(app, admin) };
  }

  async function importMeanwhile(
    browser: TestBrowser,
    admin: Member,
    meanwhile: () => Promise<unknown>,
  ): Promise<void> {
    const { app, db } = current();
    const rows = Array.from({ length: 120 }, (_, index) => `Pump ${index}`);
    const content = ["Name", ...rows].join("\n");
    const plan = await planTable(app, browser, { kind: "assets", name: "pumps.csv", content });
    const id = plan.raw.req.url?.split("/").at(-1) ?? "";
    const caller = toCaller(admin, "admin");
    await commit({ db, caller }, (tx) => startApplying(tx, caller, id));
    let steps = 0;
    await continueImport(db, { caller, mails: app.services.mails }, id, async () => {
      steps += 1;
      if (steps === 2) await meanwhile();
      return true;
    });
  }

  async function countAssets({ organizationId }: Member) {
    const found = await current().db.maybe<{ count: number }>(
      "SELECT count(*)::int FROM assets WHERE organization_id = $1",
      [organizationId],
    );
    return found?.count;
  }

  async function askForFactor(caller: ReturnType<typeof toCaller>) {
    const rules = { admins_need_second_factor: true, destructive_needs_second_factor: false };
    await commit({ db: current().db, caller }, (tx) =>
      changeRules(tx, caller, "second_factor", rules),
    );
  }
});

describe("second factor guesses while the database fails", () => {
  const current = useApp({ rateLimit: true });

  test("MFA-38 an attempt with an unknown result does not reset the limit", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const browser = await signIn(app, member);
    await setUpAuthenticator(browser, member);
    const page = await browser.get(`${security}/confirm`);
    const guess = async (code: string) => (await browser.submitForm(page, { code })).statusCode;
    await db.query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE 'no room'; END $$`);
    for (let n = 0; n < 4; n += 1) expect(await guess("000000")).toBe(400);
    await db.query(`CREATE TRIGGER fail BEFORE DELETE ON recovery_codes
      FOR EACH STATEMENT EXECUTE FUNCTION fail()`);
    expect(await guess("0000-0000-0000-0000")).toBe(500);
    await db.query("DROP TRIGGER fail ON recovery_codes");

    expect(await guess("000000")).toBe(429);
  });
});
