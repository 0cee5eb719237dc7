import type { Scope } from "fettle-shared";
import { Database } from "../../../server/src/db/database.js";
import { parseConfig } from "../../../server/src/config.js";
import { createDataSource } from "../../../server/src/db/data-source.js";
import { migrate } from "../../../server/src/db/migrate.js";
import { toCall } from "../cases.js";
import { callOnce } from "../load.js";
import { aToken } from "../../support/tokens.js";
import { signIn } from "../pages/visitor.js";
import { createScratchDatabase } from "../seed.js";
import { startProduct, type MeasuredServer } from "../servers.js";
import { questionsAbout } from "./questions.js";
import { seedSized, type SizedOrganization } from "./seed-sized.js";

/*
 * Measures how the duration of each read grows with the size of an organization. It sends the same
 * requests, one after the other, to organizations of each size. All organizations share one
 * database.
 */

const { env } = process;
const sizes = (env["BENCH_SIZES"] ?? "1000,10000,100000").split(",").map(Number);
const repeats = Number(env["BENCH_REQUESTS"] ?? 9);
/** An empty database to seed and keep. Later runs on it must use the same sizes. */
const kept = env["BENCH_KEEP"];
const adminUrl =
  env["BENCH_DATABASE_URL"] ??
  env["TEST_DATABASE_URL"] ??
  "postgres://postgres@127.0.0.1:5432/postgres";
const pages = {
  home: "/",
  "all attention": "/?attention=all",
  "asset list": "/assets",
  "task list": "/tasks",
  workspaces: "/workspaces",
  people: "/settings/members",
  activity: "/settings/activity",
};

type Times = Record<string, number>;

async function measure(databaseUrl: string): Promise<Times[]> {
  const source = createDataSource({ url: databaseUrl }, { poolSize: 1 });
  const db = new Database(await source.initialize());
  await migrate(db);
  const organizations: SizedOrganization[] = [];
  for (const [index, size] of sizes.entries()) {
    const began = performance.now();
    organizations.push(await seedSized(db, size, index + 1));
    console.error(`${size} assets seeded in ${((performance.now() - began) / 1000).toFixed(0)} s`);
  }
  await db.query("VACUUM (ANALYZE)");
  const server = await startProduct(databaseUrl, { profileFolder: undefined });
  try {
    const results: Times[] = [];
    for (const [index, organization] of organizations.entries()) {
      results.push({
        ...(await timeQuestions(db, server, organization, sizes[index] ?? 0)),
        ...(await timePages(server, organization)),
      });
    }
    return results;
  } finally {
    await server.stop();
    await source.destroy();
  }
}

async function timeQuestions(
  db: Database,
  server: MeasuredServer,
  { owner, viewer }: SizedOrganization,
  assets: number,
): Promise<Times> {
  const config = parseConfig({ BASE_URL: server.baseUrl });
  const scopes: Scope[] = ["mcp_read"];
  const tokens = {
    owner: (await aToken(db, config, { ...owner, scopes })).token,
    viewer: (await aToken(db, config, { ...viewer, scopes })).token,
  };
  const asset = await db.maybe<{ id: string }>(
    "SELECT id FROM assets WHERE organization_id = $1 AND inventory_number = 'F-0000501'",
    [owner.organizationId],
  );
  const times: Times = {};
  for (const { label, tool, args, by } of questionsAbout(asset?.id ?? "", assets)) {
    const call = toCall(tokens[by], { name: tool, arguments: args });
    times[label] = await medianMs(() => callOnce(server, call));
  }
  return times;
}

async function timePages(server: MeasuredServer, { owner }: SizedOrganization): Promise<Times> {
  const visitor = await signIn(server.baseUrl, owner.email, owner.password);
  const times: Times = {};
  for (const [label, address] of Object.entries(pages)) {
    times[`page: ${label}`] = await medianMs(() => visitor.get(address));
  }
  return times;
}

/** Returns Infinity if the server gave up. */
async function medianMs(request: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < repeats; count += 1) {
    const began = performance.now();
    try {
      await request();
    } catch (error) {
      console.error(String(error).slice(0, 200));
      return Infinity;
    }
    times.push(performance.now() - began);
    if (times.length > 2 && (times[0] ?? 0) > 2000) break;
  }
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
}

function report(results: readonly Times[]): void {
  const labels = Object.keys(results[0] ?? {});
  const width = Math.max(...labels.map(({ length }) => length));
  const most = Object.fromEntries(
    questionsAbout("", 0).map((question) => [question.label, question.most]),
  );
  console.log(
    ["ms".padEnd(width), ...sizes.map((size) => String(size).padStart(9)), "  ratio"].join(" "),
  );
  for (const label of labels) {
    const times = results.map((result) => result[label] ?? Infinity);
    const ratio = (times.at(-1) ?? 0) / (times[0] ?? 1);
    const cells = times.map((ms) => ms.toFixed(1).padStart(9));
    const isSlow = ratio > (most[label] ?? 3);
    if (isSlow) process.exitCode = 1;
    const verdict = isSlow ? "  TOO SLOW" : "";
    console.log([label.padEnd(width), ...cells, ratio.toFixed(1).padStart(7) + verdict].join(" "));
  }
}

const scratch =
  kept === undefined ? await createScratchDatabase(adminUrl) : { url: kept, drop: async () => {} };
try {
  report(await measure(scratch.url));
} finally {
  await scratch.drop();
}
