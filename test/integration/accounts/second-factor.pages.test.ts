import { describe, expect, onTestFinished, test, vi } from "vitest";
import { deactivateAccount, setPassword } from "../../../server/src/domain/accounts/accounts.js";
import { useApp } from "../../support/app.js";
import { createBrowser } from "../../support/browser.js";
import { aMember, type Member } from "../../support/builders.js";
import { noticesTo } from "../../support/mails.js";
import { aChallenge, aClient, authorizeUrl, follow, signIn } from "../../support/oauth.js";
import {
  aPersonWithAuthenticator,
  codeOf,
  enterPassword,
  findActivity,
  freshCode,
  isSignedIn,
  openConfirmed,
  recoveryCodesOn,
  secretOn,
  security,
  sessionIdOf,
  setUpAuthenticator,
} from "../../support/second-factors.js";

describe("authenticator app", () => {
  const current = useApp({ smtpUrl: "smtp://127.0.0.1:1", mailFrom: "f@example.com" });

  const activityOf = (member: Member) => findActivity(current().db, member);
  const aPerson = () => aPersonWithAuthenticator(current());

  test("MFA-01 is set up after confirmation, with ten codes shown once; logged and emailed", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const [browser, other] = [await signIn(app, member), await signIn(app, member)];
    const before = sessionIdOf(browser);
    const address = `${security}/authenticator`;
    const page = await openConfirmed(browser, address, { password: member.password });
    const secret = secretOn(page);

    const wrong = await browser.submitForm(page, { code: codeOf(secret, 100) });
    expect(wrong.statusCode).toBe(400);
    expect(wrong.body).toContain("This code is wrong");
    expect(secretOn(wrong)).toBe(secret);
    const done = await browser.submitForm(wrong, { code: codeOf(secret) });

    const codes = recoveryCodesOn(done);
    expect(done.statusCode).toBe(200);
    expect(new Set(codes).size).toBe(10);
    expect((await browser.get(security)).body).toContain("10 of 10 left");
    for (const url of [security, `${security}/recovery-codes`]) {
      expect(recoveryCodesOn(await browser.get(url))).toEqual([]);
    }
    // LOG-01: the credentials changed, so the ids of this session and all others are replaced.
    expect(sessionIdOf(browser)).not.toBe(before);
    expect(await isSignedIn(browser)).toBe(true);
    expect(await isSignedIn(other)).toBe(false);
    expect(await activityOf(member)).toContainEqual(["authenticator_added", {}]);
    expect(await noticesTo(current(), member.email)).toMatchObject([
      { kind: "second_factor_changed", change: "authenticator_added" },
    ]);
  });

  test("MFA-02 the secret is encrypted and recovery codes are hashed in every table", async () => {
    const { db } = current();
    const { secret, recoveryCodes } = await aPerson();
    const tables = await db.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
    );

    for (const { name } of tables) {
      const rows = await db.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
      const text = rows.map(({ row }) => row).join("\n");
      for (const clear of [secret, ...recoveryCodes, ...recoveryCodes.map(plain)]) {
        expect(text.includes(clear), name).toBe(false);
        expect(text.includes(Buffer.from(clear).toString("hex")), name).toBe(false);
      }
    }
  });

  test("MFA-03 the password alone doesn't sign in; the code does, under a new session id", async () => {
    const { app, db } = current();
    const { member, secret } = await aPerson();
    const { browser, page } = await enterPassword(app, member);
    expect(page.body).toContain("One more step");
    const waiting = browser.cookies.get("__Host-fettle");
    const sessions = () => db.query("SELECT 1 FROM sessions WHERE user_id = $1", [member.userId]);
    const before = (await sessions()).length;

    for (const url of ["/", "/settings", `${security}/authenticator`, "/assets"]) {
      expect((await browser.get(url)).headers.location, url).toMatch(/^\/signin/);
    }
    expect((await sessions()).length).toBe(before);
    const wrong = await browser.submitForm(page, { code: "000000" });
    expect(wrong.statusCode).toBe(400);
    expect(await isSignedIn(browser)).toBe(false);
    const answer = await browser.submitForm(page, { code: await freshCode(db, member, secret) });

    expect(answer.headers.location).toBe("/");
    expect(await isSignedIn(browser)).toBe(true);
    expect(browser.cookies.get("__Host-fettle")).not.toBe(waiting);
    // In any order: failed attempts are recorded concurrently with the response.
    expect(await activityOf(member)).toContainEqual([
      "signed_in",
      { method: "password", factor: "authenticator" },
    ]);
    // The old cookie is worthless, even if someone stored it.
    const stolen = createBrowser(app);
    stolen.cookies.set("__Host-fettle", waiting ?? "");
    expect(await isSignedIn(stolen)).toBe(false);
  });

  test("MFA-04 codes count one step early or late, once, never before the last one", async () => {
    const { app, db } = current();
    const { member, secret } = await aPerson();
    const attempt = async (code: string) => {
      const { browser, page } = await enterPassword(app, member);
      await browser.submitForm(page, { code });
      return isSignedIn(browser);
    };

    expect(await attempt(codeOf(secret)), "used at the set-up").toBe(false);
    await freshCode(db, member, secret);
    expect(await attempt(codeOf(secret, -3)), "too old").toBe(false);
    expect(await attempt(codeOf(secret, 3)), "too early").toBe(false);
    const [late, now, early] = [codeOf(secret, -1), codeOf(secret), codeOf(secret, 1)];
    expect(await attempt(`${late.slice(0, 3)} ${late.slice(3)}`), "one step late").toBe(true);
    expect(await attempt(late), "used").toBe(false);
    expect(await attempt(early), "one step early").toBe(true);
    expect(await attempt(now), "before the last").toBe(false);
  });

  test("MFA-05 ten concurrent uses of a code or a recovery code sign in once", async () => {
    const { app, db } = current();
    const { member, secret, recoveryCodes } = await aPerson();
    for (const code of [await freshCode(db, member, secret), recoveryCodes[0] ?? ""]) {
      const waiting = [];
      for (let n = 0; n < 10; n += 1) waiting.push(await enterPassword(app, member));

      const answers = await Promise.all(
        waiting.map(({ browser, page }) => browser.submitForm(page, { code })),
      );

      const statuses = answers.map(({ statusCode }) => statusCode).sort();
      expect(statuses).toEqual([303, ...Array<number>(9).fill(400)]);
    }
  });

  test("MFA-06 a recovery code signs in once, accepts typing variants, and notifies the person", async () => {
    const { app, db } = current();
    const { member, recoveryCodes } = await aPerson();
    const [first = "", second = ""] = recoveryCodes;
    const attempt = async (code: string) => {
      const { browser, page } = await enterPassword(app, member);
      await browser.submitForm(page, { code });
      return (await isSignedIn(browser)) ? browser : undefined;
    };

    expect(await attempt(first)).toBeDefined();
    expect(await attempt(first)).toBeUndefined();
    const typed = ` ${plain(second).toUpperCase().replaceAll("0", "o").replaceAll("1", "I")}`;
    const browser = await attempt(typed);
    expect((await browser?.get(security))?.body).toContain("8 of 10 left");
    const other = await aMember(db);
    await setUpAuthenticator(await signIn(app, other), other);
    const theirs = await enterPassword(app, other);
    const refused = await theirs.browser.submitForm(theirs.page, { code: recoveryCodes[2] ?? "" });
    expect(refused.statusCode, "of another account").toBe(400);
    const notices = await noticesTo(current(), member.email);
    expect(
      notices.filter((one) => "change" in one && one.change === "recovery_code_used"),
    ).toHaveLength(2);
  });

  test("MFA-07 new recovery codes invalidate the earlier ones", async () => {
    const { app } = current();
    const { member, browser, recoveryCodes } = await aPerson();
    const page = await openConfirmed(browser, `${security}/recovery-codes`, {
      code: recoveryCodes[9] ?? "",
    });

    const codes = recoveryCodesOn(await browser.submitForm(page, {}));

    expect(new Set([...codes, ...recoveryCodes]).size).toBe(20);
    const { browser: next, page: question } = await enterPassword(app, member);
    const old = await next.submitForm(question, { code: recoveryCodes[0] ?? "" });
    const fresh = await next.submitForm(question, { code: codes[0] ?? "" });
    expect([old.statusCode, fresh.statusCode]).toEqual([400, 303]);
    expect(await activityOf(member)).toEqual(
      expect.arrayContaining([
        ["recovery_code_used", {}],
        ["recovery_codes_made", {}],
      ]),
    );
  });

  test("MFA-08 a wrong password gets the same answer with and without a second factor", async () => {
    const { app, db } = current();
    const [{ member: withOne }, without] = [await aPerson(), await aMember(db)];
    const answers = [];
    for (const { email } of [withOne, without, { email: "nobody@example.com" }]) {
      const browser = createBrowser(app);
      const page = await browser.get("/signin");
      const answer = await browser.submitForm(page, { email, password: "not the password" });
      const next = await browser.get("/signin/second-factor");
      const body = answer.body.replace(/value="[^"]*"/g, "");
      answers.push([answer.statusCode, body, next.statusCode, next.headers.location]);
    }

    expect(answers[0]?.[0]).toBe(400);
    expect(answers[0]?.[3]).toBe("/signin");
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  test("MFA-09 a sign-in waiting for a code ends when the clock is set back", async () => {
    const { member, recoveryCodes } = await aPerson();
    const { browser, page } = await enterPassword(current().app, member);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 3_600_000 });
    onTestFinished(() => void vi.useRealTimers());

    const answer = await browser.submitForm(page, { code: recoveryCodes[0] ?? "" });

    expect(answer.headers.location).toBe("/signin");
    expect(await isSignedIn(browser)).toBe(false);
  });

  test("MFA-09 a sign-in waiting for a code ends with the password, account, or ten minutes", async () => {
    const { app, db } = current();
    const { member, recoveryCodes } = await aPerson();
    const [code = ""] = recoveryCodes;
    const first = await enterPassword(app, member);
    const password = "another good password";
    await db.transaction((tx) => setPassword(tx, member.userId, password));

    const answer = await first.browser.submitForm(first.page, { code });

    expect(answer.headers.location).toBe("/signin");
    expect(await isSignedIn(first.browser)).toBe(false);
    const late = await enterPassword(app, { ...member, password });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10 * 60_000 + 1000 });
    const answerLate = await late.browser.submitForm(late.page, { code });
    vi.useRealTimers();
    expect(answerLate.headers.location).toBe("/signin");
    expect(await isSignedIn(late.browser)).toBe(false);
    const second = await enterPassword(app, { ...member, password });
    await db.transaction((tx) => deactivateAccount(tx, member.userId));
    await second.browser.submitForm(second.page, { code });
    expect(await isSignedIn(second.browser)).toBe(false);
    const left = await db.query("SELECT 1 FROM recovery_codes WHERE user_id = $1", [member.userId]);
    expect(left).toHaveLength(10);
  });

  test("MFA-10 the second step keeps the destination, including an app's consent page", async () => {
    const { app } = current();
    const { member, recoveryCodes } = await aPerson();
    const client = await aClient(app);
    const away = await createBrowser(app).get(authorizeUrl(client, aChallenge()));
    expect(away.headers.location).toMatch(/^\/signin\?next=/);

    const browser = createBrowser(app);
    const sent = await browser.get(authorizeUrl(client, aChallenge()));
    const fields = { email: member.email, password: member.password };
    const question = await browser.submitForm(
      await browser.get(String(sent.headers.location)),
      fields,
    );
    const page = await browser.get(String(question.headers.location));
    const answer = await browser.submitForm(page, { code: recoveryCodes[0] ?? "" });

    expect(answer.headers.location).toMatch(/^\/oauth\/authorize\?/);
    expect((await follow(browser, answer)).body).toContain("wants to connect");
  });

  test("MFA-11 the step needs the hidden token, rejects other sites, and never redirects outside", async () => {
    const { app, db } = current();
    const { member, secret } = await aPerson();
    const { browser, page } = await enterPassword(app, member);
    const code = await freshCode(db, member, secret);

    const other = await enterPassword(app, member);
    const foreign = await other.browser.submitForm(
      other.page,
      { code },
      { headers: { origin: "https://evil.example" } },
    );
    const bare = await browser.post("/signin/second-factor", { code });
    expect([foreign.statusCode, bare.statusCode]).toEqual([403, 403]);
    expect(await isSignedIn(other.browser)).toBe(false);
    expect(await isSignedIn(browser)).toBe(false);
    const answer = await browser.submitForm(page, { code, next: "//evil.example" });
    expect(answer.headers.location).toBe("/");
  });
});

