// @module-tag embedded

import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { openDatabase } from "../../server/src/db/open-database.js";
import { findFreePort, testConfig } from "../support/app.js";
import { createDatabase, prepareDataDir, type TestDatabase } from "../support/database.js";
import { startServer, type ServerProcess } from "../support/server-process.js";
import { aMember } from "../support/builders.js";
import { aToken } from "../support/tokens.js";

describe("kill -9 while assets are being written", () => {
  const folder = prepareDataDir();
  let database: TestDatabase | undefined;

  let port = 0;

  beforeAll(async () => {
    port = await findFreePort();
    database = inject("databaseUrl") === null ? undefined : await createDatabase();
  });
  afterAll(async () => {
    await database?.drop();
    folder.remove();
  });

  function start(): Promise<ServerProcess> {
    return startServer({
      DATA_DIR: folder.path,
      PORT: String(port),
      LOG_LEVEL: "warn",
      RATE_LIMIT: "off",
      ...(database?.url !== undefined && {
        DATABASE_URL: database.url,
        SECRET_KEYS: "k".repeat(40),
      }),
    });
  }

  /**
   * Opens a second connection to the data, through the running server's socket if it is embedded.
   */
  function join() {
    return openDatabase({
      databaseUrl: database?.url,
      dataDir: folder.path,
      embedded: "join",
      onFailure: (error) => {
        throw error;
      },
    });
  }

  test("OPS-04: keeps every acknowledged write and stores nothing partially", async () => {
    const acknowledged: string[] = [];
    let token = "";

    for (let round = 0; round < 3; round += 1) {
      const server = await start();
      if (token === "") token = await makeToken();
      const writers = Array.from({ length: 8 }, () => write(server, token, acknowledged));
      // Kills the server during writes, at any write speed.
      const enough = acknowledged.length + 11 + round * 7;
      await expect.poll(() => acknowledged.length).toBeGreaterThan(enough);
      server.child.kill("SIGKILL");
      await Promise.all(writers);
      await new Promise((later) => setTimeout(later, 100));
    }

    const server = await start();
    const { db, close } = await join();
    const assets = await db.query<{ id: string }>("SELECT id FROM assets");
    const halves = await db.query(`SELECT a.id FROM assets a WHERE
         (SELECT count(*) FROM history_events e WHERE e.asset_id = a.id) <> 1
         OR (SELECT count(*) FROM asset_state_periods p WHERE p.asset_id = a.id) <> 1`);
    await close();
    await server.stop();

    const kept = new Set(assets.map(({ id }) => id));
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
    expect(halves).toEqual([]);
  });

  async function makeToken(): Promise<string> {
    const { db, close } = await join();
    try {
      const member = await aMember(db, { role: "owner" });
      const config = testConfig({ baseUrl: `http://localhost:${port}` });
      const { token } = await aToken(db, config, {
        ...member,
        scopes: ["mcp_read", "mcp_write"],
      });
      return token;
    } finally {
      await close();
    }
  }
});

/** Creates assets one after the other until the server ends. Records each acknowledged asset. */
async function write(server: ServerProcess, token: string, acknowledged: string[]): Promise<void> {
  for (;;) {
    try {
      const answer = await fetch(server.mcp, {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "create_asset", arguments: { name: "Written before the end" } },
        }),
      });
      const body = (await answer.json()) as {
        result: { structuredContent: { asset: { id: string } } };
      };
      acknowledged.push(body.result.structuredContent.asset.id);
    } catch {
      return;
    }
  }
}
