import { setTimeout as pause } from "node:timers/promises";
import { parseConfig } from "../../../server/src/config.js";
import { aMember, type Member } from "../../support/builders.js";
import { aToken } from "../../support/tokens.js";
import { signIn } from "../pages/visitor.js";
import { createScratchDatabase, seed, type Seed } from "../seed.js";
import { startProduct, type MeasuredServer } from "../servers.js";

/*
 * How much one organization that takes all it can get costs the others: several people of it, each
 * with several connections, list, search and read histories of 100,000 assets and open pages, with
 * twice as many requests as their limits allow. Others call and open pages now and then, first in
 * quiet, then beside that. Fails over the goals.
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
/** Of each connection: together more than the 50 calls a second that an organization has. */
const noisyCallsPerSecond = 10;
const noisyPagesPerSecond = 15;
/** Of each connection or person under way: more than clients and browsers have, so that many wait in vain. */
const maxOpen = 20;
const quietOrganizations = 3;
const quietRequestsPerSecond = 4;

type Request = () => Promise<{ status: number; body: string; ms: number }>;

interface Tally {
  times: number[];
  served: number;
  limited: number;
  failed: number;
}

async function timed(url: string, init: RequestInit = {}) {
  const began = performance.now();
  const answer = await fetch(url, init);
  const body = await answer.text();
  return { status: answer.status, body, ms: performance.now() - began };
}

function callsOf(server: MeasuredServer, token: string, calls: readonly object[]): Request {
  let next = 0;
  return () => {
    const params = calls[next++ % calls.length];
    return timed(`${server.baseUrl}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        "mcp-protocol-version": "2025-11-25",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    });
  };
}

const noisyCalls = [
  { name: "list_assets", arguments: { limit: 100 } },
  { name: "list_assets", arguments: { query: "cooling loop", limit: 100 } },
  { name: "search_asset_history", arguments: { query: "hall", limit: 50 } },
  { name: "list_maintenance_tasks", arguments: { limit: 100 } },
];
const quietCalls = [
  { name: "list_assets", arguments: {} },
  { name: "search_asset_history", arguments: { limit: 10 } },
  { name: "list_maintenance_tasks", arguments: {} },
];
const pages = ["/", "/assets", "/tasks", "/assets?q=pump"];

async function pagesOf(server: MeasuredServer, { email, password }: Member): Promise<Request> {
  const visitor = await signIn(server.baseUrl, email, password);
  let next = 0;
  return () => visitor.get(pages[next++ % pages.length] ?? "/");
}

/** Starts a request at every beat, as long as not too many are still without an answer. */
async function repeat(
  request: Request,
  perSecond: number,
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  const open = new Set<Promise<void>>();
  while (!signal.aborted) {
    const one = request()
      .then(({ status, body, ms }) => {
        if (status === 429 || body.includes('"code":"rate_limited"')) tally.limited += 1;
        else if (status === 200) tally.served += 1;
        else tally.failed += 1;
        tally.times.push(ms);
      })
      .catch(() => {
        tally.failed += 1;
      })
      .finally(() => open.delete(one));
    open.add(one);
    if (open.size >= maxOpen) await Promise.race(open);
    // Not all in step.
    await pause((1000 / perSecond) * (0.5 + Math.random()));
  }
  await Promise.all(open);
}

interface Actor {
  request: Request;
  perSecond: number;
}

async function run(actors: readonly Actor[], signal: AbortSignal): Promise<Tally> {
  const tally: Tally = { times: [], served: 0, limited: 0, failed: 0 };
  await Promise.all(
    actors.map(({ request, perSecond }) => repeat(request, perSecond, tally, signal)),
  );
  return tally;
}

async function connect(seeded: Seed, server: MeasuredServer, member: Member): Promise<string> {
  const config = parseConfig({ BASE_URL: server.baseUrl });
  const { token } = await aToken(seeded.db, config, { ...member, scopes: ["mcp_read"] });
  return token;
}

async function createNoisy(seeded: Seed, server: MeasuredServer): Promise<Actor[]> {
  const actors: Actor[] = [];
  for (let person = 0; person < noisyPeople; person += 1) {
    const { organization } = seeded;
    const member = await aMember(seeded.db, { organization, role: "admin" });
    for (let count = 0; count < connectionsOfPerson; count += 1) {
      const token = await connect(seeded, server, member);
      actors.push({
        request: callsOf(server, token, noisyCalls),
        perSecond: noisyCallsPerSecond,
      });
    }
    actors.push({ request: await pagesOf(server, member), perSecond: noisyPagesPerSecond });
  }
  return actors;
}

async function createQuiet(seeded: Seed, server: MeasuredServer): Promise<Actor[]> {
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
    const token = await connect(seeded, server, member);
    const perSecond = quietRequestsPerSecond;
    actors.push({ request: callsOf(server, token, quietCalls), perSecond });
    actors.push({ request: await pagesOf(server, member), perSecond });
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
    `${name.padEnd(14)}${figures.join("")}   ${served} served, ${limited} limited, ${failed} failed`,
  );
}

async function measure(seeded: Seed, server: MeasuredServer): Promise<void> {
  const quiet = await createQuiet(seeded, server);
  const ready = [{ request: () => timed(`${server.baseUrl}/readyz`), perSecond: 5 }];
  const lasting = (duration: number) => AbortSignal.timeout(duration * 1000);
  await run(quiet, lasting(5));

  const alone = await run(quiet, lasting(seconds));
  const noisy = await createNoisy(seeded, server);
  await run(noisy, lasting(5));
  const signal = lasting(seconds);
  const [beside, noise, readiness] = await Promise.all([
    run(quiet, signal),
    run(noisy, signal),
    run(ready, signal),
  ]);

  console.log(`${"".padEnd(14)}  p50 ms  p95 ms  p99 ms`);
  describe("others, quiet", alone);
  describe("others, beside", beside);
  describe("the noisy one", noise);
  describe("/readyz", readiness);
  const ratio = quantile(beside.times, 0.99) / quantile(alone.times, 0.99);
  const peak = await server.peakMiB();
  console.log(`p99 beside / quiet: ${ratio.toFixed(2)} (goal: at most ${goals.p99Ratio})`);
  console.log(`memory of the server: ${peak.toFixed(0)} MiB (goal: under ${goals.peakMiB})`);
  const isUnfair = [beside, readiness].some(({ limited, failed }) => limited + failed > 0);
  if (isUnfair) console.log("Somebody else was not served, or the server was not ready.");
  if (noise.limited === 0) console.log("The noisy one was not limited: nothing was measured.");
  const isOver = ratio > goals.p99Ratio || peak >= goals.peakMiB;
  if (isUnfair || isOver || noise.limited === 0) process.exitCode = 1;
}

const database = await createScratchDatabase(adminUrl);
try {
  const seeded = await seed(database.url, assets);
  try {
    const redis = env["REDIS_URL"] === undefined ? {} : { REDIS_URL: env["REDIS_URL"] };
    const limits = { RATE_LIMIT: "on", ...redis };
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
