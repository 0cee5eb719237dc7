import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findFreePort } from "../../support/free-port.js";
import { callsOf, type Call } from "../cases.js";
import { connections, measure, type Measurement } from "../load.js";
import { createScratchDatabase, seed } from "../seed.js";
import { startProduct, type MeasuredServer } from "../servers.js";

/*
 * Sends the same calls on 1,000 assets to one node, to two nodes at once, and to one node with the
 * embedded database. Then measures the memory of one node over a long run.
 */

const { env } = process;
const seconds = Number(env["BENCH_SECONDS"] ?? 10);
const manyCalls = Number(env["BENCH_CALLS"] ?? 100_000);
const adminUrl =
  env["BENCH_DATABASE_URL"] ??
  env["TEST_DATABASE_URL"] ??
  "postgres://postgres@127.0.0.1:5432/postgres";
const secretKeys = "bench-key-that-is-at-least-32-characters";

const database = await createScratchDatabase(adminUrl);
const folder = mkdtempSync(join(tmpdir(), "fettle-bench-"));
const seeded = await seed(database.url, 1000);
const baseUrl = `http://localhost:${await findFreePort()}`;
const token = await seeded.createToken(baseUrl);
const names = ["list_assets", "get_asset", "search_asset_history", "create_asset"] as const;
const calls = Array.from({ length: 100 }, (_, turn) =>
  names.map((name) => {
    const each = callsOf(name, token, seeded.assetIds);
    return each[turn % each.length];
  }),
).flat() as Call[];

async function startNode(variables: Record<string, string> = {}): Promise<MeasuredServer> {
  const port = String(await findFreePort());
  const own = { PORT: port, BASE_URL: baseUrl, SECRET_KEYS: secretKeys, ...variables };
  const server = await startProduct(database.url, { profileFolder: undefined }, own);
  return { ...server, baseUrl: `http://localhost:${port}` };
}

/** Copies the database into a folder, as operators do. */
function embed(): Record<string, string> {
  const file = join(folder, "bench.backup");
  const dataDir = join(folder, "data");
  const fettle = (args: string[], variables: Record<string, string>) =>
    execFileSync(
      process.execPath,
      [fileURLToPath(import.meta.resolve("../../../server/dist/main.js")), ...args],
      { env: { PATH: env["PATH"], SECRET_KEYS: secretKeys, ...variables }, stdio: "ignore" },
    );
  fettle(["backup", "--to", file], { DATABASE_URL: database.url });
  fettle(["restore", "--from", file], { DATA_DIR: dataDir });
  return { DATABASE_URL: "", DATA_DIR: dataDir };
}

function report(what: string, all: readonly Measurement[]): void {
  const requests = all.reduce((sum, one) => sum + one.requestsPerSecond, 0);
  const most = (of: "p50Ms" | "p99Ms") => Math.max(...all.map((one) => one[of])).toFixed(0);
  const cpu = all.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / all.length;
  console.log(
    `${what.padEnd(20)} ${requests.toFixed(0).padStart(6)} req/s  CPU ${cpu.toFixed(2)} ms  ` +
      `p50 ${most("p50Ms")} ms  p99 ${most("p99Ms")} ms`,
  );
}

async function load(what: string, nodes: readonly MeasuredServer[]): Promise<void> {
  await Promise.all(nodes.map((node) => measure(node, calls, 2)));
  report(what, await Promise.all(nodes.map((node) => measure(node, calls, seconds))));
}

const embedded = embed();
const [one, other] = [await startNode(), await startNode()];
await load("one node", [one]);
await load("two nodes", [one, other]);
await other.stop();
const alone = await startNode(embedded);
await load("embedded database", [alone]);
console.log(`embedded: ${(await alone.peakMiB()).toFixed(0)} MiB at most`);
await alone.stop();

let called = 0;
while (called < manyCalls) {
  called += Math.round((await measure(one, calls, seconds)).requestsPerSecond * seconds);
  const used = [await one.memoryMiB(), await one.peakMiB()].map((mib) => mib.toFixed(0));
  console.log(`after ${called} calls: ${used[0]} MiB, at most ${used[1]}`);
}
await one.stop();
await seeded.close();
await database.drop();
rmSync(folder, { recursive: true });
console.log(`${connections} connections to each node`);
