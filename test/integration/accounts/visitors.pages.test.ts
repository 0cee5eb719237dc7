import { afterEach, describe, expect, test, vi } from "vitest";
import { staticUrls } from "../../../server/src/web/static-files.js";
import { testConfig, useApp, startApp } from "../../support/app.js";
import { createBrowser, findForms, type TestBrowser } from "../../support/browser.js";
import { aMember } from "../../support/builders.js";
import { aChallenge, aClient, authorizeUrl, follow, signIn } from "../../support/oauth.js";

const cookieName = "__Host-fettle";
const hour = 60 * 60_000;

describe("visitors without a session", () => {
  const current = useApp();
  afterEach(() => {
    vi.useRealTimers();
  });

  const countSessions = async () => {
    const row = await current().db.maybe<{ n: number }>("SELECT count(*)::int AS n FROM sessions");
    return row?.n;
  };
  const cookieOf = (browser: TestBrowser) => browser.cookies.get(cookieName) ?? "";
  const letTimePass = (ms: number) => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
  };

  test("GRO-01 creates no database rows for pages opened or forms sent", async () => {
    const { app } = current();
    const client = await aClient(app);

    for (const url of [
      "/",
      "/signin",
      "/settings?from=mail",
      "/assets",
      "/invites/unknown",
      "/q/unknown",
      "/nowhere",
      authorizeUrl(client, aChallenge()),
    ]) {
      const browser = createBrowser(app);
      const page = await follow(browser, await browser.get(url));
      await browser.post("/signin", { _csrf: csrfOf(page), email: "a@example.com", password: "x" });
      await browser.post("/signout", { _csrf: csrfOf(page) });
      await browser.get("/signin");
    }

    expect(await countSessions()).toBe(0);
  });

  test("GRO-01 returns to the requested page with only a key in the URL", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const client = await aClient(app);
    const browser = createBrowser(app);
    const asked = authorizeUrl(client, aChallenge(), { state: "s".repeat(2000) });

    const away = await browser.get(asked);
    const form = await browser.get(String(away.headers.location));
    const answer = await browser.submitForm(form, { ...member });

    expect(away.headers.location).toMatch(/^\/signin\?next=[\w-]{1,40}$/);
    expect(answer.headers.location).toBe(asked);
    const other = createBrowser(app);
    const foreign = await other.get(String(away.headers.location));
    expect((await other.submitForm(foreign, { ...member })).headers.location).toBe("/");
  });

  test("GRO-01 cookie is encrypted, tamper-proof, and at most 4096 bytes", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const browser = createBrowser(app);
    const answers = [];
    for (let n = 0; n < 12; n += 1) {
      answers.push(await browser.get(`/assets?q=${String(n).repeat(700)}`));
    }
    const first = await browser.get("/signin");
    const [header = ""] = [answers[0]?.headers["set-cookie"]].flat();

    expect(header).toMatch(/; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect(`${cookieName}=${cookieOf(browser)}`.length).toBeLessThanOrEqual(4096);
    expect(Buffer.from(cookieOf(browser), "base64url").toString("latin1")).not.toContain("assets");
    const last = await browser.get(String(answers[11]?.headers.location));
    const kept = await browser.submitForm(last, { ...member });
    expect(kept.headers.location).toContain("?q=1111");
    const changed = createBrowser(app);
    const text = Buffer.from(cookieOf(browser), "base64url");
    text.writeUInt8(text.readUInt8(40) ^ 1, 40);
    changed.cookies.set(cookieName, text.toString("base64url"));
    const refused = await changed.post("/signin", { _csrf: csrfOf(first), ...member });
    expect(refused.statusCode).toBe(403);
  });

  test("GRO-01 binds CSRF tokens to the browser and ends them at sign-in", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const [one, two] = [createBrowser(app), createBrowser(app)];
    const [pageOfOne, pageOfTwo] = [await one.get("/signin"), await two.get("/signin")];
    const before = cookieOf(one);
    const sessions = await countSessions();

    for (const token of [csrfOf(pageOfTwo), "", "x", `${csrfOf(pageOfOne)}x`]) {
      expect((await one.post("/signin", { _csrf: token, ...member })).statusCode).toBe(403);
    }
    const bare = createBrowser(app);
    expect((await bare.post("/signin", { _csrf: csrfOf(pageOfOne), ...member })).statusCode).toBe(
      403,
    );
    expect(await countSessions()).toBe(sessions);
    expect((await one.submitForm(pageOfOne, { ...member })).statusCode).toBe(303);

    expect(cookieOf(one)).not.toBe(before);
    expect(await countSessions()).toBe((sessions ?? 0) + 1);
    const stale = await one.post("/signout", { _csrf: csrfOf(pageOfOne) });
    expect(stale.statusCode).toBe(403);
  });

  test("GRO-01 decrypts the cookie with an older key but not with an unknown one", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const browser = createBrowser(app);
    const page = await browser.get("/signin");
    const rotated = await startApp(
      testConfig({ secretKeys: ["n".repeat(40), "test-key-that-is-at-least-32-characters"] }),
      db,
    );
    const foreign = await startApp(testConfig({ secretKeys: ["n".repeat(40)] }), db);
    const statusIn = async (other: typeof app) => {
      const visitor = createBrowser(other);
      visitor.cookies.set(cookieName, cookieOf(browser));
      return (await visitor.post("/signin", { _csrf: csrfOf(page), ...member })).statusCode;
    };

    expect(await statusIn(foreign)).toBe(403);
    expect(await statusIn(rotated)).toBe(303);
    await Promise.all([rotated.close(), foreign.close()]);
  });

  test("GRO-01 cookie expires after 12 hours without use and is renewed by use", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const [idle, used] = [createBrowser(app), createBrowser(app)];
    const [idlePage, usedPage] = [await idle.get("/signin"), await used.get("/signin")];

    letTimePass(11 * hour);
    expect((await used.get(staticUrls.app)).headers["set-cookie"]).toBeUndefined();
    expect((await used.get("/signin")).headers["set-cookie"]).toBeDefined();
    expect((await used.get("/signin")).headers["set-cookie"]).toBeUndefined();
    letTimePass(2 * hour);

    expect((await idle.submitForm(idlePage, { ...member })).statusCode).toBe(403);
    expect((await used.submitForm(usedPage, { ...member })).statusCode).toBe(303);
  });
});

describe("authorization requests", () => {
  const current = useApp();

  test("GRO-01 keeps the newest twenty per person without affecting other people", async () => {
    const { app, db } = current();
    const client = await aClient(app);
    const [one, other] = [
      await signIn(app, await aMember(db)),
      await signIn(app, await aMember(db)),
    ];
    const ask = (browser: TestBrowser) => browser.get(authorizeUrl(client, aChallenge()));
    const kept = await ask(other);
    const answers = [];

    for (let n = 0; n < 25; n += 1) answers.push(await ask(one));

    const rows = await db.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM oauth_authorization_requests GROUP BY user_id ORDER BY n",
    );
    expect(rows.map(({ n }) => n)).toEqual([1, 20]);
    expect((await other.get(String(kept.headers.location))).statusCode).toBe(200);
    const [oldest, newest] = [answers[0], answers[24]];
    expect((await one.get(String(newest?.headers.location))).statusCode).toBe(200);
    expect((await one.get(String(oldest?.headers.location))).body).toContain("is too old");
  });
});

function csrfOf({ body }: { body: string }): string {
  return findForms(body).find(({ hidden }) => "_csrf" in hidden)?.hidden["_csrf"] ?? "";
}
