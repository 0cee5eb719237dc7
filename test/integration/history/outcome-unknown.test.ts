import { once } from "node:events";
import {
  connect as connectSocket,
  createServer,
  type AddressInfo,
  type Server,
  type Socket,
} from "node:net";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { openDatabase, type OpenDatabase } from "../../../server/src/db/open-database.js";
import { testConfig, startApp } from "../../support/app.js";
import { createBrowser } from "../../support/browser.js";
import { aMember } from "../../support/builders.js";
import { createDatabase, type TestDatabase } from "../../support/database.js";
import { tokenOf } from "../../support/mails.js";
import { connect } from "../../support/mcp.js";
import { connect as connectApp, refresh, signIn } from "../../support/oauth.js";
import { isSignedIn } from "../../support/second-factors.js";
import { before } from "../../support/statements.js";

const commitMessage = Buffer.from("COMMIT\0");

/**
 * A proxy to PostgreSQL. On request it loses the response to a COMMIT, or refuses all connections
 * after one response to a COMMIT.
 */
function createLossyProxy(to: { host: string; port: number }) {
  const proxy = {
    ...{ losesCommits: false, endsAfterCommit: false, isAway: false },
    server: undefined as Server | undefined,
  };
  const clients = new Set<Socket>();
  proxy.server = createServer((client) => {
    if (proxy.isAway) {
      client.destroy();
      return;
    }
    const database = connectSocket(to);
    clients.add(client);
    client.on("close", () => clients.delete(client));
    let isCommitting = false;
    client.on("data", (data) => {
      isCommitting ||= data.includes(commitMessage);
      database.write(data);
    });
    database.on("data", (data) => {
      if (isCommitting && proxy.losesCommits) client.destroy();
      else client.write(data);
      if (isCommitting && proxy.endsAfterCommit) {
        proxy.isAway = true;
        for (const each of clients) each.end();
      }
      isCommitting = false;
    });
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      one.on("close", () => other.destroy());
      one.on("error", () => other.destroy());
    }
  });
  return proxy as typeof proxy & { server: Server };
}

