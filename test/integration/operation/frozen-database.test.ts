import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { openDatabase, type OpenDatabase } from "../../../server/src/db/open-database.js";
import { testConfig, startApp } from "../../support/app.js";
import { createDatabase, type TestDatabase } from "../../support/database.js";
import { startDatabaseProxy, type DatabaseProxy } from "../../support/database-proxy.js";
import { connect, type Connected } from "../../support/mcp.js";

// The embedded database is in the same process, and freezes with it.
describe.runIf(inject("databaseUrl") !== null)("unresponsive database", () => {
  let own: TestDatabase;
  let proxy: DatabaseProxy;
  let through: OpenDatabase;
  let app: FastifyInstance;
  let owner: Connected;

  beforeAll(async () => {
    own = await createDatabase();
    proxy = await startDatabaseProxy(own.url ?? "");
    through = await openDatabase({
      ...{ databaseUrl: proxy.url, dataDir: "", embedded: "own", maxSilenceMs: 1000 },
      onFailure: () => undefined,
    });
    app = await startApp(testConfig(), through.db);
    await app.ready();
    owner = await connect({ app, db: own.db, config: testConfig() });
    await owner.ok("list_assets");
  });

  afterAll(async () => {
    await app.close();
    await through.close();
    proxy.close();
    await own.drop();
  });

  const post = () =>
    app.inject({
      method: "POST",
      url: "/mcp",
      headers: { authorization: `Bearer ${owner.token}`, "content-type": "application/json" },
      payload: { jsonrpc: "2.0", id: 1, method: "tools/list" },
    });

  test("requests fail with 503 and a retry time, and work again afterwards", async () => {
    proxy.state = "frozen";
    const [call, page, token, ready] = await Promise.all([
      post(),
      app.inject({ url: "/signin", headers: { accept: "text/html" } }),
      app.inject({
        method: "POST",
        url: "/oauth/token",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        payload: "grant_type=refresh_token&client_id=fettle-bridge&refresh_token=mcp_rt_none",
      }),
      app.inject("/readyz"),
    ]);
    proxy.state = "serving";

    for (const answer of [call, page, token]) {
      expect(answer.statusCode).toBe(503);
      expect(answer.headers["retry-after"]).toBe("30");
      expect(answer.body).toContain("The database can't be reached right now.");
    }
    expect(token.json()).toMatchObject({ error: "temporarily_unavailable" });
    expect(ready.statusCode).toBe(503);
    await expect.poll(async () => (await post()).statusCode).toBe(200);
  });

  test("a running tool reports it too", async () => {
    const blocked = own.db.transaction(async (tx) => {
      await tx.query("LOCK TABLE assets IN ACCESS EXCLUSIVE MODE");
      return owner.refused("list_assets");
    });

    expect(await blocked).toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("can't be reached") as string,
    });
    expect(await owner.ok("list_assets")).toMatchObject({ total_count: 0 });
  });
});
