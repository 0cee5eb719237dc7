import { makeDataDir, runFettle, startServer } from "../../support/server-process.js";
import { createScratchDatabase } from "../seed.js";
import { findAddresses } from "./addresses.js";
import { signIn } from "./visitor.js";

/*
 * Measures how long each page takes on the sample organization, with the embedded database and with
 * PostgreSQL. Requests run one after the other until the last byte is read, on a warm server. Marks
 * pages whose median exceeds the goal, and then the run fails.
 */

const goalMs = 50;
const warmUps = 10;

const { env } = process;
const size = env["BENCH_SIZE"] ?? "demo";
const requests = Number(env["BENCH_REQUESTS"] ?? 40);
const adminUrl =
  env["BENCH_DATABASE_URL"] ??
  env["TEST_DATABASE_URL"] ??
  "postgres://postgres@127.0.0.1:5432/postgres";
/** Limits the run to "embedded" or "postgresql". */
const only = env["BENCH_DATABASE"];

interface Timing {
  page: string;
  p50: number;
  p95: number;
  bytes: number;
}

async function measure(variables: Record<string, string>): Promise<Timing[]> {
  const settings = {
    RATE_LIMIT: "off",
    LOG_LEVEL: "warn",
    SECRET_KEYS: "bench-key-that-is-at-least-32-characters",
    ...variables,
  };
  const seeding = ["demo", "seed", "--organization", "Bench", "--size", size];
  const seeded = await runFettle(seeding, settings);
  if (seeded.code !== 0) throw new Error(seeded.stderr);
  const owner = JSON.parse(seeded.stdout) as { email: string; password: string };
  const server = await startServer(settings);
  try {
    const visitor = await signIn(server.url, owner.email, owner.password);
    const addresses = await findAddresses(visitor, server.url);
    for (let count = 0; count < warmUps; count += 1) {
      for (const address of Object.values(addresses)) await visitor.get(address);
    }
    const timings: Timing[] = [];
    for (const [page, address] of Object.entries(addresses)) {
      const times: number[] = [];
      let bytes = 0;
      for (let count = 0; count < requests; count += 1) {
        const { status, body, ms } = await visitor.get(address);
        if (status !== 200) throw new Error(`${address} was answered with ${status}.`);
        times.push(ms);
        bytes = Buffer.byteLength(body);
      }
      timings.push({ page, p50: quantile(times, 0.5), p95: quantile(times, 0.95), bytes });
    }
    return timings;
  } finally {
    await server.stop();
  }
}

function quantile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * part) - 1] ?? Number.NaN;
}

function report(database: string, timings: readonly Timing[]): void {
  const widest = Math.max(...timings.map(({ page }) => page.length));
  console.log(`\n${database}, sample size ${size}, ${requests} requests a page`);
  console.log(`${"page".padEnd(widest)}  p50 ms  p95 ms  bytes`);
  for (const { page, p50, p95, bytes } of timings) {
    const figures = [p50.toFixed(1).padStart(6), p95.toFixed(1).padStart(6), bytes];
    console.log(`${page.padEnd(widest)}  ${figures.join("  ")}${p50 > goalMs ? "  TOO SLOW" : ""}`);
  }
  if (timings.some(({ p50 }) => p50 > goalMs)) process.exitCode = 1;
}

if (only !== "postgresql") {
  const folder = makeDataDir();
  try {
    report("embedded", await measure({ DATA_DIR: folder.path }));
  } finally {
    folder.remove();
  }
}
if (only !== "embedded") {
  const database = await createScratchDatabase(adminUrl);
  try {
    report("PostgreSQL", await measure({ DATABASE_URL: database.url }));
  } finally {
    await database.drop();
  }
}
