import { isDeepStrictEqual } from "node:util";
import { callsOf, type Call, type CaseName } from "./cases.js";
import { callOnce, measure, type Measurement } from "./load.js";
import {
  startFloor,
  startProduct,
  type MeasuredServer,
  type PeerName,
  type Profiling,
} from "./servers.js";
import type { Seed } from "./seed.js";

export interface Settings {
  rounds: number;
  seconds: number;
}

export type Each<Value> = Record<"product" | "floor", Value> & Partial<Record<PeerName, Value>>;

export interface Comparison {
  name: CaseName;
  assets: number;
  bytes: Each<number>;
  rounds: Each<Measurement>[];
  /** Paths where the two answers differ. If there are any, the ratios compare unequal work. */
  differences: string[];
}

export interface Pair {
  product: MeasuredServer;
  floor: MeasuredServer;
  token: string;
  stop: () => Promise<void>;
}

/** Starts product and floor in separate processes on one database. */
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

interface Case {
  name: CaseName;
  assets: number;
  peers?: Record<PeerName, MeasuredServer> | undefined;
}

/** Checks the answers of all servers, then measures the servers in alternating rounds. */
export async function compare(
  { product, floor, token }: Pair,
  seed: Seed,
  { name, assets, peers }: Case,
  settings: Settings,
): Promise<Comparison> {
  const calls = callsOf(name, token, seed.assetIds);
  const servers = { product, floor, ...peers };
  const checked = await checkAnswers(servers, { name, assets, calls });
  return { name, assets, ...checked, rounds: await measureRounds(servers, calls, settings) };
}

async function measureRounds(
  servers: Each<MeasuredServer>,
  calls: readonly Call[],
  { rounds, seconds }: Settings,
): Promise<Comparison["rounds"]> {
  const all = Object.entries(servers);
  for (const [, server] of all) await measure(server, calls, Math.min(2, seconds));
  const measured: Comparison["rounds"] = [];
  for (let round = 0; round < rounds; round += 1) {
    // Changes the order each round, so no server always runs first.
    const turn = round % all.length;
    const results: Partial<Each<Measurement>> = {};
    for (const [name, server] of [...all.slice(turn), ...all.slice(0, turn)]) {
      results[name as keyof typeof servers] = await measure(server, calls, seconds);
    }
    measured.push(results as Each<Measurement>);
  }
  return measured;
}

/** Throws if an answer is wrong, before anything is measured. */
async function checkAnswers(
  servers: Each<MeasuredServer>,
  { name, assets, calls }: { name: CaseName; assets: number; calls: readonly Call[] },
): Promise<Pick<Comparison, "bytes" | "differences">> {
  const bytes: Each<number> = { product: 0, floor: 0 };
  const differences = new Set<string>();
  for (const call of calls) {
    const contents = new Map<string, unknown>();
    for (const [server, { result, bytes: length }] of await callAll(servers, call)) {
      checkResult(name, result, { assets, call });
      bytes[server] = (bytes[server] ?? 0) + length / calls.length;
      contents.set(server, contentOf(result));
    }
    const ours = contents.get("product");
    for (const content of contents.values()) {
      for (const path of differingPaths(ours, content)) differences.add(path);
    }
  }
  return { bytes, differences: [...differences] };
}

async function callAll(servers: Each<MeasuredServer>, call: Call) {
  const answers: [keyof Each<unknown>, Awaited<ReturnType<typeof callOnce>>][] = [];
  for (const [name, server] of Object.entries(servers)) {
    answers.push([name as keyof Each<unknown>, await callOnce(server, call)]);
  }
  return answers;
}

/** The limit to which both servers count. */
const maxTotal = 10_000;

function checkResult(
  name: CaseName,
  result: Record<string, unknown>,
  { assets, call }: { assets: number; call: Call },
): void {
  const content = contentOf(result) as {
    tools?: unknown[];
    assets?: { length: number; total: number };
    total_count?: number;
    asset?: { id: string; version: number };
    events?: unknown[];
  };
  const isRight = {
    "tools/list": () => (content.tools?.length ?? 0) > 0,
    list_assets: () =>
      content.assets?.length === 25 && content.total_count === Math.min(assets, maxTotal),
    get_asset: () => content.asset !== undefined && call.body.includes(content.asset.id),
    search_asset_history: () => content.events?.length === 25,
    get_organization_stats: () => content.assets?.total === assets,
    create_asset: () => content.asset?.version === 1,
  }[name]();
  if (!isRight) throw new Error(`wrong answer to ${call.body}: ${JSON.stringify(result)}`);
}

function contentOf(result: Record<string, unknown>): unknown {
  return result["structuredContent"] ?? result;
}

/** Paths that always differ: cursors are signed, and each creation returns another asset. */
const ownPaths = ["next_cursor", "as_of", "asset.id", "asset.inventory_number", "asset.url"];

/** Compares top-level keys and, one level down, the keys of objects. */
function differingPaths(left: unknown, right: unknown, prefix = "", depth = 2): string[] {
  if (isDeepStrictEqual(left, right) || ownPaths.includes(prefix)) return [];
  if (depth === 0 || !isRecord(left) || !isRecord(right)) return [prefix];
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].flatMap((key) =>
    differingPaths(left[key], right[key], prefix === "" ? key : `${prefix}.${key}`, depth - 1),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
