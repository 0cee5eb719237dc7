import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { startPrimary, startReplica, type PostgresServer } from "../support/postgres-server.js";
import { startServer } from "../support/server-process.js";

describe.runIf(inject("databaseUrl") !== null)("a server with replicas", () => {
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

  test("starts without those that are away, and says which it uses", async () => {
    const server = await startServer({
      DATABASE_URL: primary.url,
      DATABASE_REPLICA_URLS: `${replica.url},postgres://fettle:hidden-word@127.0.0.1:1/none`,
      SECRET_KEYS: "a".repeat(40),
    });
    await vi.waitFor(() => {
      const lines = server.output().split("\n");
      const told = (message: string) => lines.find((line) => line.includes(`"msg":"${message}"`));
      expect(told("a replica is used")).toContain(`"replica":"${new URL(replica.url).host}"`);
      expect(told("a replica is not used")).toContain('"replica":"127.0.0.1:1"');
    }, 60_000);

    expect(await server.stop()).toBe(0);
    expect(server.output()).not.toContain("hidden-word");
  });
});
