// @module-tag embedded

import { expect, inject, test } from "vitest";
import { createDatabase } from "../support/database.js";
import { makeDataDir, runFettle, startServer } from "../support/server-process.js";

test("concurrent migrations from several processes all succeed", async () => {
  const database = inject("databaseUrl") === null ? undefined : await createDatabase();
  const url = database?.url;
  if (url !== undefined) {
    await database?.db.query("DROP SCHEMA public CASCADE");
    await database?.db.query("CREATE SCHEMA public");
  }
  const folder = makeDataDir();
  const path = folder.path;
  const server = url === undefined ? await startServer({ DATA_DIR: path }) : undefined;

  const runs = await Promise.all(
    Array.from({ length: 4 }, () =>
      runFettle(["migrate"], { DATA_DIR: path, ...(url !== undefined && { DATABASE_URL: url }) }),
    ),
  );

  await server?.stop("SIGKILL");
  await database?.drop();
  folder.remove();
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  // The first process migrated. On the embedded database that was the server.
  const said = url === undefined ? "" : "Preparing the database…\n";
  expect(runs.map(({ stderr }) => stderr).join("")).toBe(said);
});
