import { setTimeout as pause } from "node:timers/promises";
import { callsOf, toCall, type Call } from "../cases.js";
import { callOnce } from "../load.js";
import { createScratchDatabase, seed, type Seed } from "../seed.js";
import { startProduct, type MeasuredServer } from "../servers.js";

/*
 * Measures how long others wait while sheets of a hundred labels are rendered without pause. One
 * person opens them one after the other, another reads assets. Rounds with and without sheets
 * alternate.
 */

const { env } = process;
const rounds = Number(env["BENCH_ROUNDS"] ?? 3);
const seconds = Number(env["BENCH_SECONDS"] ?? 5);
const adminUrl =
  env["BENCH_DATABASE_URL"] ??
  env["TEST_DATABASE_URL"] ??
  "postgres://postgres@127.0.0.1:5432/postgres";
const readsPerSecond = 50;

/** Latin names need no font in the file. Others do. */
const names = { latin: "Pump", greek: "Αντλία" };

async function createSheet(server: MeasuredServer, token: string, seeded: Seed): Promise<string> {
  const call = toCall(token, {
    name: "generate_asset_qr_codes",
    arguments: { asset_ids: seeded.assetIds.slice(0, 100), format: "pdf_sheet" },
  });
  const { result } = await callOnce(server, call);
  return (result["structuredContent"] as { sheet: { url: string } }).sheet.url;
}

async function openSheets(url: string, signal: AbortSignal): Promise<number> {
  let opened = 0;
  while (!signal.aborted) {
    const answer = await fetch(url.replace("localhost", "127.0.0.1"));
    if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`);
    await answer.arrayBuffer();
    opened += 1;
  }
  return opened;
}

/** Sends requests at a fixed rate, regardless of response times. */
async function read(
  server: MeasuredServer,
  calls: readonly Call[],
  signal: AbortSignal,
): Promise<number[]> {
  const times: Promise<number>[] = [];
  while (!signal.aborted) {
    const [call] = calls.slice(times.length % calls.length);
    if (call === undefined) break;
    const began = performance.now();
    times.push(callOnce(server, call).then(() => performance.now() - began));
    await pause(1000 / readsPerSecond);
  }
  return Promise.all(times);
}

function describe(what: string, times: readonly number[], note = ""): void {
  const sorted = times.toSorted((one, other) => one - other);
  const figures = [0.5, 0.95, 0.99, 1].map((part) =>
    (sorted[Math.ceil(sorted.length * part) - 1] ?? Number.NaN).toFixed(1).padStart(8),
  );
  console.log(what.padEnd(24) + figures.join("") + note);
}

async function measure(server: MeasuredServer, seeded: Seed): Promise<void> {
  const token = await seeded.createToken(server.baseUrl);
  const calls = callsOf("get_asset", token, seeded.assetIds);
  const url = await createSheet(server, token, seeded);
  console.log(
    "get_asset, ms".padEnd(24) + ["p50", "p95", "p99", "max"].map((it) => it.padStart(8)).join(""),
  );
  for (const [script, name] of Object.entries(names)) {
    await seeded.db.query("UPDATE assets SET name = $1 || ' ' || inventory_number", [name]);
    await openSheets(url, AbortSignal.timeout(3000));
    const before = await server.mainThreadMs();
    const alone = await openSheets(url, AbortSignal.timeout(seconds * 1000));
    const ofSheet = ((await server.mainThreadMs()) - before) / alone;
    console.log(
      `${script}: a sheet keeps the thread that answers busy for ${ofSheet.toFixed(1)} ms`,
    );
    const quiet: number[] = [];
    const beside: number[] = [];
    let sheets = 0;
    for (let round = 0; round < rounds; round += 1) {
      quiet.push(...(await read(server, calls, AbortSignal.timeout(seconds * 1000))));
      const signal = AbortSignal.timeout(seconds * 1000);
      const [times, opened] = await Promise.all([
        read(server, calls, signal),
        openSheets(url, signal),
      ]);
      beside.push(...times);
      sheets += opened;
    }
    describe(`${script}: quiet`, quiet);
    describe(
      `${script}: beside sheets`,
      beside,
      `   ${(sheets / (rounds * seconds)).toFixed(1)} sheets/s`,
    );
  }
  console.log(`memory of the server: ${(await server.peakMiB()).toFixed(0)} MiB at most`);
}

const database = await createScratchDatabase(adminUrl);
try {
  const seeded = await seed(database.url, 1000);
  try {
    const server = await startProduct(database.url, { profileFolder: undefined });
    try {
      await measure(server, seeded);
    } finally {
      await server.stop();
    }
  } finally {
    await seeded.close();
  }
} finally {
  await database.drop();
}
