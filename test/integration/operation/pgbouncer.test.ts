import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { openDatabase, type DatabaseChoice } from "../../../server/src/db/open-database.js";
import { ignoresSettings } from "../../../server/src/db/pooler.js";
import { testConfig, startApp } from "../../support/app.js";
import { createDatabase, type TestDatabase } from "../../support/database.js";
import { connect } from "../../support/mcp.js";
import { startPgBouncer, type PgBouncer } from "../../support/pgbouncer.js";

// The embedded database has no pooler in front of it.
describe.runIf(inject("databaseUrl") !== null)("behind PgBouncer in transaction mode", () => {
  let database: TestDatabase;
  let pooler: PgBouncer;
  let choice: DatabaseChoice;

  beforeAll(async () => {
    database = await createDatabase();
    pooler = await startPgBouncer(database.url ?? "");
    choice = { databaseUrl: pooler.url, dataDir: "", embedded: "own", onFailure: () => {} };
  });

  afterAll(async () => {
    await pooler.stop();
    await database.drop();
  });

  test("detects a pooler that loses prepared statements at startup", async () => {
    await expect(openDatabase(choice)).rejects.toThrow(
      "The pooler in front of the database loses prepared statements. Use PgBouncer 1.21 or newer with max_prepared_statements, or set DATABASE_PREPARED_STATEMENTS=off.",
    );
  });

  test("concurrent reads and changes succeed without prepared statements", async () => {
    const pools = await Promise.all(
      [{}, { plans: "custom", poolSize: 6 } as const, { poolSize: 4 }].map((options) =>
        openDatabase({
          ...choice,
          preparedStatements: false,
          statementTimeoutMs: 5000,
          ...options,
        }),
      ),
    );
    const [db, replanDb, systemDb] = pools.map(({ db }) => db);
    if (db === undefined || replanDb === undefined || systemDb === undefined) throw new Error();
    const config = testConfig();
    const app = await startApp(config, db, { replanDb, systemDb });
    const { call } = await connect({ app, db, config });

    // Operators are therefore told to set them for the role.
    await expect(ignoresSettings(db)).resolves.toBe(true);
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => [
        await call("create_asset", { name: `Pump ${index}` }),
        await call("list_assets", { query: "pump" }),
        await call("get_organization_stats", {}),
      ]),
    );

    expect(answers.flat().filter(({ isError }) => isError)).toEqual([]);
    const listed = await call("list_assets", { query: "pump" });
    expect(listed.structuredContent).toMatchObject({ total_count: 20 });
    await app.close();
    for (const { close } of pools) await close();
  });
});
