import { Writable } from "node:stream";
import { fastify } from "fastify";
import { describe, expect, test, vi } from "vitest";
import { Database } from "../../../server/src/db/database.js";
import { createDataSource } from "../../../server/src/db/data-source.js";
import { createLogger, withoutSecrets } from "../../../server/src/plugins/logging.js";
import { testConfig, useApp, startApp } from "../../support/app.js";
import { createBrowser } from "../../support/browser.js";
import { aMember } from "../../support/builders.js";
import { signIn } from "../../support/oauth.js";

describe("error pages", () => {
  const current = useApp();

  test("returns a page to people and JSON to programs for an unknown address", async () => {
    const { app } = current();
    const ask = (url: string, accept: string) => app.inject({ url, headers: { accept } });

    const page = await ask("/nothing-here", "text/html,application/xhtml+xml");
    expect(page.statusCode).toBe(404);
    expect(page.headers["content-type"]).toMatch(/^text\/html/);
    expect(page.body).toContain("Page not found");
    const json = await ask("/nothing-here", "*/*");
    expect(json.statusCode).toBe(404);
    expect(json.json()).toMatchObject({ error: "not_found" });
    for (const url of ["/oauth/nothing", "/.well-known/nothing", "/mcp/nothing"]) {
      const answer = await ask(url, "text/html");
      expect(answer.statusCode, url).toBe(404);
      expect(answer.headers["content-type"], url).toMatch(/^application\/json/);
      expect(answer.json(), url).toHaveProperty("error");
    }
  });

  test("returns 404 with the usual headers for an address that can't be decoded", async () => {
    const { app } = current();
    const page = await app.inject({ url: "/a%2Fb/%ff?q=%20", headers: { accept: "text/html" } });
    expect(page.statusCode).toBe(404);
    expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
    expect(page.body).toContain("Page not found");
    for (const url of ["/oauth/%ff", "/oauth/token/%zz", "/.well-known/%"]) {
      const answer = await app.inject({ method: "POST", url });
      expect(answer.statusCode, url).toBe(404);
      expect(answer.headers["cache-control"], url).toBe("no-store");
      expect(answer.json(), url).toMatchObject({ error: "not_found" });
    }
  });

  test("shows navigation on an unknown address only to signed-in people", async () => {
    const { app, db } = current();
    const browser = await signIn(app, await aMember(db));
    const page = await browser.get("/no/such/page?x=1");
    expect(page.statusCode).toBe(404);
    expect(page.body).toContain("Page not found");
    expect(page.body).toContain('href="/tasks"');
    const stranger = await createBrowser(app).get("/no/such/page");
    expect(stranger.statusCode).toBe(404);
    expect(stranger.body).not.toContain('href="/tasks"');
  });

  test("rejects oversized and invalid forms in plain words", async () => {
    const { app, db } = current();
    const browser = await signIn(app, await aMember(db));

    const large = await browser.post("/signout", { filler: "x".repeat(70_000) });
    expect(large.statusCode).toBe(413);
    expect(large.body).toContain("Send at most 64 KiB.");
    const json = await browser.post("/signout", {}, { "content-type": "application/json" });
    expect(json.statusCode).toBe(415);
    const nul = await browser.get("/settings/apps/%00/disconnect");
    expect(nul.statusCode).toBe(400);
  });

  test("an unexpected error shows one fixed sentence and the log reference", async () => {
    const { app, db } = current();
    const lines: string[] = [];
    const stream = new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        done();
      },
    });
    const config = testConfig({ logLevel: "error" });
    const broken = await startApp(config, db, { log: createLogger(config, stream) });
    broken.get("/broken", () => {
      throw Object.assign(new Error("secret table name"), { parameters: ["a-stored-hash"] });
    });

    const answer = await broken.inject({ url: "/broken", headers: { accept: "text/html" } });
    const json = await broken.inject({ url: "/broken" });

    expect(answer.statusCode).toBe(500);
    expect(answer.body).toContain("Something went wrong on our side. Nothing was changed.");
    expect(answer.body).not.toContain("secret table name");
    expect(json.json()).toMatchObject({ error: "server_error" });
    const { reqId } = JSON.parse(lines[0] ?? "{}") as { reqId: string };
    expect(answer.body).toContain(reqId);
    expect(answer.headers["x-request-id"]).toBe(reqId);
    expect(lines.join("")).toContain("secret table name");
    expect(lines.join("")).not.toContain("a-stored-hash");
    await broken.close();
    expect((await createBrowser(app).get("/healthz")).json()).toEqual({ status: "ok" });
  });

  test("/readyz distinguishes up to date, behind and unreachable", async () => {
    const { app, db } = current();
    expect((await app.inject({ url: "/readyz" })).json()).toEqual({ status: "ok" });

    const migration = await db.maybe<{ id: number; timestamp: string; name: string }>(
      "SELECT * FROM migrations ORDER BY id DESC LIMIT 1",
    );
    await db.query("DELETE FROM migrations WHERE id = $1", [migration?.id]);
    // The result is cached for a second.
    const behind = await vi.waitFor(async () => {
      const answer = await app.inject({ url: "/readyz" });
      expect(answer.statusCode).toBe(503);
      return answer;
    }, 60_000);
    await db.query("INSERT INTO migrations (id, timestamp, name) VALUES ($1, $2, $3)", [
      migration?.id,
      migration?.timestamp,
      migration?.name,
    ]);

    expect(behind.json<{ reason: string }>().reason).toMatch(/not up to date.*fettle migrate/);
  });
});

