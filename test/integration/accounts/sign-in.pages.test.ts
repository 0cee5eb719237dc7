import { describe, expect, onTestFinished, test, vi } from "vitest";
import { deactivateAccount, setPassword } from "../../../server/src/domain/accounts/accounts.js";
import { cleanUpSessions } from "../../../server/src/domain/accounts/sessions.js";
import { hashSecret } from "../../../server/src/domain/shared/secrets.js";
import { testConfig, useApp, useServer, startApp } from "../../support/app.js";
import { createBrowser, type TestBrowser } from "../../support/browser.js";
import { aMember } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { signIn } from "../../support/oauth.js";

const cookieName = "__Host-fettle";

function sessionIdOf(browser: TestBrowser): string {
  return (browser.cookies.get(cookieName) ?? "").split(".")[0] ?? "";
}

describe("sign-in", () => {
  const current = useApp();

  async function countSessions(browser: TestBrowser): Promise<number> {
    const rows = await current().db.query("SELECT 1 FROM sessions WHERE id_hash = $1", [
      hashSecret(sessionIdOf(browser)),
    ]);
    return rows.length;
  }

  test("LOG-01 the session id changes at sign-in and sign-out, and old rows are deleted", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const browser = createBrowser(app);
    const page = await browser.get("/signin");
    const anonymous = sessionIdOf(browser);

    await browser.submitForm(page, { email: member.email, password: member.password });
    const signedIn = sessionIdOf(browser);
    await browser.submitForm(await browser.get("/"), {}, { action: "/signout" });

    const ids = [anonymous, signedIn, sessionIdOf(browser)];
    expect(new Set(ids).size).toBe(3);
    expect(ids).not.toContain("");
    const rows = await db.query("SELECT 1 FROM sessions WHERE id_hash = ANY ($1::bytea[])", [
      [hashSecret(anonymous), hashSecret(signedIn)],
    ]);
    expect(rows).toEqual([]);
    expect((await browser.get("/settings")).headers.location).toMatch(/^\/signin\?next=/);
  });

  test("LOG-02 the cookie is __Host-, Secure, HttpOnly and SameSite=Lax, on http as well", async () => {
    const answer = await createBrowser(current().app).get("/signin");

    const [header = ""] = [answer.headers["set-cookie"]].flat();
    expect(header).toMatch(/^__Host-fettle=/);
    for (const attribute of ["Path=/", "HttpOnly", "SameSite=Lax", "Secure"]) {
      expect(header.split("; ")).toContain(attribute);
    }
    expect(header).not.toMatch(/domain/i);
  });

  test("LOG-03 only the hash of a session id is stored, and sign-out removes the row", async () => {
    const { app, db } = current();
    const browser = await signIn(app, await aMember(db));
    const id = sessionIdOf(browser);

    const rows = await db.query<{ row: string }>("SELECT s::text AS row FROM sessions s");
    expect(rows.some(({ row }) => row.includes(id))).toBe(false);
    expect(await countSessions(browser)).toBe(1);
    const home = await browser.get("/");
    await browser.submitForm(home, {}, { action: "/signout" });

    const left = await db.query("SELECT 1 FROM sessions WHERE id_hash = $1", [hashSecret(id)]);
    expect(left).toEqual([]);
  });

  test("LOG-04 sign-in returns to the requesting page, never to an external address", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const fields = { email: member.email, password: member.password };
    const browser = createBrowser(app);
    const away = await browser.get("/settings/apps?from=mail");
    const page = await browser.get(String(away.headers.location));

    const answer = await browser.submitForm(page, fields);

    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toBe("/settings/apps?from=mail");
    for (const next of ["//evil.example", "/\\evil.example", "https:evil.example", "@evil", "x"]) {
      const other = createBrowser(app);
      const form = await other.get(`/signin?next=${encodeURIComponent(next)}`);
      expect((await other.submitForm(form, fields)).headers.location).toBe("/");
      const signedIn = await other.get(`/signin?next=${encodeURIComponent(next)}`);
      expect(signedIn.headers.location).toBe("/");
    }
  });

  test("AUT-29 two tabs sent to sign-in both return to their own page", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const browser = createBrowser(app);
    const first = String((await browser.get("/settings")).headers.location);
    const second = String((await browser.get("/settings/apps")).headers.location);

    const page = await browser.get(first);
    const answer = await browser.submitForm(page, {
      email: member.email,
      password: member.password,
    });

    expect(answer.headers.location).toBe("/settings");
    expect((await browser.get(second)).headers.location).toBe("/settings/apps");
  });

  test("LOG-05 rejects a sign-in form sent from another site", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const browser = createBrowser(app);
    const page = await browser.get("/signin");

    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
    ]) {
      const answer = await browser.submitForm(
        page,
        { email: member.email, password: member.password },
        { headers },
      );
      expect(answer.statusCode).toBe(403);
      expect((await browser.get("/")).headers.location).toBe("/signin");
    }
  });

  test("LOG-06 a wrong email, a wrong password and a deactivated account get the same answer", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const deactivated = await aMember(db);
    await db.transaction((tx) => deactivateAccount(tx, deactivated.userId));

    const answers = await Promise.all(
      [
        { email: "nobody@example.com", password: member.password },
        { email: member.email, password: "not the password" },
        { email: deactivated.email, password: deactivated.password },
        { email: member.email, password: "x".repeat(2000) },
        { email: "nul\0byte", password: "" },
      ].map(async (fields) => {
        const browser = createBrowser(app);
        const answer = await browser.submitForm(await browser.get("/signin"), fields);
        const text = answer.body.replace(/value="[^"]*"/g, "");
        return { status: answer.statusCode, text };
      }),
    );

    expect(answers[0]?.status).toBe(400);
    expect(answers[0]?.text).toContain("That email and password don't match.");
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  test.each(["in the settings", "by a command"])(
    "LOG-15 a sign-in in progress fails if the password is changed %s",
    async (where) => {
      const { app, db } = current();
      const member = await aMember(db);
      const { email, password: current_password } = member;
      const password = "four unrelated words";
      const browser = await signIn(app, member);
      const afterPassword = vi.spyOn(app.services.signInThrottle, "forget");
      onTestFinished(() => {
        afterPassword.mockRestore();
      });
      afterPassword.mockImplementationOnce(async () => {
        if (where === "in the settings") {
          await browser.submitForm(await browser.get("/settings/password"), {
            current_password,
            password,
          });
        } else await db.transaction((tx) => setPassword(tx, member.userId, password));
      });

      const late = createBrowser(app);
      await late.submitForm(await late.get("/signin"), { email, password: current_password });

      expect((await late.get("/")).headers.location).toBe("/signin");
      expect((await browser.get("/")).statusCode).toBe(where === "in the settings" ? 200 : 303);
      await signIn(app, { ...member, password });
    },
  );

  test("LOG-09 a session ends after 12 unused hours, and after 30 days in any case", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const [idle, old] = [await signIn(app, member), await signIn(app, member)];
    const age = (browser: TestBrowser, column: string, interval: string) =>
      db.query(`UPDATE sessions SET ${column} = now() - $2::interval WHERE id_hash = $1`, [
        hashSecret(sessionIdOf(browser)),
        interval,
      ]);

    await age(idle, "last_used_at", "11 hours 59 minutes");
    await age(old, "created_at", "29 days 23 hours");
    expect((await idle.get("/")).statusCode).toBe(200);
    expect((await old.get("/")).statusCode).toBe(200);
    await age(idle, "last_used_at", "12 hours 1 minute");
    await age(old, "created_at", "30 days 1 minute");

    expect((await idle.get("/")).headers.location).toBe("/signin");
    expect((await old.get("/")).headers.location).toBe("/signin");
    await cleanUpSessions(db);
    expect(await countSessions(idle)).toBe(0);
    expect(await countSessions(old)).toBe(0);
  });

  test("LOG-10 accepts a cookie signed with an older key, but not with another one", async () => {
    const { app, db } = current();
    const browser = await signIn(app, await aMember(db));
    const rotated = await startApp(
      testConfig({ secretKeys: ["n".repeat(40), "test-key-that-is-at-least-32-characters"] }),
      db,
    );
    const foreign = await startApp(testConfig({ secretKeys: ["n".repeat(40)] }), db);
    const statusIn = async (other: typeof app) => {
      const visitor = createBrowser(other);
      visitor.cookies.set(cookieName, browser.cookies.get(cookieName) ?? "");
      return (await visitor.get("/")).statusCode;
    };

    expect(await statusIn(rotated)).toBe(200);
    expect(await statusIn(foreign)).toBe(303);
    await Promise.all([rotated.close(), foreign.close()]);
  });

  test("LOG-11 neither machine endpoints nor pages without a form set a cookie or make a session", async () => {
    const { app, db } = current();
    const count = async () => {
      const rows = await db.query<{ n: number }>("SELECT count(*)::int AS n FROM sessions");
      return rows[0]?.n;
    };
    const before = await count();

    for (const [method, url] of [
      ["GET", "/healthz"],
      ["GET", "/.well-known/oauth-authorization-server"],
      ["POST", "/oauth/token"],
      ["POST", "/mcp"],
      ["GET", "/password/forgot"],
      ["GET", "/"],
    ] as const) {
      const answer = await app.inject({ method, url, headers: { host: "localhost:3000" } });
      expect(answer.headers["set-cookie"], url).toBeUndefined();
    }
    expect(await count()).toBe(before);
  });

  test("an account deactivated while signed in is signed out with its next request", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const browser = await signIn(app, member);
    await db.query("UPDATE users SET deactivated_at = now() WHERE id = $1", [member.userId]);

    expect((await browser.get("/")).headers.location).toBe("/signin");
    expect((await browser.get("/settings")).headers.location).toMatch(/^\/signin/);
  });
});

describe("sign-in with a real browser", () => {
  const current = useServer();
  const chromium = useChromium();

  browserTest("LOG-02 the Secure cookie works on http://localhost", async () => {
    const { config, db } = current();
    const member = await aMember(db);
    const context = await chromium().newContext();
    const page = await context.newPage();

    await page.goto(`${config.baseUrl}/settings`);
    await page.getByLabel("Email").fill(member.email);
    await page.getByLabel("Password").fill(member.password);
    await page.getByRole("button", { name: "Sign in" }).click();

    expect(page.url()).toBe(`${config.baseUrl}/settings`);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Your account");
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ name: cookieName, secure: true, httpOnly: true });
    await page.locator(".account > button").click();
    await page.getByRole("button", { name: "Sign out" }).click();
    expect(await page.getByRole("status").textContent()).toBe("You're signed out.");
    await context.close();
  });
});