describe("guessing codes", () => {
  const current = useApp({ rateLimit: true });

  test("MFA-16 is rate limited like passwords, and the right password does not reset it", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const { secret } = await setUpAuthenticator(await signIn(app, member), member);
    const statuses: number[] = [];
    const { browser, page } = await enterPassword(app, member);
    for (let n = 0; n < 3; n += 1) {
      statuses.push((await browser.submitForm(page, { code: "000000" })).statusCode);
    }
    const again = await enterPassword(app, member);
    expect(again.page.body).toContain("One more step");
    for (let n = 0; n < 3; n += 1) {
      statuses.push((await again.browser.submitForm(again.page, { code: "000000" })).statusCode);
    }
    const right = await again.browser.submitForm(again.page, {
      code: await freshCode(db, member, secret),
    });

    expect(statuses.slice(0, 5)).toEqual([400, 400, 400, 400, 400]);
    expect(statuses[5]).toBe(429);
    expect(right.statusCode).toBe(429);
    expect(Number(right.headers["retry-after"])).toBeGreaterThan(0);
    await app.services.failedSignIns.flush();
    // One entry, or two if the first was written before the last code.
    const rows = await db.query<{ type: string; times: number }>(
      `SELECT type, sum((details ->> 'times')::int)::int AS times FROM activity_log
       WHERE user_id = $1 AND type LIKE '%failed' GROUP BY type`,
      [member.userId],
    );
    expect(rows).toEqual([{ type: "second_factor_failed", times: 5 }]);
  });

  test("MFA-17 successful sign-ins with both steps cost the address no attempt", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const { secret } = await setUpAuthenticator(await signIn(app, member), member);

    for (let n = 0; n < 14; n += 1) {
      const { browser, page } = await enterPassword(app, member);
      const code = await freshCode(db, member, secret);
      expect((await browser.submitForm(page, { code })).statusCode, String(n)).toBe(303);
    }
  });
});

describe("guessing codes alongside an open session", () => {
  const current = useApp({ rateLimit: true });

  test("MFA-19 is not reset by a person with the password and a session", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const { app, db } = current();
    const member = await aMember(db);
    const { password } = member;
    const session = await signIn(app, member);
    await setUpAuthenticator(session, member);
    const { browser, page } = await enterPassword(app, member);
    const guess = async () => (await browser.submitForm(page, { code: "000000" })).statusCode;
    for (let n = 0; n < 5; n += 1) expect(await guess()).toBe(400);
    // The pause is over.
    vi.setSystemTime(Date.now() + 1_100);

    const form = await session.get("/settings/password");
    const refused = await session.submitForm(form, { current_password: password, password });

    expect(refused.body).toContain("already your password");
    expect([await guess(), await guess()]).toEqual([400, 429]);
  });
});

function plain(code: string): string {
  return code.replaceAll("-", "");
}
