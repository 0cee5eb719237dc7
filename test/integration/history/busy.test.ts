import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { createPool } from "../../../server/src/db/data-source.js";
import { openDatabase, type OpenDatabase } from "../../../server/src/db/open-database.js";
import { testConfig, useApp, startApp } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import {
  countWaiting,
  untilOneWaits,
  createDatabase,
  type TestDatabase,
} from "../../support/database.js";
import { connect, type Connected } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";

describe("per-person limits", () => {
  const current = useApp({ rateLimit: true });

  test("LIM-03: counts all of a person's connections in an organization together", async () => {
    const one = await connect(current());
    const other = await connect(current(), { member: one.member });
    vi.useFakeTimers({ toFake: ["Date"] });
    const outcomes: unknown[] = [];
    for (let count = 0; count < 52; count += 1) {
      for (const connection of [one, other]) {
        const { isError } = await connection.call("get_current_user");
        outcomes.push(isError);
      }
    }
    vi.useRealTimers();

    expect(outcomes.slice(0, 90).every((isError) => isError === undefined)).toBe(true);
    expect(outcomes.at(-1)).toBe(true);
  });

  test("LIM-04: limits pages too, with 429 and a retry time", async () => {
    const { app, db } = current();
    const browser = await signIn(app, await aMember(db));
    vi.useFakeTimers({ toFake: ["Date"] });
    const statuses = new Set<number>();
    let last = await browser.get("/assets");
    for (let count = 0; count < 110; count += 1) {
      last = await browser.get("/assets");
      statuses.add(last.statusCode);
    }
    vi.useRealTimers();

    expect([...statuses]).toEqual([200, 429]);
    expect(last.headers["retry-after"]).toBe("1");
    expect(last.body).toContain("You opened too many pages in a short time.");
  });

  test("LIM-86 returns plain-text 429 responses to a person who keeps requesting pages", async () => {
    const { app, db } = current();
    const browser = await signIn(app, await aMember(db));
    vi.useFakeTimers({ toFake: ["Date"] });
    for (let n = 0; n < 250; n += 1) await browser.get("/settings");

    const answer = await browser.get("/settings");
    vi.useRealTimers();

    expect([answer.statusCode, answer.headers["retry-after"]]).toEqual([429, "1"]);
    expect(answer.headers["content-type"]).toMatch("text/plain");
  });
});

