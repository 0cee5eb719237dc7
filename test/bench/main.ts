import { caseNames, type CaseName } from "./cases.js";
import { compare, startPair, type Comparison } from "./compare.js";
import { connections } from "./load.js";
import { toReport } from "./report.js";
import { installPeers } from "./install-peers.js";
import { createScratchDatabase, seed } from "./seed.js";
import { startPeer, type MeasuredServer, type PeerName } from "./servers.js";

/*
 * Measures the product against a floor in one run on PostgreSQL, and one call against common MCP
 * server libraries. Trust the ratios: absolute figures depend on the machine and its load.
 */

const few = 1000;
const many = 100_000;

const { env } = process;
const adminUrl =
  env["BENCH_DATABASE_URL"] ??
  env["TEST_DATABASE_URL"] ??
  "postgres://postgres@127.0.0.1:5432/postgres";
const settings = {
  rounds: Number(env["BENCH_ROUNDS"] ?? 5),
  seconds: Number(env["BENCH_SECONDS"] ?? 3),
};
/** A subset of the calls, such as "tools/list,get_asset". */
const measuredCases = (env["BENCH_CASES"]?.split(",") as CaseName[] | undefined) ?? caseNames;
/** Both servers write CPU profiles to this folder when they end. */
const profileFolder = env["BENCH_PROFILE"];

async function run(databaseUrl: string): Promise<Comparison[]> {
  const seeded = await seed(databaseUrl, few);
  try {
    const pair = await startPair(databaseUrl, seeded, { profileFolder });
    try {
      const comparisons: Comparison[] = [];
      for (const name of measuredCases) {
        const peers = name === "list_assets" ? await startPeers(databaseUrl) : undefined;
        try {
          const each = { name, assets: few, peers };
          comparisons.push(await compare(pair, seeded, each, settings));
        } finally {
          await Promise.all([peers?.sdk.stop(), peers?.fastmcp.stop()]);
        }
      }
      if (!measuredCases.includes("list_assets")) return comparisons;
      await seeded.grow(many);
      const again = { name: "list_assets", assets: many } as const;
      comparisons.push(await compare(pair, seeded, again, settings));
      return comparisons;
    } finally {
      await pair.stop();
    }
  } finally {
    await seeded.close();
  }
}

/** The peers have only one tool. */
async function startPeers(databaseUrl: string): Promise<Record<PeerName, MeasuredServer>> {
  return {
    sdk: await startPeer("sdk", databaseUrl),
    fastmcp: await startPeer("fastmcp", databaseUrl),
  };
}

installPeers(new URL("./peers", import.meta.url));
console.log(
  `${connections} connections, ${settings.rounds} rounds of ${settings.seconds} s for each server and call`,
);
const database = await createScratchDatabase(adminUrl);
try {
  console.log(toReport(await run(database.url)));
} finally {
  await database.drop();
}
