import { QueryFailedError } from "typeorm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createToolCallLog } from "../../../server/src/domain/audit/tool-calls.js";
import { defaultRetention } from "../../../server/src/domain/shared/retention.js";
import { cleanUp } from "../../../server/src/housekeeping.js";
import { startMailSender } from "../../../server/src/mail/sender.js";
import { testConfig, useApp, type TestApp, startApp } from "../../support/app.js";
import { createBrowser } from "../../support/browser.js";
import { aMember } from "../../support/builders.js";
import { createDatabase } from "../../support/database.js";
import { connect } from "../../support/mcp.js";
import { growthOf, readMetrics } from "../../support/metrics.js";

const metricsToken = "a-token-of-the-operator";
const current = useApp({ metricsToken, smtpUrl: "smtp://127.0.0.1:1" });

describe("access to /metrics", () => {
  const afar = { remoteAddress: "198.51.100.7" };
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const statusOf = async ({ app }: Pick<TestApp, "app">, more: object) =>
    (await app.inject({ url: "/metrics", ...more })).statusCode;

  test("allows anyone with the token, from anywhere, and rejects other tokens", async () => {
    expect(await statusOf(current(), { ...afar, headers: bearer(metricsToken) })).toBe(200);
    expect(await statusOf(current(), { headers: bearer(metricsToken) })).toBe(200);
    expect(await statusOf(current(), { ...afar, headers: bearer("a-token-of-another-one") })).toBe(
      401,
    );
    expect(await statusOf(current(), { headers: bearer("") })).toBe(401);
    expect(await statusOf(current(), afar)).toBe(401);
    const refused = await current().app.inject({ url: "/metrics", ...afar });
    expect(refused.headers["www-authenticate"]).toBe("Bearer");
    expect(refused.body).not.toContain("fettle_");
  });

  test("without a token allows only local requests that bypass the proxy", async () => {
    const app = await startApp(testConfig(), current().db);
    const open = { app };

    expect(await statusOf(open, {})).toBe(200);
    expect(await statusOf(open, { headers: { host: "127.0.0.1:3000" } })).toBe(200);
    expect(await statusOf(open, afar)).toBe(404);
    expect(await statusOf(open, { headers: bearer(metricsToken) })).toBe(404);
    expect(await statusOf(open, { headers: { "x-forwarded-for": "198.51.100.7" } })).toBe(404);
    expect(await statusOf(open, { headers: { host: "fettle.example.com" } })).toBe(404);
    await app.close();
  });
});

