import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createDatabase, type TestDatabase } from "../support/database.js";
import { startDatabaseProxy } from "../support/database-proxy.js";
import { runFettle, startServer } from "../support/server-process.js";

// The embedded database is part of the server.
describe.runIf(inject("databaseUrl") !== null)("database at server start", () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.drop());

  const SECRET_KEYS = "k".repeat(40);

  test("waits for a database that starts later, and logs it in one line", async () => {
    const proxy = await startDatabaseProxy(database.url ?? "", "away");
    const starting = startServer({ DATABASE_URL: proxy.url, SECRET_KEYS });
    await expect.poll(() => proxy.taken).toBeGreaterThan(0);
    proxy.state = "serving";

    const server = await starting;

    const { status } = await fetch(`${server.url}/readyz`);
    expect(status).toBe(200);
    expect(server.output().match(/cannot be reached\..+Trying again for 60 s\.$/gm)).toHaveLength(
      1,
    );
    await server.stop();
    proxy.close();
  });

  test("rejects a database from a newer version: one line, exit code 1", async () => {
    await database.db.query(
      "INSERT INTO migrations (timestamp, name) VALUES (1863683200099, 'Later1863683200099')",
    );

    const result = await runFettle(["serve"], {
      DATABASE_URL: database.url ?? "",
      SECRET_KEYS,
      PORT: "0",
    });

    expect(result.code).toBe(1);
    expect(result.stderr.trim().split("\n")).toHaveLength(1);
    expect(result.stderr).toContain("made by another version of Fettle");
  });
});