// The embedded database has no network connection that could break.
describe.runIf(inject("databaseUrl") !== null)("connection lost during a commit", () => {
  let own: TestDatabase;
  let proxy: ReturnType<typeof createLossyProxy>;
  let through: OpenDatabase;
  let app: FastifyInstance;

  beforeAll(async () => {
    own = await createDatabase();
    const url = new URL(own.url ?? "");
    proxy = createLossyProxy({ host: url.hostname, port: Number(url.port || 5432) });
    proxy.server.listen(0, "127.0.0.1");
    await once(proxy.server, "listening");
    url.host = `127.0.0.1:${(proxy.server.address() as AddressInfo).port}`;
    through = await openDatabase({
      ...{ databaseUrl: url.href, dataDir: "", embedded: "own" },
      onFailure: () => undefined,
    });
    app = await startApp(testConfig(), through.db);
    await app.ready();
  });

  afterAll(async () => {
    await app.close();
    await through.close();
    proxy.server.close();
    await own.drop();
  });

  async function losing<Result>(work: () => Promise<Result>): Promise<Result> {
    proxy.losesCommits = true;
    try {
      return await work();
    } finally {
      proxy.losesCommits = false;
    }
  }

  async function endingAfterCommit<Result>(work: () => Promise<Result>): Promise<Result> {
    proxy.endsAfterCommit = true;
    try {
      return await work();
    } finally {
      proxy.endsAfterCommit = false;
      proxy.isAway = false;
    }
  }

  test("OUT-01: a tool reports an unknown outcome, and the change may exist", async () => {
    const owner = await connect({ app, db: own.db, config: testConfig() });
    await owner.ok("list_assets");

    const error = await losing(() => owner.refused("create_asset", { name: "Pump" }));

    expect(error.code).toBe("unavailable");
    expect(error.message).toMatch(
      /^Outcome unknown: .+ may or may not have been made\. Check before/,
    );
    expect(error.message).not.toContain("Nothing was changed");
    expect(await owner.ok("list_assets")).toMatchObject({ total_count: 1 });
  });

  test("stores a plan with all of a tool's rows or not at all", async () => {
    const owner = await connect({ app, db: own.db, config: testConfig() });
    const assets = ["Pump", "Press"].map((name) => ({ name }));
    await owner.ok("list_assets");

    const { plan_url: url } = await endingAfterCommit(() =>
      owner.ok<{ plan_url: string }>("create_asset", { assets, prepare_only: true }),
    );

    const id = url.split("/").at(-1);
    expect(
      await own.db.query("SELECT state, counts FROM change_sets WHERE id = $1", [id]),
    ).toMatchObject([{ state: "planned", counts: { rows: 2 } }]);
  });

  test("OUT-02: a page reports an unknown outcome", async () => {
    const member = await aMember(own.db);
    const browser = await signIn(app, member);
    const form = await browser.get("/settings/workspaces/new");

    const page = await losing(() =>
      browser.submitForm(form, { name: "Lab", description: "", address: "" }),
    );

    expect(page.statusCode).toBe(503);
    expect(page.body).toContain("may or may not have been made");
    expect(page.body).not.toContain("Nothing was changed");
    expect((await browser.get("/workspaces")).body).toContain("Lab");
  });

  test("OUT-03: the token endpoint reports an unknown outcome, and rotation_id returns the successor", async () => {
    const { client, tokens } = await connectApp(app, await aMember(own.db));
    const named = { rotation_id: "r".repeat(43) };

    const answer = await losing(() => refresh(app, client, tokens.refresh_token, named));

    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toMatchObject({ error: "server_error" });
    expect(answer.json<{ error_description: string }>().error_description).toContain("may count");
    expect((await refresh(app, client, tokens.refresh_token, named)).statusCode).toBe(200);
  });

  test("OUT-04: a page that fails after the commit says the change was saved", async () => {
    const member = await aMember(own.db);
    const browser = await signIn(app, member);
    const form = await browser.get("/settings/workspaces/new");
    const fields = { name: "Lab", description: "", address: "" };

    const page = await endingAfterCommit(() => browser.submitForm(form, fields));

    expect(page.statusCode).toBe(503);
    expect(page.headers["content-type"]).toContain("text/html");
    expect(page.body).toContain("your change was saved");
    expect((await browser.get("/workspaces")).body).toContain("Lab");
  });

  test("OUT-04: a password change that fails after the commit says it was saved", async () => {
    const member = await aMember(own.db);
    const browser = await signIn(app, member);
    const form = await browser.get("/settings/password");
    const password = "Another long one 8812";

    const page = await endingAfterCommit(() =>
      browser.submitForm(form, { current_password: member.password, password }),
    );

    expect(page.body).toContain("your change was saved");
    expect((await signIn(app, { ...member, password })).cookies.size).toBeGreaterThan(0);
  });

  test("a sign-in without a stored session isn't reported as successful", async () => {
    const { email, password } = await aMember(own.db);
    const browser = createBrowser(app);
    const form = await browser.get("/signin");
    before(/INSERT INTO sessions/, 1, async () => {
      throw new Error("Connection terminated unexpectedly");
    });

    const page = await browser.submitForm(form, { email, password });
    vi.restoreAllMocks();

    expect(page.statusCode).toBe(503);
    expect(page.body).toContain("Nothing was changed");
    expect(page.body).not.toContain("your change was saved");
    expect(await isSignedIn(browser)).toBe(false);
  });

  test("OUT-08 accepting an invitation that fails after the commit says it was saved", async () => {
    const testApp = { app, db: own.db, config: testConfig() };
    const owner = await connect(testApp, { organization: "Works" });
    const guest = await aMember(own.db);
    const { invite } = await owner.ok<{ invite: { id: string } }>("create_invite", {
      email: guest.email,
    });
    const browser = await signIn(app, guest);
    const link = `/invites/${await tokenOf(testApp, invite.id)}`;
    const form = await browser.get(link);

    const page = await endingAfterCommit(() => browser.submitForm(form, {}));

    expect(page.body).toContain("your change was saved");
    expect((await browser.get("/settings/organizations")).body).toContain("Works");
  });

  test("OUT-07 an interrupted sign-in doesn't redirect, and a retry works", async () => {
    const member = await aMember(own.db);
    const browser = createBrowser(app);
    const form = await browser.get("/signin");
    const { email, password } = member;

    const page = await losing(() => browser.submitForm(form, { email, password }));

    expect(page.statusCode).toBe(503);
    expect(page.headers.location).toBeUndefined();
    expect((await signIn(app, member)).cookies.size).toBeGreaterThan(0);
  });

  test("OUT-07 sign-out and app registration report an unknown outcome, and the session ends", async () => {
    const browser = await signIn(app, await aMember(own.db));
    const form = await browser.get("/settings");

    const page = await losing(() => browser.submitForm(form, {}, { action: "/signout" }));
    const registration = await losing(() =>
      app.inject({
        ...{ method: "POST", url: "/oauth/register" },
        payload: { client_name: "Lost", redirect_uris: ["http://127.0.0.1/back"] },
      }),
    );

    expect(page.body).toContain("may or may not have been made");
    expect((await browser.get("/settings")).headers.location).toContain("/signin");
    expect(registration.json<{ error_description: string }>().error_description).toContain(
      "may count",
    );
  });

  test("OUT-05: a batch answers each message, and those before a break as done", async () => {
    const owner = await connect({ app, db: own.db, config: testConfig() });
    const headers = { authorization: `Bearer ${owner.token}`, "content-type": "application/json" };
    const payload = ["Pump", "Press"].map((name, id) => ({
      ...{ jsonrpc: "2.0", id, method: "tools/call" },
      params: { name: "create_asset", arguments: { name } },
    }));

    const answer = await endingAfterCommit(() =>
      app.inject({ method: "POST", url: "/mcp", headers, payload }),
    );

    expect(answer.statusCode).toBe(200);
    const [first, second] = answer.json<{ result?: object; error?: { message: string } }[]>();
    expect(first?.result).toMatchObject({ structuredContent: { asset: { name: "Pump" } } });
    expect(second?.error?.message).toContain("Nothing was changed");
    expect(await owner.ok("list_assets")).toMatchObject({ total_count: 1 });
  });

  test("OUT-06: returns a completed refresh although the database is gone", async () => {
    const { client, tokens } = await connectApp(app, await aMember(own.db));

    const answer = await endingAfterCommit(() => refresh(app, client, tokens.refresh_token));

    expect(answer.statusCode).toBe(200);
    const next = answer.json<{ refresh_token: string }>().refresh_token;
    // Closed connections may still look open.
    await vi.waitFor(async () => {
      expect((await refresh(app, client, next)).statusCode).toBe(200);
    }, 60_000);
  });
});
