import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { parseConfig } from "../../../server/src/config.js";
import { aMember, type Member } from "../../support/builders.js";
import { aToken } from "../../support/tokens.js";
import { createScratchDatabase, seed, type Seed } from "../seed.js";
import { startProduct, type MeasuredServer } from "../servers.js";
import type { Noise } from "./noise.js";
import { callsOf, pagesOf, run, timed, type Actor, type Tally } from "./requests.js";

/*
 * Measures the cost for others when one organization takes all it can get. Several of its people,
 * each with several connections, list, search and read histories of 100,000 assets and open pages,
 * at twice their rate limits. Others call and open pages now and then, first on a quiet server,
 * then during the load. Fails if the goals are exceeded.
 */

const goals = { p99Ratio: 2, peakMiB: 512 };

const { env } = process;
const seconds = Number(env["BENCH_SECONDS"] ?? 30);
const assets = Number(env["BENCH_ASSETS"] ?? 100_000);
const adminUrl =
  env["BENCH_DATABASE_URL"] ??
  env["TEST_DATABASE_URL"] ??
  "postgres://postgres@127.0.0.1:5432/postgres";

const noisyPeople = 6;
const connectionsOfPerson = 2;
const quietOrganizations = 3;
const quietRequestsPerSecond = 4;

const quietCalls = [
  { name: "list_assets", arguments: {} },
  { name: "search_asset_history", arguments: { limit: 10 } },
  { name: "list_maintenance_tasks", arguments: {} },
];

async function connect(seeded: Seed, baseUrl: string, member: Member): Promise<string> {
  const config = parseConfig({ BASE_URL: baseUrl });
  const { token } = await aToken(seeded.db, config, { ...member, scopes: ["mcp_read"] });
  return token;
}

/** Starts the noisy organization. The returned function makes noise for some seconds. */
async function startNoise(seeded: Seed, { baseUrl }: MeasuredServer) {
  const people: Noise["people"][number][] = [];
  for (let count = 0; count < noisyPeople; count += 1) {
    const { organization } = seeded;
    const member = await aMember(seeded.db, { organization, role: "admin" });
    const tokens: string[] = [];
    while (tokens.length < connectionsOfPerson) tokens.push(await connect(seeded, baseUrl, member));
    people.push({ email: member.email, password: member.password, tokens });
  }
  const child = fork(fileURLToPath(import.meta.resolve("./noise.ts")), {
    execArgv: process.execArgv,
  });
  const ask = async (message: Noise | number) => {
    const answer = once(child, "message") as Promise<[Tally]>;
    child.send(message);
    return (await answer)[0];
  };
  await ask({ baseUrl, people });
  return { during: (duration: number) => ask(duration), stop: () => child.kill() };
}

async function createQuiet(seeded: Seed, { baseUrl }: MeasuredServer): Promise<Actor[]> {
  const actors: Actor[] = [];
  for (let count = 0; count < quietOrganizations; count += 1) {
    const member = await aMember(seeded.db, { organization: `Quiet ${count}`, role: "owner" });
    await seeded.db.query(
      `INSERT INTO assets (id, organization_id, inventory_number, name, state, qr_token, created_by)
       SELECT 'ast_' || substr(md5($1 || i), 1, 12), $1, 'Q-' || i, 'Lathe ' || i, 'in_use',
         substr(md5('q' || $1 || i), 1, 24), $2
       FROM generate_series(1, 200) i`,
      [member.organizationId, member.userId],
    );
    const token = await connect(seeded, baseUrl, member);
    const perSecond = quietRequestsPerSecond;
    actors.push({ request: callsOf(baseUrl, token, quietCalls), perSecond });
    actors.push({ request: await pagesOf(baseUrl, member.email, member.password), perSecond });
  }
  return actors;
}

function quantile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * part) - 1] ?? Number.NaN;
}

function describe(name: string, { times, served, limited, failed }: Tally): void {
  const figures = [0.5, 0.95, 0.99].map((part) => quantile(times, part).toFixed(1).padStart(8));
  console.log(
    `${name.padEnd(20)}${figures.join("")}   ${served} served, ${limited} limited, ${failed} failed`,
  );
}

async function measure(seeded: Seed, server: MeasuredServer): Promise<void> {
  const quiet = await createQuiet(seeded, server);
  const ready = [{ request: () => timed(`${server.baseUrl}/readyz`), perSecond: 5 }];
  await run(quiet, 5);

  const alone = await run(quiet, seconds);
  const noisy = await startNoise(seeded, server);
  await noisy.during(5);
  const [beside, noise, readiness] = await Promise.all([
    run(quiet, seconds),
    noisy.during(seconds),
    run(ready, seconds),
  ]);
  noisy.stop();

  console.log(`${"".padEnd(20)}  p50 ms  p95 ms  p99 ms`);
  describe("others, without load", alone);
  describe("others, under load", beside);
  describe("noisy organization", noise);
  describe("/readyz", readiness);
  const ratio = quantile(beside.times, 0.99) / quantile(alone.times, 0.99);
  const peak = await server.peakMiB();
  console.log(`p99 under load / without: ${ratio.toFixed(2)} (goal: at most ${goals.p99Ratio})`);
  console.log(`memory of the server: ${peak.toFixed(0)} MiB (goal: under ${goals.peakMiB})`);
  const isUnfair = [beside, readiness].some(({ limited, failed }) => limited + failed > 0);
  if (isUnfair) console.log("Another organization was not served, or the server was not ready.");
  if (noise.limited === 0)
    console.log("The noisy organization was not rate limited, so nothing was measured.");
  const isOver = ratio > goals.p99Ratio || peak >= goals.peakMiB;
  if (isUnfair || isOver || noise.limited === 0) process.exitCode = 1;
}

const database = await createScratchDatabase(adminUrl);
try {
  const seeded = await seed(database.url, assets);
  try {
    const redis = env["REDIS_URL"] === undefined ? {} : { REDIS_URL: env["REDIS_URL"] };
    const limits = { RATE_LIMIT: "on", TRUST_PROXY: "1", ...redis };
    const server = await startProduct(database.url, { profileFolder: undefined }, limits);
    try {
      await measure(seeded, server);
    } finally {
      await server.stop();
    }
  } finally {
    await seeded.close();
  }
} finally {
  await database.drop();
}
