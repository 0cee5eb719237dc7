import { describe, expect, inject, test, vi } from "vitest";
import { cleanUpMails } from "../../../server/src/domain/messaging/outbox.js";
import { deactivateAccount } from "../../../server/src/domain/accounts/accounts.js";
import { cleanUpPasswordResets } from "../../../server/src/domain/accounts/password-resets.js";
import { createLogger } from "../../../server/src/plugins/logging.js";
import { useApp, useServer, startApp } from "../../support/app.js";
import { createBrowser, type TestBrowser } from "../../support/browser.js";
import { aMember } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { countWaiting } from "../../support/database.js";
import { linkTo, noticesTo } from "../../support/mails.js";
import { callWith, connect, signIn } from "../../support/oauth.js";
import { findProblems, openPage, sweep, views } from "../../support/pages.js";

const mail = { smtpUrl: "smtp://127.0.0.1:1", mailFrom: "Fettle <fettle@example.org>" };
const fresh = "an entirely new secret";

async function ask(browser: TestBrowser, email: string) {
  return browser.submitForm(await browser.get("/password/forgot"), { email });
}

describe("password reset by email", () => {
  const current = useApp(mail);

  test.runIf(inject("databaseUrl") !== null)(
    "is not offered to an account that is deactivated during the request",
    async () => {
      const { app, db } = current();
      const member = await aMember(db);
      const { asking } = await db.transaction(async (tx) => {
        await deactivateAccount(tx, member.userId);
        const asking = ask(createBrowser(app), member.email);
        await vi.waitFor(async () => {
          expect(await countWaiting(db)).toBe(1);
        }, 60_000);
        return { asking };
      });

      expect((await asking).headers.location).toBe("/password/sent");
      expect(await noticesTo(current(), member.email)).toEqual([]);
    },
  );

  test("an emailed link sets a password: every session ends, connected apps stay", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const { tokens, browser: elsewhere } = await connect(app, member);
    const browser = createBrowser(app);
    const asked = await ask(browser, member.email.toUpperCase());
    expect(asked.headers.location).toBe("/password/sent");
    const path = await linkTo(current(), member.email, "password_reset");
    const page = await browser.get(path);
    expect(page.body).toContain(member.email);

    const answer = await browser.submitForm(page, { password: fresh });

    expect(answer).toMatchObject({ statusCode: 303, headers: { location: "/signin" } });
    expect((await browser.get("/signin")).body).toContain("Password changed.");
    expect((await elsewhere.get("/settings")).headers.location).toMatch(/^\/signin/);
    expect(await callWith(app, tokens.access_token)).not.toBe(401);
    await signIn(app, { ...member, password: fresh });
    await expect(signIn(app, member)).rejects.toThrow("Sign-in failed: 400");
    const log = await db.query<{ type: string }>(
      "SELECT type FROM activity_log WHERE user_id = $1 AND type LIKE 'password%' ORDER BY id",
      [member.userId],
    );
    expect(log.map(({ type }) => type)).toEqual(["password_reset_requested", "password_reset"]);
    expect((await browser.get(path)).statusCode).toBe(410);
  });

  test("a weak password is rejected at its field, and the link still works", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const browser = createBrowser(app);
    await ask(browser, member.email);
    const page = await browser.get(await linkTo(current(), member.email, "password_reset"));

    const refused = await browser.submitForm(page, { password: "short" });

    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain('id="password-error"');
    expect(refused.body).not.toContain('value="short"');
    expect((await browser.submitForm(refused, { password: fresh })).statusCode).toBe(303);
  });

  test("concurrent submissions set one password, and the second reports a used link", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const browser = createBrowser(app);
    await ask(browser, member.email);
    const path = await linkTo(current(), member.email, "password_reset");
    const others = [createBrowser(app), createBrowser(app)];
    const opened = await Promise.all(
      others.map(async (other) => ({ other, page: await other.get(path) })),
    );

    const answers = await Promise.all(
      opened.map(({ other, page }) => other.submitForm(page, { password: fresh })),
    );

    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 410]);
  });

  test("the answer does not reveal accounts, and deactivated ones get no email", async () => {
    const { app, db } = current();
    const [member, deactivated] = [await aMember(db), await aMember(db)];
    await db.transaction((tx) => deactivateAccount(tx, deactivated.userId));
    const emails = [member.email, deactivated.email, "nobody@example.com", " Nobody@example.com "];

    const answers = await Promise.all(
      emails.map(async (email) => {
        const browser = createBrowser(app);
        const { statusCode, headers } = await ask(browser, email);
        const page = await browser.get("/password/sent");
        return { statusCode, to: headers.location, body: page.body.replaceAll(email.trim(), "") };
      }),
    );

    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await noticesTo(current(), member.email)).toHaveLength(1);
    for (const email of emails.slice(1)) expect(await noticesTo(current(), email)).toEqual([]);
    const text = await ask(createBrowser(app), "no address");
    expect(text.statusCode).toBe(400);
    expect(text.body).toContain('id="email-error"');
  });

  test("LOG-18 the answer takes the same time whether or not there is an account", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    for (const email of [member.email, "nobody@example.com"]) {
      const browser = createBrowser(app);
      const page = await browser.get("/password/forgot");
      const begunAt = performance.now();
      await browser.submitForm(page, { email });
      expect(performance.now() - begunAt).toBeGreaterThan(245);
    }
  });

  test("only the newest link works, until it expires; at most three are emailed", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const browser = createBrowser(app);
    const paths: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      await ask(browser, member.email);
      paths.push(await linkTo(current(), member.email, "password_reset"));
    }
    await Promise.all([1, 2, 3].map(() => ask(createBrowser(app), member.email)));

    expect(new Set(paths).size).toBe(3);
    const mails = await db.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM mail_outbox WHERE recipient = $1",
      [member.email],
    );
    expect(mails).toEqual([{ n: 3 }]);
    expect(await noticesTo(current(), member.email)).toHaveLength(1);
    const statuses = await Promise.all(
      paths.map(async (path) => (await browser.get(path)).statusCode),
    );
    expect(statuses).toEqual([410, 410, 200]);
    await db.query("UPDATE password_resets SET expires_at = now()");
    expect((await browser.get(paths[2] ?? "")).statusCode).toBe(410);
    await cleanUpPasswordResets(db);
    await db.query(
      `UPDATE mail_outbox SET created_at = now() - interval '61 minutes',
         expires_at = now() - interval '1 minute' WHERE recipient = $1`,
      [member.email],
    );
    await cleanUpMails(db);
    const left = await db.query(
      "SELECT 1 FROM mail_outbox WHERE recipient = $1 UNION ALL SELECT 1 FROM password_resets",
      [member.email],
    );
    expect(left).toEqual([]);
  });

  test("rejects a deactivated account's link", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const browser = createBrowser(app);
    await ask(browser, member.email);
    const path = await linkTo(current(), member.email, "password_reset");
    const page = await browser.get(path);
    await db.transaction((tx) => deactivateAccount(tx, member.userId));

    expect((await browser.submitForm(page, { password: fresh })).statusCode).toBe(410);
  });

  test("the link is in no table or log, and requires the form's hidden token", async () => {
    const { app, db, config } = current();
    const member = await aMember(db);
    const lines: string[] = [];
    const logged = await startApp({ ...config, logLevel: "trace" }, db, {
      log: createLogger({ logLevel: "trace" }, { write: (line: string) => lines.push(line) }),
    });
    await ask(createBrowser(logged), member.email);
    const path = await linkTo(current(), member.email, "password_reset");
    const token = path.split("/").at(-1) ?? "";

    await createBrowser(logged).get(path);
    await createBrowser(logged).get(`/signup/confirm/${token}`);
    const post = await app.inject({ method: "POST", url: path, payload: `password=${fresh}` });
    await logged.close();

    expect(post.statusCode).toBeGreaterThanOrEqual(400);
    expect(token).toHaveLength(43);
    for (const route of ["/password/reset/:token", "/signup/confirm/:token"]) {
      expect(lines.join("")).toContain(`"route":"${route}","params":{"token":"[redacted]"}`);
    }
    expect(lines.join("")).not.toContain(token);
    const rows = await db.query<{
      dump: string;
    }>(`SELECT r::text AS dump FROM password_resets r UNION ALL SELECT m::text FROM mail_outbox m
       UNION ALL SELECT s::text FROM sessions s UNION ALL SELECT a::text FROM activity_log a`);
    expect(rows.some(({ dump }) => dump.includes(token))).toBe(false);
  });
});

