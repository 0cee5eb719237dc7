import type { FastifyInstance } from "fastify";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { createPool } from "../../../server/src/db/data-source.js";
import { migrate } from "../../../server/src/db/migrate.js";
import { openDatabase, type OpenDatabase } from "../../../server/src/db/open-database.js";
import { createRequestDb } from "../../../server/src/db/request-queries.js";
import type { Replica } from "../../../server/src/db/replicas.js";
import { testConfig, startApp } from "../../support/app.js";
import { aCalendarAddress, aMember } from "../../support/builders.js";
import { startDatabaseProxy, type DatabaseProxy } from "../../support/database-proxy.js";
import { connect, type Connected, type ConnectOptions } from "../../support/mcp.js";
import { growthOf, readMetrics } from "../../support/metrics.js";
import { signIn } from "../../support/oauth.js";
import { daysFromNow } from "../../support/tasks.js";
import { startPrimary, startReplica, type PostgresServer } from "../../support/postgres-server.js";
import { recordStatements } from "../../support/recorded-statements.js";

/** Generous, since the machine may be busy. */
const patience = { timeout: 60_000 };

// The embedded database has no replicas.
describe.runIf(inject("databaseUrl") !== null)("reads from a streaming replica", () => {
  const config = testConfig();
  let primary: PostgresServer;
  let replica: PostgresServer;
  /** Proxies through which the nodes reach the primary and the replica. Both may move or freeze. */
  let toPrimary: DatabaseProxy;
  let toReplica: DatabaseProxy;
  let database: OpenDatabase;
  let nodes: { app: FastifyInstance; pools: Replica }[];
  let app: FastifyInstance;
  let otherApp: FastifyInstance;
  let impatientApp: FastifyInstance;

  beforeAll(async () => {
    recordStatements(inject("statementFolder"));
    primary = await startPrimary();
    replica = await startReplica(primary);
    [toPrimary, toReplica] = await Promise.all([
      startDatabaseProxy(primary.url),
      startDatabaseProxy(replica.url),
    ]);
    database = await openDatabase({
      ...{ databaseUrl: toPrimary.url, dataDir: "", embedded: "own", maxSilenceMs: 15_000 },
      onFailure: () => undefined,
    });
    await migrate(database.db);
    // A paused replica stays in use on the first two nodes.
    nodes = await Promise.all([Infinity, Infinity, 1000].map(startNode));
    const [first, second, third] = nodes.map((node) => node.app);
    if (first === undefined || second === undefined || third === undefined) throw new Error();
    [app, otherApp, impatientApp] = [first, second, third];
    await Promise.all(nodes.map((node) => used(node.app)));
  });

  afterAll(async () => {
    for (const node of nodes) {
      await node.app.close();
      await Promise.all([node.pools.reads.end(), node.pools.planned.end()]);
    }
    await database.close();
    toPrimary.close();
    toReplica.close();
    await replica.remove();
    await primary.remove();
  });

  async function startNode(maxReplicaLagMs: number) {
    const pools = {
      name: "replica:5432",
      reads: createPool(toReplica.url, { maxSilenceMs: 8000 }),
      planned: createPool(toReplica.url, { plans: "custom", maxSilenceMs: 8000 }),
    };
    const replicas = [pools];
    return {
      app: await startApp(config, database.db, { replicas, maxReplicaLagMs }),
      pools,
    };
  }

  async function used(node: FastifyInstance, value = 1): Promise<void> {
    await vi.waitFor(async () => {
      const { value: is } =
        (await readMetrics(node)).get("fettle_database_replica_used")?.[0] ?? {};
      expect(is).toBe(value);
    }, patience);
  }

  const onReplica = (statement: string) => queryOnce(replica.url, statement);

  /** Waits until the replica has caught up, then pauses it during the work. */
  async function whileItStandsStill(work: () => Promise<unknown>): Promise<void> {
    await caughtUp();
    await onReplica("SELECT pg_wal_replay_pause()");
    await vi.waitFor(async () => {
      expect(await onReplica("SELECT pg_get_wal_replay_pause_state() AS state")).toEqual([
        { state: "paused" },
      ]);
    }, patience);
    await work().finally(() => onReplica("SELECT pg_wal_replay_resume()"));
    await caughtUp();
  }

  async function caughtUp(): Promise<void> {
    const [row] = await queryOnce(primary.url, "SELECT pg_current_wal_flush_lsn() AS position");
    await vi.waitFor(async () => {
      const has = `SELECT pg_last_wal_replay_lsn() >= '${String(row?.["position"])}' AS has`;
      expect(await onReplica(has)).toEqual([{ has: true }]);
    }, patience);
  }

  /** A person whose app was already used, which is written in the background once a minute. */
  async function join(options: ConnectOptions = {}, node = app): Promise<Connected> {
    const member = options.member ?? (await aMember(database.db, options));
    const connected = await connect({ app: node, db: database.db, config }, { ...options, member });
    await vi.waitFor(async () => {
      // Repeated, because a background update skips a locked row until the next call.
      await connected.ok("list_assets");
      const rows = await database.db.query(
        "SELECT FROM oauth_connections WHERE id = $1 AND last_used_at IS NOT NULL",
        [connected.connectionId],
      );
      expect(rows).toHaveLength(1);
    }, patience);
    return connected;
  }

  async function addAsset(by: Connected, args: object = {}): Promise<string> {
    const { asset } = await by.ok<{ asset: { id: string } }>("create_asset", {
      name: "Pump",
      ...args,
    });
    return asset.id;
  }

  /** Like another person's change. */
  const rename = (id: string, name: string) =>
    database.db.query("UPDATE assets SET name = $2 WHERE id = $1", [id, name]);

  const nameOf = async (by: Connected, id: string) =>
    (await by.ok<{ asset: { name: string } }>("get_asset", { asset_id: id })).asset.name;

  const namesOf = async (by: Connected) => {
    const { assets } = await by.ok<{ assets: { name: string }[] }>("list_assets", {});
    return assets.map(({ name }) => name);
  };

  test("answers tools and pages from the replica", async () => {
    const owner = await join();
    const id = await addAsset(owner);
    const work = {
      asset_id: id,
      title: "Oil",
      due_date: daysFromNow(3),
      assigned_to_user_id: "me",
    };
    await owner.ok("create_maintenance_task", work);
    const calendar = await aCalendarAddress(database.db, owner.member);
    const browser = await signIn(app, owner.member);
    await browser.get("/");
    await whileItStandsStill(async () => {
      await rename(id, "Renamed");
      const grown = await growthOf(app, "fettle_database_replica_reads_total", async () => {
        await vi.waitFor(async () => {
          expect(await nameOf(owner, id)).toBe("Pump");
          expect(await namesOf(owner)).toEqual(["Pump"]);
          for (const page of [`/assets/${id}`, "/assets"]) {
            expect((await browser.get(page)).body).not.toContain("Renamed");
          }
          expect((await app.inject({ url: calendar })).body).toContain("Oil · Pump");
        }, patience);
      });
      expect(grown).toContainEqual({
        labels: { answer: "asked" },
        value: expect.any(Number) as number,
      });
    });

    expect(await nameOf(owner, id)).toBe("Renamed");
  });

  test("people see their changes immediately, on every node and in the browser", async () => {
    const owner = await join();
    const colleague = await join({ organization: owner.member.organization, role: "admin" });
    const same = await join({ member: owner.member }, otherApp);
    await whileItStandsStill(async () => {
      const id = await addAsset(owner);
      const browser = await signIn(otherApp, owner.member);

      expect(await namesOf(owner)).toEqual(["Pump"]);
      expect(await namesOf(same)).toEqual(["Pump"]);
      expect((await browser.get(`/assets/${id}`)).statusCode).toBe(200);
      await browser.submitForm(await browser.get("/assets/new"), { name: "Dryer" });
      expect(await namesOf(owner)).toEqual(["Dryer", "Pump"]);
      await vi.waitFor(async () => {
        expect(await namesOf(colleague)).toEqual([]);
      }, patience);
    });

    expect(await namesOf(colleague)).toEqual(["Dryer", "Pump"]);
  });

  test("RVK-04: a person who loses access can't read from a replica", async () => {
    const owner = await join();
    const { organization } = owner.member;
    const lead = { organization, role: "member", workspace: "Hall 1" } as const;
    const joined = () => join({ ...lead, workspaceRole: "viewer" });
    const [left, removed, revoked] = [await joined(), await joined(), await joined()];
    const workspace_id = left.member.workspaceId ?? "";
    const id = await addAsset(owner, { workspace_id });
    const browser = await signIn(app, left.member);
    await caughtUp();
    expect(await namesOf(left)).toEqual(["Pump"]);
    await whileItStandsStill(async () => {
      await owner.ok("remove_user", { user_id: left.member.userId, workspace_id });
      await owner.ok("remove_user", { user_id: removed.member.userId, from_organization: true });
      await database.db.query(
        "UPDATE oauth_connections SET revoked_at = now(), revoked_reason = 'disconnected' WHERE id = $1",
        [revoked.connectionId],
      );

      expect(await namesOf(left)).toEqual([]);
      expect(await left.refused("get_asset", { asset_id: id })).toMatchObject({
        code: "not_found",
      });
      expect((await browser.get(`/assets/${id}`)).statusCode).toBe(404);
      await expect(namesOf(removed)).rejects.toThrow();
      await expect(namesOf(revoked)).rejects.toThrow();
    });
  });

  test("stops using a replica that is too far behind", async () => {
    const owner = await join({}, impatientApp);
    const id = await addAsset(owner);
    await whileItStandsStill(async () => {
      await rename(id, "Renamed");
      await used(impatientApp, 0);

      await expect.poll(() => nameOf(owner, id), patience).toBe("Renamed");
      expect((await impatientApp.inject("/readyz")).statusCode).toBe(200);
    });
    await used(impatientApp);
  });

  test("no call fails while the replica is killed, and it is used again afterwards", async () => {
    const owner = await join();
    await addAsset(owner);
    const outcomes: (boolean | undefined)[] = [];
    const watch = { isOver: false };
    const calling = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!watch.isOver) outcomes.push((await owner.call("list_assets")).isError);
      }),
    );
    await replica.kill();
    await used(app, 0);
    await replica.start();
    await used(app);
    watch.isOver = true;
    await calling;

    expect(new Set(outcomes)).toEqual(new Set([undefined]));
    expect((await app.inject("/readyz")).statusCode).toBe(200);
  });

  test("no call fails while the replica is frozen", async () => {
    const owner = await join();
    await addAsset(owner);
    toReplica.state = "frozen";
    const before = Promise.all([namesOf(owner), namesOf(owner)]);
    await used(app, 0);
    expect(await before).toEqual([["Pump"], ["Pump"]]);
    expect(await namesOf(owner)).toEqual(["Pump"]);
    toReplica.state = "serving";
    await used(app);
  });

  test("retries a failed replica read on the primary, with the rest of the request", async () => {
    const away = createPool("postgres://127.0.0.1:1/none");
    const choose = vi.fn(() => Promise.resolve({ name: "away", reads: away, planned: away }));
    const noteFailure = vi.fn();
    const freePlace = () => Promise.resolve(() => undefined);
    const request = createRequestDb(
      database.db,
      database.db,
      { planned: freePlace, others: freePlace },
      { areThere: true, choose, noteFailure },
    );
    const reads = request.readsOf({ organizationId: "", userId: "" });

    expect(await reads.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
    expect(await reads.query("SELECT 2 AS two")).toEqual([{ two: 2 }]);
    expect([choose.mock.calls.length, noteFailure.mock.calls.length]).toEqual([1, 1]);
  });

  test("a promoted replica becomes the primary and isn't used as a replica", async () => {
    const owner = await join();
    const id = await addAsset(owner);
    await caughtUp();
    await primary.kill();
    await onReplica("SELECT pg_promote()");
    toPrimary.database = toReplica.database;
    await vi.waitFor(async () => {
      await addAsset(owner, { name: "Made afterwards" });
    }, patience);
    await used(app, 0);

    expect(await nameOf(owner, id)).toBe("Pump");
    expect(await namesOf(owner)).toEqual(["Made afterwards", "Pump"]);
  });
});

async function queryOnce(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}
