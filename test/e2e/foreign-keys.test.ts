import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { openDatabase } from "../../server/src/db/open-database.js";
import { keepAudit } from "../../server/src/domain/audit/audit-retention.js";
import { createAuditSigner } from "../../server/src/domain/audit/audit-signer.js";
import { recordActivity } from "../../server/src/domain/logs/record-activity.js";
import { commit } from "../../server/src/domain/changes/transactions.js";
import { createDatabase, prepareDataDir, type TestDatabase } from "../support/database.js";
import { runFettle, startServer } from "../support/server-process.js";

const [former, fresh, lost] = ["f".repeat(40), "n".repeat(40), "l".repeat(40)];
const folder = prepareDataDir();
let database: TestDatabase | undefined;
let place: Record<string, string> = { DATA_DIR: folder.path, PORT: "0" };

beforeAll(async () => {
  if (inject("databaseUrl") === null) return;
  database = await createDatabase();
  place = { ...place, DATABASE_URL: database.url ?? "" };
});
afterAll(async () => {
  await database?.drop();
  folder.remove();
});

/** As the server with these keys does within the hour, of one more chain. */
async function sign(chain: string, ...keys: string[]): Promise<void> {
  const { dataSource: db, close } = await openDatabase({
    databaseUrl: place["DATABASE_URL"],
    preparedStatements: true,
    dataDir: folder.path,
    embedded: "own",
    onFailure: (error) => {
      throw error;
    },
  });
  await commit({ db, caller: null }, (tx) =>
    recordActivity(tx, {
      organizationId: chain,
      userId: "usr_writer",
      actorName: "Ana Keller",
      type: "workspace_created",
      details: {},
      origin: { ipAddress: "192.0.2.1", userAgent: "Browser" },
    }),
  );
  await keepAudit(db, { audit: 0 }, createAuditSigner(keys));
  await close();
}

/** What a start with these keys said before it was ready. */
async function start(SECRET_KEYS: string, variables = {}): Promise<string> {
  const server = await startServer({ ...place, SECRET_KEYS, ...variables });
  await server.stop("SIGINT");
  return server.output();
}

const warning = "these are other keys than this database was used with";

test("keys that signed nothing in a database are refused, unless an operator insists", async () => {
  expect(await start(lost)).not.toContain(warning);
  await sign("org_1", former);

  const refused = await runFettle(["serve"], { ...place, SECRET_KEYS: fresh });

  expect([refused.code, refused.stdout]).toEqual([1, ""]);
  expect(refused.stderr).toContain(
    `1 signatures are by keys that SECRET_KEYS does not have: ${warning}`,
  );
  expect(refused.stderr).toContain("ALLOW_NEW_SECRET_KEYS=true");
  expect(await start(fresh, { ALLOW_NEW_SECRET_KEYS: "true" })).toContain(warning);
  for (const keys of [former, `${former},${fresh}`, `${fresh},${former}`]) {
    expect(await start(keys), keys).not.toContain(warning);
  }
});

test("a key that was dropped too early is warned about, and one that is needed no more is not", async () => {
  await sign("org_2", lost);

  expect(await start(former)).toContain(warning);

  await sign("org_3", fresh, former, lost);
  expect(await start(fresh)).not.toContain(warning);
});
