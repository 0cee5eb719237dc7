import { randomBytes } from "node:crypto";
import { expect, test, vi } from "vitest";
import { migrate } from "../../../server/src/db/migrate.js";
import { useDatabase } from "../../support/database.js";

const db = useDatabase();
const role = `fettle_weak_${randomBytes(6).toString("hex")}`;

/** Migrates an empty database as a role with only these `grants`. */
async function migrateAs(grants: string): Promise<unknown> {
  const runner = db().source.createQueryRunner();
  await runner.query("DROP SCHEMA public CASCADE");
  await runner.query("CREATE SCHEMA public");
  await runner.query(`CREATE ROLE ${role}`);
  await runner.query(grants);
  await runner.query(`SET ROLE ${role}`);
  const release = runner.release.bind(runner);
  vi.spyOn(runner, "release").mockResolvedValue();
  const createRunner = vi.spyOn(db().source, "createQueryRunner").mockReturnValue(runner);
  try {
    return await migrate(db()).catch((error: unknown) => error);
  } finally {
    createRunner.mockRestore();
    await runner.query("RESET ROLE");
    await runner.query(`DROP OWNED BY ${role}`);
    await runner.query(`DROP ROLE ${role}`);
    await release();
  }
}

test.each([
  [
    "may not create extensions",
    `GRANT CREATE, USAGE ON SCHEMA public TO ${role}`,
    'permission denied to create extension "citext". Make the role in DATABASE_URL the owner of the database, or have a superuser run in it: CREATE EXTENSION IF NOT EXISTS btree_gin; CREATE EXTENSION IF NOT EXISTS citext; CREATE EXTENSION IF NOT EXISTS pg_trgm;',
  ],
  [
    "may not create tables",
    `GRANT USAGE ON SCHEMA public TO ${role}`,
    "permission denied for schema public. Make the role in DATABASE_URL the owner of the database and of what is in it.",
  ],
])("explains in one sentence the fix for a role that %s", async (_, grants, message) => {
  const error = await migrateAs(grants);

  expect(error).toHaveProperty("name", "DatabaseError");
  expect(error).toHaveProperty("message", message);
});