// The embedded database runs one statement at a time, so nothing can occupy it for long.
describe.runIf(inject("databaseUrl") !== null)("busy database", () => {
  let own: TestDatabase;
  let requests: OpenDatabase;
  let app: FastifyInstance;
  let owner: Connected;

  const choice = () => ({
    databaseUrl: own.url,
    dataDir: "",
    embedded: "own" as const,
    onFailure: () => undefined,
  });

  beforeAll(async () => {
    own = await createDatabase();
    requests = await openDatabase({ ...choice(), statementTimeoutMs: 1500, poolSize: 3 });
    app = await startApp(testConfig(), requests.db, { systemDb: own.db });
    await app.ready();
    owner = await connect({ app, db: own.db, config: testConfig() });
    await owner.ok("create_asset", { name: "Pump" });
  });

  afterAll(async () => {
    await app.close();
    await requests.close();
    await own.drop();
  });

  async function whileLocked<Result>(work: () => Promise<Result>): Promise<Result> {
    return own.db.transaction(async (tx) => {
      await tx.query("LOCK TABLE assets IN ACCESS EXCLUSIVE MODE");
      return work();
    });
  }

  /** One organization reads lists on three connections while another reads too. */
  async function expectHalfForLists(busy: Connected, others: Connected): Promise<void> {
    const { lists } = await own.db.transaction(async (tx) => {
      await tx.query("LOCK TABLE asset_categories IN ACCESS EXCLUSIVE MODE");
      const lists = Array.from({ length: 8 }, () => busy.call("list_assets", { state: "stored" }));
      await vi.waitFor(async () => {
        expect(await countWaiting(own.db)).toBe(3);
      }, 60_000);
      await others.ok("search_asset_history", { event_types: ["asset_created"] });
      expect(await countWaiting(own.db)).toBe(3);
      return { lists };
    });
    await Promise.all(lists);
  }

  /**
   * Returns the duration of a change in milliseconds while busy organizations wait for their asset
   * P-1.
   */
  async function timeBeside(busy: readonly Connected[], others: Connected): Promise<number> {
    const { changes, ms } = await own.db.transaction(async (tx) => {
      await tx.query("SELECT FROM assets FOR UPDATE");
      const changes = busy.flatMap(({ call }) =>
        Array.from({ length: 8 }, () =>
          call("update_asset", { asset_id: "P-1", description: "Green" }),
        ),
      );
      await vi.waitFor(async () => {
        expect(await countWaiting(own.db)).toBeGreaterThanOrEqual(12);
      }, 60_000);
      const began = performance.now();
      await others.ok("create_asset", { name: "Pump" });
      return { changes, ms: performance.now() - began };
    });
    await Promise.all(changes);
    return ms;
  }

  test("the start page omits totals and sorting that take too long", async () => {
    const browser = await signIn(app, owner.member);
    const home = await own.db.transaction(async (tx) => {
      await tx.query("LOCK TABLE asset_state_periods, asset_peaks IN ACCESS EXCLUSIVE MODE");
      return browser.get("/");
    });

    expect(home.statusCode).toBe(200);
    expect(home.body).toContain("Too much data to total here.");
    expect(home.body).toContain("Too much to sort here.");
    expect(home.body).toContain("Due in the next 7 days");
  });

  test("LIM-24: gives an organization half of the connections for lists and figures", async () => {
    const planned = await openDatabase({ ...choice(), plans: "custom", poolSize: 6 });
    const whole = await startApp(testConfig(), requests.db, {
      systemDb: own.db,
      replanDb: planned.db,
    });
    const on = { app: whole, db: own.db, config: testConfig() };
    const busy = await connect(on, { member: owner.member });
    const others = await connect(on);
    await expectHalfForLists(busy, others);
    await whole.close();
    await planned.close();
  });

  test("LIM-91 organizations with blocked changes leave connections to others", async () => {
    const sixteen = await openDatabase({ ...choice(), statementTimeoutMs: 5000 });
    const whole = await startApp(testConfig(), sixteen.db, { systemDb: own.db });
    const on = { app: whole, db: own.db, config: testConfig() };
    const busy = await Promise.all(Array.from({ length: 3 }, () => connect(on)));
    for (const { ok } of busy) await ok("create_asset", { name: "Press", inventory_number: "P-1" });
    const others = await connect(on);
    const ms = await timeBeside(busy, others);
    await whole.close();
    await sixteen.close();
    expect(ms).toBeLessThan(2000);
  });

  test("an unavailable replica doesn't give an organization more primary connections", async () => {
    const options = { ...choice(), statementTimeoutMs: 5000 };
    const sixteen = await openDatabase(options);
    const six = await openDatabase({ ...options, plans: "custom", poolSize: 6 });
    const away = createPool("postgres://127.0.0.1:1/none");
    const whole = await startApp(testConfig(), sixteen.db, {
      systemDb: own.db,
      replanDb: six.db,
      replicas: [{ name: "away", reads: away, planned: away }],
    });
    const on = { app: whole, db: own.db, config: testConfig() };
    const busy = await Promise.all(Array.from({ length: 3 }, () => connect(on)));
    for (const { ok } of busy) await ok("create_asset", { name: "Press", inventory_number: "P-1" });
    const others = await connect(on);
    for (const one of busy.slice(0, 1)) await expectHalfForLists(one, others);
    const ms = await timeBeside(busy, others);
    await whole.close();
    await Promise.all([sixteen.close(), six.close()]);
    expect(ms).toBeLessThan(2000);
  });

  test("LIM-05: stops a statement that takes too long and says so", async () => {
    const [read, write] = await whileLocked(() =>
      Promise.all([
        owner.refused("list_assets"),
        owner.refused("create_asset", { name: "Second pump" }),
      ]),
    );

    for (const error of [read, write]) {
      expect(error).toMatchObject({ code: "unavailable" });
      expect(error.message).toContain("was stopped. Nothing was changed.");
    }
    expect(await owner.ok("list_assets")).toMatchObject({ total_count: 1 });
  });

  test("LIM-05: stops a page that takes too long and says so", async () => {
    const browser = await signIn(app, owner.member);

    const page = await whileLocked(() => browser.get("/assets"));

    expect(page.statusCode).toBe(503);
    expect(page.body).toContain("was stopped. Nothing was changed.");
  });

  test("LIM-06: cancels a query when its caller disconnects", async () => {
    const unhurried = await openDatabase({ ...choice(), poolSize: 3 });
    const served = await startApp(testConfig(), unhurried.db);
    const address = await served.listen({ host: "localhost", port: 0 });
    await whileLocked(async () => {
      const leave = new AbortController();
      const call = fetch(`${address}/mcp`, {
        method: "POST",
        signal: leave.signal,
        headers: {
          authorization: `Bearer ${owner.token}`,
          "content-type": "application/json",
          accept: "application/json",
        },
        body: JSON.stringify({
          ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
          params: { name: "list_assets", arguments: {} },
        }),
      });
      call.catch(() => undefined);
      await untilOneWaits(own.db);

      leave.abort();

      await expect(call).rejects.toThrow();
      await vi.waitFor(async () => {
        expect(await countWaiting(own.db)).toBe(0);
      }, 60_000);
    });
    await served.close();
    await unhurried.close();
  });

  test("LIM-07: sign-in and readiness still work when every request connection is busy", async () => {
    const stranger = await aMember(own.db);
    const runners = [1, 2, 3].map(() => requests.db.source.createQueryRunner());
    await Promise.all(runners.map((runner) => runner.connect()));

    const [ready, browser, bad] = await Promise.all([
      app.inject("/readyz"),
      signIn(app, stranger),
      app.inject({ method: "POST", url: "/mcp", headers: { authorization: "Bearer mcp_at_no" } }),
    ]);

    expect([ready.statusCode, bad.statusCode]).toEqual([200, 401]);
    expect(browser.cookies.size).toBeGreaterThan(0);
    await Promise.all(runners.map((runner) => runner.release()));
  });

  test("LIM-51: busy anonymous connections don't block known people", async () => {
    const strangers = await openDatabase({ ...choice(), poolSize: 2 });
    const held = [1, 2].map(() => strangers.db.source.createQueryRunner());
    const anonymousDb = strangers.db;
    const besieged = await startApp(testConfig(), requests.db, {
      ...{ systemDb: own.db, anonymousDb },
    });
    const on = { app: besieged, db: own.db, config: testConfig() };
    const known = await connect(on, { member: owner.member });
    await known.ok("list_assets");
    const browser = await signIn(besieged, owner.member);
    await Promise.all(held.map((runner) => runner.connect()));
    let answered = 0;
    const headers = { authorization: `Bearer mcp_at_${"x".repeat(43)}` };
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const waiting = [
      besieged.inject("/signin"),
      besieged.inject({ method: "POST", url: "/mcp", headers }),
      besieged.inject({
        ...{ method: "POST", url: "/oauth/token", headers: form },
        payload: "grant_type=refresh_token&client_id=fettle-bridge&refresh_token=x",
      }),
    ].map((asked) => asked.then(() => (answered += 1)));

    expect(await known.ok("list_assets")).toMatchObject({ total_count: 1 });
    expect((await browser.get("/assets")).statusCode).toBe(200);
    expect((await besieged.inject("/readyz")).statusCode).toBe(200);
    expect(answered).toBe(0);

    await Promise.all(held.map((runner) => runner.release()));
    await Promise.all(waiting);
    await besieged.close();
    await strangers.close();
  });
});
