import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { openDatabase, type OpenDatabase } from "../../../server/src/db/open-database.js";
import { isConnectionLost } from "../../../server/src/db/connection-errors.js";
import { createDatabase, type TestDatabase } from "../../support/database.js";
import { startDatabaseProxy, type DatabaseProxy } from "../../support/database-proxy.js";

// The embedded database ends together with the process.
describe.runIf(inject("databaseUrl") !== null)("stopping database", () => {
  let own: TestDatabase;
  let proxy: DatabaseProxy;
  let through: OpenDatabase;

  beforeAll(async () => {
    own = await createDatabase();
    proxy = await startDatabaseProxy(own.url ?? "");
    through = await openDatabase({
      ...{ databaseUrl: proxy.url, dataDir: "", embedded: "own" },
      onFailure: () => undefined,
    });
  });

  afterAll(async () => {
    await through.close();
    proxy.close();
    await own.drop();
  });

  test("LIM-62 a connection lost on checkout fails only its own query", async () => {
    const { db } = through;
    proxy.state = "stopping";
    // The first request may have an old connection.
    const asked = await Promise.allSettled([1, 2, 3].map(() => db.query("SELECT 1")));
    proxy.state = "serving";

    const failures = asked.flatMap((one): unknown[] =>
      one.status === "rejected" ? [one.reason] : [],
    );
    expect(failures.length).toBeGreaterThan(0);
    expect(failures.filter((error) => !isConnectionLost(error))).toEqual([]);
    expect(await db.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });
});
