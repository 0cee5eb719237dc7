import { setTimeout as pause } from "node:timers/promises";
import { runFettle } from "../../support/server-process.js";
import { createScratchDatabase } from "../seed.js";
import { startProduct } from "../servers.js";
import { signIn, type Visitor } from "../pages/visitor.js";

/*
 * Measures how long a large file takes to preview, apply and undo. Also measures memory, and how
 * long others wait for a page meanwhile.
 */

const { env } = process;
const rows = Number(env["BENCH_ROWS"] ?? 100_000);
const adminUrl =
  env["BENCH_DATABASE_URL"] ??
  env["TEST_DATABASE_URL"] ??
  "postgres://postgres@127.0.0.1:5432/postgres";

function createFile(): File {
  const lines = [
    "Name,Inventory number,Serial number,Category,Location,Purchase date,Purchase cost",
  ];
  for (let row = 1; row <= rows; row += 1) {
    const day = `20${10 + (row % 15)}-0${1 + (row % 9)}-1${row % 10}`;
    lines.push(`Pump ${row},I-${row},SN${row},Pumps,Hall ${row % 90},${day},${row % 9000}.50`);
  }
  return new File([lines.join("\n")], "assets.csv", { type: "text/csv" });
}

/**
 * Visits pages as other people until a change set leaves the state. Returns the duration in seconds
 * and the page waits.
 */
async function follow(visitor: Visitor, address: string, busy: string) {
  const began = performance.now();
  const waits: number[] = [];
  for (;;) {
    const { body } = await visitor.get(address);
    if (!body.includes(busy)) break;
    waits.push((await visitor.get("/assets")).ms);
    await pause(500);
  }
  const sorted = waits.toSorted((one, other) => one - other);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const [median, longest] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  return `${seconds} s; asset list meanwhile ${median?.toFixed(0)} ms, at most ${longest?.toFixed(0)} ms`;
}

const database = await createScratchDatabase(adminUrl);
const seeding = ["demo", "seed", "--organization", "Bench", "--size", "demo"];
const settings = {
  DATABASE_URL: database.url,
  SECRET_KEYS: "bench-key-that-is-at-least-32-characters",
};
const seeded = await runFettle(seeding, settings);
const owner = JSON.parse(seeded.stdout) as { email: string; password: string };
const server = await startProduct(database.url, { profileFolder: undefined });
try {
  const visitor = await signIn(server.baseUrl, owner.email, owner.password);
  console.log(`${rows} rows; memory before: ${(await server.memoryMiB()).toFixed(0)} MiB`);
  const sent = await visitor.send("/import", "/import", { kind: "assets", file: createFile() });
  const address = sent.to ?? "";
  console.log(`preview: ${await follow(visitor, address, "Checking rows")}`);
  console.log(`memory: ${(await server.peakMiB()).toFixed(0)} MiB at most`);
  await visitor.send(address, `${address}/apply`);
  console.log(`apply: ${await follow(visitor, address, "Importing rows")}`);
  console.log(`memory: ${(await server.peakMiB()).toFixed(0)} MiB at most`);
} finally {
  await server.stop();
  await database.drop();
}
