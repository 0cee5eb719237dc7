import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { startPrimary, startReplica, type PostgresServer } from "../support/postgres-server.js";
import { startServer } from "../support/server-process.js";

describe.runIf(inject("databaseUrl") !== null)("server with replicas", () => {
  let primary: PostgresServer;
  let replica: PostgresServer;

  beforeAll(async () => {
    primary = await startPrimary();
    replica = await startReplica(primary);
  });

  afterAll(async () => {
    await replica.remove();
    await primary.remove();
  });

  test("starts without unreachable replicas, and logs which one is used", async () => {
    const server = await startServer({
      DATABASE_URL: primary.url,
      DATABASE_REPLICA_URLS: `${replica.url},postgres://fettle:hidden-word@127.0.0.1:1/none`,
      SECRET_KEYS: "a".repeat(40),
    });
    await vi.waitFor(() => {
      const lines = server.output().split("\n");
      // On a slow machine, the available replica may first be logged as too slow.
      const told = (message: string, host: string) =>
        lines.some(
          (line) => line.includes(`"msg":"${message}"`) && line.includes(`"replica":"${host}"`),
        );
      expect(told("a replica is used", new URL(replica.url).host)).toBe(true);
      expect(told("a replica is not used", "127.0.0.1:1")).toBe(true);
    }, 60_000);

    expect(await server.stop()).toBe(0);
    expect(server.output()).not.toContain("hidden-word");
  });
});