describe("counted events", () => {
  let served: TestApp;

  beforeAll(async () => {
    const { db, config } = current();
    const app = await startApp({ ...config, rateLimit: true }, db);
    served = { app, db, config };
    app.get("/slow", () => {
      const stopped = Object.assign(new Error("canceling statement"), { code: "57014" });
      throw new QueryFailedError("SELECT 1", [], stopped);
    });
  });
  afterAll(() => served.app.close());

  test("requests, by route pattern, without client-chosen values", async () => {
    const { app } = served;
    const { member } = await connect(served);

    const grown = await growthOf(app, "fettle_http_request_duration_seconds_count", async () => {
      await app.inject("/assets/ast_of_somebody");
      await app.inject("/assets/ast_of_somebody_else");
      await app.inject("/invites/a-secret-token");
      await app.inject("/no-such-page?email=ana@example.com");
      await app.inject({ method: "DELETE", url: "/no-such-page-either" });
      await app.inject("/slow");
    });

    expect(grown).toEqual(
      expect.arrayContaining([
        { labels: { method: "GET", route: "/assets/:id", status: "3xx" }, value: 2 },
        { labels: { method: "any", route: "unknown", status: "4xx" }, value: 2 },
        { labels: { method: "GET", route: "/slow", status: "5xx" }, value: 1 },
      ]),
    );
    const { body } = await app.inject("/metrics");
    for (const text of ["ast_of_", "no-such", "secret-token", "ana@", metricsToken, member.userId])
      expect(body).not.toContain(text);
  });

  test("tool calls by outcome, with unknown tools combined", async () => {
    const { call } = await connect(served);
    await call("get_current_user");

    const grown = await growthOf(served.app, "fettle_tool_calls_total", async () => {
      await call("list_assets");
      await call("get_asset", { asset_id: "ast_000000000000" });
      await expect(call("drop_everything")).rejects.toThrow("Unknown tool");
    });
    const timed = await growthOf(served.app, "fettle_tool_call_duration_seconds_count", () =>
      call("list_assets"),
    );

    expect(grown).toEqual(
      expect.arrayContaining([
        { labels: { tool: "list_assets", outcome: "ok" }, value: 1 },
        { labels: { tool: "get_asset", outcome: "not_found" }, value: 1 },
        { labels: { tool: "unknown", outcome: "unknown_tool" }, value: 1 },
      ]),
    );
    expect(grown).toHaveLength(3);
    expect(timed).toEqual([{ labels: { tool: "list_assets" }, value: 1 }]);
  });

  test("stopped statements", async () => {
    const grown = await growthOf(served.app, "fettle_statement_timeouts_total", () =>
      served.app.inject("/slow"),
    );

    expect(grown).toEqual([{ labels: {}, value: 1 }]);
  });

  test("failed sign-ins and limit refusals", async () => {
    const browser = createBrowser(served.app);
    const signIn = await browser.get("/signin");
    const { email } = await aMember(served.db);
    const statuses: number[] = [];
    const guess = async () => {
      for (let count = 0; count < 5; count += 1) {
        const answer = await browser.submitForm(signIn, { email, password: "not the password" });
        statuses.push(answer.statusCode);
      }
    };
    const failed = await growthOf(served.app, "fettle_sign_in_failures_total", guess);
    const refused = await growthOf(served.app, "fettle_limit_refusals_total", guess);

    expect(failed).toEqual([{ labels: { method: "password" }, value: 5 }]);
    // On a slow machine the limit refills meanwhile.
    const limited = statuses.filter((status) => status === 429).length;
    expect(limited).toBeGreaterThan(0);
    expect(refused).toEqual([{ labels: { limit: "sign_ins" }, value: limited }]);
  });

  test("calls over the limit", async () => {
    const { call } = await connect(served);

    const grown = await growthOf(served.app, "fettle_limit_refusals_total", async () => {
      // Repeats until refused: calls may be slow, and the limit refills meanwhile.
      while ((await call("get_current_user")).isError !== true);
    });

    expect(grown).toEqual([
      { labels: { limit: "calls_rate" }, value: expect.any(Number) as number },
    ]);
  });

  test("emails that are waiting, postponed and given up", async () => {
    const { app, db } = served;
    const { ok } = await connect(served);
    await ok("create_invite", { email: "ben@example.com" });
    await db.query("UPDATE mail_outbox SET created_at = created_at - interval '2 hours'");
    const read = async (name: string) => (await readMetrics(app)).get(name)?.[0]?.value;
    await expect.poll(() => read("fettle_mail_outbox_waiting")).toBe(1);
    await expect.poll(() => read("fettle_mail_outbox_oldest_seconds")).toBeGreaterThan(7100);
    const tries = await growthOf(app, "fettle_mails_total", async () => {
      const stop = startMailSender({
        db,
        mails: app.services.mails,
        send: () => Promise.reject(new Error("away")),
        log: app.log,
        baseUrl: "http://localhost",
        delaysMs: [0],
        everyMs: 20,
      });
      await expect.poll(() => read("fettle_mail_outbox_waiting")).toBe(0);
      await stop();
    });

    expect(tries).toEqual([
      { labels: { outcome: "postponed" }, value: 1 },
      { labels: { outcome: "failed" }, value: 1 },
    ]);
  });

  test("failed housekeeping runs, and each task's last successful run", async () => {
    const { app, db } = served;
    const away = await createDatabase();
    await away.drop();
    const run = (database: typeof db) => () =>
      cleanUp(database, defaultRetention, app.services.auditSigner, { error: () => undefined });

    const done = await growthOf(app, "fettle_housekeeping_runs_total", run(db));
    const failed = await growthOf(app, "fettle_housekeeping_runs_total", run(away.db));
    const succeeded = (await readMetrics(app)).get(
      "fettle_housekeeping_last_success_timestamp_seconds",
    );

    expect(done.filter(({ labels, value }) => labels["outcome"] !== "ok" || value !== 1)).toEqual(
      [],
    );
    expect(done).toContainEqual({ labels: { task: "cleanUpMails", outcome: "ok" }, value: 1 });
    expect(failed).toContainEqual({ labels: { task: "cleanUpMails", outcome: "error" }, value: 1 });
    // Invitations are kept forever by default, so this task has nothing that could fail.
    const failing = failed.filter(({ labels }) => labels["task"] !== "cleanUpInvites");
    expect(failing).toHaveLength(done.length - 1);
    expect(failing.map(({ labels }) => labels["outcome"])).not.toContain("ok");
    // Other tests in this process may have enabled more tasks, such as one for a file store.
    expect(succeeded?.map(({ labels }) => labels["task"])).toEqual(
      expect.arrayContaining(done.map(({ labels }) => labels["task"])),
    );
  });

  test("rows of the tool call log lost for lack of space", async () => {
    const away = await createDatabase();
    await away.drop();
    const log = createToolCallLog(away.db, () => undefined);
    const grown = await growthOf(served.app, "fettle_tool_call_rows_lost_total", async () => {
      for (let count = 0; count < 10_050; count += 1) {
        log.record(
          {
            ...{ organization_id: "org_1", client_id: "app", tool: "update_asset", arguments: {} },
            ...{ outcome: "ok", error_code: null, duration_ms: 1, request_id: "req_1" },
            user_id: `usr_${count}`,
            created_at: new Date(),
          },
          false,
        );
      }
      await log.close();
    });

    expect(grown).toEqual([{ labels: {}, value: 50 }]);
  });
});

