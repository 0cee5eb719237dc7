import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createDatabase, type TestDatabase } from "../support/database.js";
import { startDatabaseProxy } from "../support/database-proxy.js";
import { runFettle, startServer } from "../support/server-process.js";

// The embedded database is part of the server.
describe.runIf(inject("databaseUrl") !== null)("the database at the start of the server", () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.drop());

  const SECRET_KEYS = "k".repeat(40);

  test("that comes later is waited for, and one line says so", async () => {
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

  test("that a newer version has made is refused: one line, exit code 1", async () => {
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