describe("forgotten password without a mail server", () => {
  const current = useApp();

  test("points to the operator's command, and an email request does nothing", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const browser = createBrowser(app);
    const page = await browser.get("/password/forgot");
    expect(page.body).toContain("fettle account set-password");
    const token = /name="_csrf" value="([^"]*)"/.exec((await browser.get("/signin")).body)?.[1];

    const answer = await browser.post("/password/forgot", {
      email: member.email,
      _csrf: token ?? "",
    });

    expect(answer.statusCode).toBe(403);
    expect(await noticesTo(current(), member.email)).toEqual([]);
  });
});

describe("password request in a real browser", () => {
  const current = useServer(mail);
  const chromium = useChromium();

  browserTest.each(views)(
    "every page passes the page checks in $width $colorScheme",
    async (view) => {
      const member = await aMember(current().db);
      const opened = await openPage(chromium(), current(), undefined, view);
      const { page } = opened;

      expect(await sweep(opened, ["/signin", "/password/sent", "/password/forgot"])).toEqual({});
      await page.getByLabel("Email").fill(member.email);
      await page.getByRole("button", { name: "Send the link" }).click();
      await page.waitForURL((url) => url.pathname === "/password/sent");
      const path = await linkTo(current(), member.email, "password_reset");
      expect(await sweep(opened, [path])).toEqual({});
      await page.getByLabel("New password").fill(fresh);
      await page.getByRole("button", { name: "Set new password" }).click();
      await page.waitForURL((url) => url.pathname === "/signin");
      expect(await page.getByRole("status").textContent()).toContain("Password changed.");
      await page.goto(path);
      expect(await findProblems(page)).toEqual([]);

      expect(opened.complaints).toEqual([]);
      await opened.close();
    },
  );

  browserTest("a person signs in with the keyboard alone", async () => {
    const member = await aMember(current().db);
    const { page, close } = await openPage(chromium(), current());
    await page.goto("/settings");
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("name") ?? "");
    const tabTo = async (name: string) => {
      for (let n = 0; n < 10 && (await focused()) !== name; n += 1)
        await page.keyboard.press("Tab");
      expect(await focused()).toBe(name);
    };

    await tabTo("email");
    await page.keyboard.type(member.email);
    await tabTo("password");
    await page.keyboard.type(member.password);
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname === "/settings");

    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Your account");
    await close();
  });
});
