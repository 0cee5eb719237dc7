import { isDeepStrictEqual } from "node:util";
import { callsOf, type Call, type CaseName } from "./cases.js";
import { callOnce, measure, type Measurement } from "./load.js";
import { startFloor, startProduct, type MeasuredServer, type Profiling } from "./servers.js";
import type { Seed } from "./seed.js";

export interface Settings {
  rounds: number;
  seconds: number;
}

export interface Comparison {
  name: CaseName;
  assets: number;
  bytes: { product: number; floor: number };
  rounds: { product: Measurement; floor: Measurement }[];
  /** Where the answers of the two are not the same; the ratios then compare unequal work. */
  differences: string[];
}

export interface Pair {
  product: MeasuredServer;
  floor: MeasuredServer;
  token: string;
  stop: () => Promise<void>;
}

/** Product and floor, each in a process of its own, on one database. */
export async function startPair(
  databaseUrl: string,
  seed: Seed,
  profiling: Profiling,
): Promise<Pair> {
  const product = await startProduct(databaseUrl, profiling);
  try {
    const floor = await startFloor(databaseUrl, profiling, product.baseUrl);
    const token = await seed.createToken(product.baseUrl);
    const [listing] = callsOf("tools/list", token, []);
    if (listing === undefined) throw new Error("There is no call of tools/list.");
    floor.send({ toolList: (await callOnce(product, listing)).result });
    const stop = async () => {
      await Promise.all([product.stop(), floor.stop()]);
    };
    return { product, floor, token, stop };
  } catch (error) {
    await product.stop();
    throw error;
  }
}

/** Checks the answers of both, then measures them in alternating rounds. */
export async function compare(
  { product, floor, token }: Pair,
  seed: Seed,
  { name, assets }: { name: CaseName; assets: number },
  settings: Settings,
): Promise<Comparison> {
  const calls = callsOf(name, token, seed.assetIds);
  const checked = await checkAnswers(product, floor, { name, assets, calls });
  return { name, assets, ...checked, rounds: await measureRounds(product, floor, calls, settings) };
}

async function measureRounds(
  product: MeasuredServer,
  floor: MeasuredServer,
  calls: readonly Call[],
  { rounds, seconds }: Settings,
): Promise<Comparison["rounds"]> {
  for (const server of [product, floor]) await measure(server, calls, Math.min(2, seconds));
  const measured: Comparison["rounds"] = [];
  for (let round = 0; round < rounds; round += 1) {
    // Whoever comes second in a round comes first in the next.
    if (round % 2 === 0) {
      const ours = await measure(product, calls, seconds);
      measured.push({ product: ours, floor: await measure(floor, calls, seconds) });
    } else {
      const theirs = await measure(floor, calls, seconds);
      measured.push({ product: await measure(product, calls, seconds), floor: theirs });
    }
  }
  return measured;
}

/** Fails when an answer is wrong, before anything is measured. */
async function checkAnswers(
  product: MeasuredServer,
  floor: MeasuredServer,
  { name, assets, calls }: { name: CaseName; assets: number; calls: readonly Call[] },
): Promise<Pick<Comparison, "bytes" | "differences">> {
  const bytes = { product: 0, floor: 0 };
  const differences = new Set<string>();
  for (const call of calls) {
    const ours = await callOnce(product, call);
    const theirs = await callOnce(floor, call);
    for (const { result } of [ours, theirs]) checkResult(name, result, { assets, call });
    bytes.product += ours.bytes / calls.length;
    bytes.floor += theirs.bytes / calls.length;
    for (const path of differingPaths(contentOf(ours.result), contentOf(theirs.result))) {
      differences.add(path);
    }
  }
  return { bytes, differences: [...differences] };
}

/** Counted, by both. */
const maxTotal = 10_000;

function checkResult(
  name: CaseName,
  result: Record<string, unknown>,
  { assets, call }: { assets: number; call: Call },
): void {
  const content = contentOf(result) as {
    tools?: unknown[];
    assets?: unknown[];
    total_count?: number;
    asset?: { id: string };
  };
  const isRight = {
    "tools/list": () => (content.tools?.length ?? 0) > 0,
    list_assets: () =>
      content.assets?.length === 25 && content.total_count === Math.min(assets, maxTotal),
    get_asset: () => content.asset !== undefined && call.body.includes(content.asset.id),
  }[name]();
  if (!isRight) throw new Error(`wrong answer to ${call.body}: ${JSON.stringify(result)}`);
}

function contentOf(result: Record<string, unknown>): unknown {
  return result["structuredContent"] ?? result;
}

/** Top-level keys and, one level down, the keys of objects. Cursors are signed, so they differ. */
function differingPaths(left: unknown, right: unknown, prefix = "", depth = 2): string[] {
  if (isDeepStrictEqual(left, right) || prefix === "next_cursor") return [];
  if (depth === 0 || !isRecord(left) || !isRecord(right)) return [prefix];
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].flatMap((key) =>
    differingPaths(left[key], right[key], prefix === "" ? key : `${prefix}.${key}`, depth - 1),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
