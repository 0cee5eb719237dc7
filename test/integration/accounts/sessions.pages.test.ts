// @module-tag embedded

import type { FastifyInstance } from "fastify";
import { describe, expect, test } from "vitest";
import { staticUrls } from "../../../server/src/web/static-files.js";
import { describeBrowser } from "../../../server/src/web/text/browser-names.js";
import { useApp } from "../../support/app.js";
import { createBrowser, type TestBrowser } from "../../support/browser.js";
import { aMember, type Member } from "../../support/builders.js";
import { callWith, connect, signIn } from "../../support/oauth.js";

const agents = {
  firefox: "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0",
  phone:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
  chrome:
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
  edge: "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0",
};

async function signInWith(
  app: FastifyInstance,
  member: Member,
  userAgent: string,
): Promise<TestBrowser> {
  const browser = createBrowser(app);
  const fields = { email: member.email, password: member.password };
  const headers = { "user-agent": userAgent };
  await browser.submitForm(await browser.get("/signin"), fields, { headers });
  return browser;
}

function endLinks(html: string): string[] {
  return [...html.matchAll(/href="(\/settings\/sessions\/[0-9a-f]{64}\/end)"/g)].map(
    ([, address = ""]) => address,
  );
}

describe("Sessions", () => {
  const current = useApp();

  test("accepts forms of pages that were requested concurrently right after sign-in", async () => {
    const { app, db } = current();
    const browser = await signInWith(app, await aMember(db), agents.firefox);
    const paths = ["/settings", "/settings/password", "/settings/notifications"];

    const pages = await Promise.all(paths.map((path) => browser.get(path)));
    const answers = [];
    for (const page of pages) answers.push(await browser.submitForm(page, {}));

    expect(answers.map(({ statusCode }) => statusCode)).not.toContain(403);
  });

  test("a person is active from the sign-in on", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const readActive = async () => {
      const row = await db.maybe<{ is_active: boolean }>(
        `SELECT last_active_at > now() - interval '1 minute' AS is_active
         FROM organization_members WHERE user_id = $1`,
        [member.userId],
      );
      return row?.is_active;
    };
    await db.query("UPDATE organization_members SET last_active_at = NULL WHERE user_id = $1", [
      member.userId,
    ]);
    expect(await readActive()).toBeNull();
    await signIn(app, member);
    expect(await readActive()).toBe(true);
  });

  test("lists each browser by name and address, marks this one, shows no secret", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const browser = await signInWith(app, member, agents.firefox);
    await signInWith(app, member, agents.phone);
    await signIn(app, await aMember(db));

    const page = await browser.get("/settings/sessions");

    expect(page.body).toContain("Firefox on Linux");
    expect(page.body).toContain("Safari on an iPhone");
    expect(page.body).toContain("127.0.0.1");
    expect(page.body.match(/This browser/g)).toHaveLength(1);
    expect(endLinks(page.body)).toHaveLength(1);
    const secret = [...browser.cookies.values()][0]?.split(".")[0] ?? "";
    expect(secret.length).toBeGreaterThan(20);
    expect(page.body).not.toContain(secret);
  });

  test("LIM-77 shared static files skip the session", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const browser = await signIn(app, member);
    await db.query("UPDATE sessions SET last_used_at = created_at - interval '1 hour'");

    for (const file of [staticUrls.app, "/worker.js"]) {
      const { statusCode, headers } = await browser.get(file);
      expect([statusCode, headers["set-cookie"]]).toEqual([200, undefined]);
    }
    const isUnused = "SELECT last_used_at < created_at AS unused FROM sessions WHERE user_id = $1";
    expect(await db.query(isUnused, [member.userId])).toEqual([{ unused: true }]);
    expect((await browser.get("/settings")).statusCode).toBe(200);
    expect(await db.query(isUnused, [member.userId])).toEqual([{ unused: false }]);
  });

  test("GRO-08 a person has up to 100 sessions; one more ends the least recently used", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const first = await signIn(app, member);
    await db.query(
      `INSERT INTO sessions (id_hash, user_id, last_used_at)
       SELECT sha256(n::text::bytea), $1, app_now() - n * interval '1 minute'
       FROM generate_series(1, 100) n`,
      [member.userId],
    );

    const second = await signIn(app, member);

    const rows = await db.query<{ sessions: number; oldest: number }>(
      `SELECT count(*)::int AS sessions,
         round(extract(epoch FROM app_now() - min(last_used_at)) / 60)::int AS oldest
       FROM sessions WHERE user_id = $1`,
      [member.userId],
    );
    expect(rows).toEqual([{ sessions: 100, oldest: 98 }]);
    for (const browser of [first, second])
      expect((await browser.get("/settings")).statusCode).toBe(200);
  });

  test("ending one asks first, signs out that browser only, and can be repeated", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const { browser, tokens } = await connect(app, member);
    const phone = await signInWith(app, member, agents.phone);
    const third = await signInWith(app, member, agents.chrome);
    const list = await browser.get("/settings/sessions");
    const address = await findLink(browser, endLinks(list.body), "Safari on an iPhone");
    const question = await browser.get(address);

    const answer = await browser.submitForm(question, {});
    const again = await browser.submitForm(question, {});

    expect(question.body).toContain("has to sign in again");
    expect([answer.statusCode, again.statusCode]).toEqual([303, 303]);
    expect((await phone.get("/settings")).headers.location).toMatch(/^\/signin/);
    expect((await third.get("/settings")).statusCode).toBe(200);
    const after = await browser.get("/settings/sessions");
    expect(after.body).toContain("That session had already ended.");
    expect(endLinks(after.body)).toHaveLength(1);
    expect(await callWith(app, tokens.access_token)).toBe(200);
    expect((await browser.get(address)).statusCode).toBe(404);
  });

  test("ending all others keeps this one and reports their number", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const browser = await signIn(app, member);
    const others = [await signIn(app, member), await signIn(app, member)];
    const stranger = await signIn(app, await aMember(db));

    const question = await browser.get("/settings/sessions/others/end");
    const answer = await browser.submitForm(question, {});

    expect(question.body).toContain("End 2 other sessions?");
    expect(answer.statusCode).toBe(303);
    const after = await browser.get("/settings/sessions");
    expect(after.body).toContain("Signed out of 2 other browsers.");
    expect(endLinks(after.body)).toEqual([]);
    for (const other of others) {
      expect((await other.get("/settings")).headers.location).toMatch(/^\/signin/);
    }
    expect((await stranger.get("/settings")).statusCode).toBe(200);
    expect((await browser.get("/settings/sessions/others/end")).statusCode).toBe(303);
    expect(
      await db.query(
        "SELECT details FROM activity_log WHERE type = 'signed_out' AND user_id = $1",
        [member.userId],
      ),
    ).toEqual([{ details: { other_sessions: 2 } }]);
  });

  test("another person's session and the current one can't be viewed or ended here", async () => {
    const { app, db } = current();
    const [member, other] = [await aMember(db), await aMember(db)];
    const browser = await signIn(app, member);
    const theirs = await signIn(app, other);
    const rows = await db.query<{ id: string; user_id: string }>(
      "SELECT encode(id_hash, 'hex') AS id, user_id FROM sessions WHERE user_id IN ($1, $2)",
      [member.userId, other.userId],
    );
    const form = await browser.get("/settings");

    for (const { id } of rows) {
      const action = `/settings/sessions/${id}/end`;
      expect((await browser.get(action)).statusCode).toBe(404);
      const token = /name="_csrf" value="([^"]*)"/.exec(form.body)?.[1] ?? "";
      expect((await browser.post(action, { _csrf: token })).statusCode).toBe(303);
    }

    expect(rows).toHaveLength(2);
    expect((await theirs.get("/settings")).statusCode).toBe(200);
    expect((await browser.get("/settings")).statusCode).toBe(200);
  });

  test("rejects invalid ids, and a form without its hidden token ends nothing", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const [browser, other] = [await signIn(app, member), await signIn(app, member)];
    const [address = ""] = endLinks((await browser.get("/settings/sessions")).body);

    for (const id of ["%00", "..%2f..", "g".repeat(64), "a".repeat(64)]) {
      expect((await browser.get(`/settings/sessions/${id}/end`)).statusCode, id).toBe(404);
    }
    expect((await browser.post(address, {})).statusCode).toBe(403);
    expect((await other.get("/settings")).statusCode).toBe(200);
  });
});

async function findLink(browser: TestBrowser, links: string[], words: string): Promise<string> {
  for (const link of links) {
    if ((await browser.get(link)).body.includes(words)) return link;
  }
  throw new Error(`None of the sessions is ${words}`);
}

test("names browsers in plain words, whatever else they claim to be", () => {
  expect(Object.values(agents).map(describeBrowser)).toEqual([
    "Firefox on Linux",
    "Safari on an iPhone",
    "Chrome on Windows",
    "Edge on a Mac",
  ]);
  expect(describeBrowser("curl/8.5.0")).toBe("curl");
  expect(describeBrowser("<b>x</b>")).toBe("Unknown browser");
  expect(describeBrowser(null)).toBe("Unknown browser");
});