describe("database metrics", () => {
  test("connections of each pool and the schema version", async () => {
    const found = await readMetrics(current().app);

    expect(found.get("fettle_database_pool_size")).toEqual([
      { labels: { pool: "requests" }, value: 16 },
    ]);
    expect(found.get("fettle_database_up")).toEqual([{ labels: {}, value: 1 }]);
    expect(found.get("fettle_schema_version")).toEqual(found.get("fettle_schema_expected"));
    expect(found.get("fettle_schema_version")?.[0]?.value).toBeGreaterThan(1);
  });

  test("requests waiting for a connection", async () => {
    const own = await createDatabase();
    const pool = own.db;
    const app = await startApp(testConfig(), current().db, { replanDb: pool });
    const runners = Array.from({ length: 16 }, () => pool.source.createQueryRunner());
    await Promise.all(runners.map((runner) => runner.connect()));
    const late = pool.query("SELECT 1");

    const found = await readMetrics(app);

    expect(found.get("fettle_database_pool_busy")).toEqual([
      { labels: { pool: "requests" }, value: expect.any(Number) as number },
      { labels: { pool: "planned" }, value: 16 },
    ]);
    expect(found.get("fettle_database_pool_waiting")).toEqual([
      { labels: { pool: "requests" }, value: 0 },
      { labels: { pool: "planned" }, value: 1 },
    ]);
    await Promise.all(runners.map((runner) => runner.release()));
    await late;
    await app.close();
    await own.drop();
  });

  test("without the database other metrics are still reported", async () => {
    const away = await createDatabase();
    const app = await startApp(testConfig(), current().db, { systemDb: away.db });
    await away.drop();

    const found = await readMetrics(app);

    expect(found.get("fettle_database_up")).toEqual([{ labels: {}, value: 0 }]);
    expect(found.get("fettle_schema_version")).toEqual([]);
    expect(found.get("process_resident_memory_bytes")?.[0]?.value).toBeGreaterThan(1e6);
    await app.close();
  });
});