describe("unreachable database", () => {
  test("pages and JSON say so in plain words, and the process stays healthy", async () => {
    const away = new Database(createDataSource({ url: "postgres://nobody@127.0.0.1:1/nothing" }));
    const app = await startApp(testConfig(), away);
    await app.ready();

    const page = await app.inject({ url: "/signin", headers: { accept: "text/html" } });
    expect(page.statusCode).toBe(503);
    expect(page.body).toContain("The database can't be reached right now.");
    expect(page.headers["retry-after"]).toBe("30");
    expect((await app.inject({ url: "/readyz" })).statusCode).toBe(503);
    expect((await app.inject({ url: "/healthz" })).statusCode).toBe(200);
    await app.close();
  });
});

describe("the log", () => {
  test("OPS-05 contains no secrets from headers, bodies or addresses", async () => {
    const lines: string[] = [];
    const stream = new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        done();
      },
    });
    const app = fastify({ loggerInstance: createLogger({ logLevel: "info" }, stream) });
    app.get("/*", (request) => {
      request.log.info({
        headers: { authorization: "Bearer hush-1", cookie: "hush-2" },
        body: { password: "hush-3", code_verifier: "hush-4", refresh_token: "hush-5" },
        token: "hush-6",
        client_secret: "hush-7",
      });
      return "ok";
    });

    await app.inject({
      url: "/callback?code=hush-8&state=hush-9&token=hush-10&page=2",
      headers: { authorization: "Bearer hush-11", cookie: "hush-12" },
    });

    const log = lines.join("");
    expect(log).not.toContain("hush");
    expect(log).toContain("page=2");
    expect(log).toContain("[redacted]");
    await app.close();
  });

  test.each([
    ["/setup?token=abc", "/setup?token=[redacted]"],
    ["/invites/abc?x=1", "/invites/[redacted]?x=1"],
    ["/labels/abc.png", "/labels/[redacted]"],
    ["/calendar/abc.ics", "/calendar/[redacted]"],
    ["/q/0a/report/abc", "/q/0a/report/[redacted]"],
    ["/password/reset/abc", "/password/reset/[redacted]"],
    ["/unsubscribe/abc", "/unsubscribe/[redacted]"],
    ["/assets/ast_1?q=pump", "/assets/ast_1?q=pump"],
    ["/x?a=1&CODE=abc#f", "/x?a=1&CODE=[redacted]#f"],
  ])("OPS-05 logs %s as %s", (url, logged) => {
    expect(withoutSecrets(url)).toBe(logged);
  });
});
