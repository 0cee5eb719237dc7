import { toRecord } from "../../common/json.js";
import { version as ownVersion } from "../../common/version.js";
import type { Call, Exchange } from "../requests/exchange.js";
import { type Era, signInTool, type ToolCatalog } from "../upstream/tool-catalog.js";
import {
  discoverKey,
  initializeKey,
  type Result,
  type StartupCache,
  toolsListKey,
} from "./startup-cache.js";

export interface FallbackResultDeps {
  tools: ToolCatalog;
  startupCache: StartupCache;
}

/** Lists that are empty for a host as long as the server cannot be asked. */
const emptyLists = new Map<string, Result>([
  ["prompts/list", { prompts: [] }],
  ["resources/list", { resources: [] }],
  ["resources/templates/list", { resourceTemplates: [] }],
]);
const newestWithHandshake = "2025-11-25";
const withHandshake = ["2024-11-05", "2025-03-26", "2025-06-18", newestWithHandshake];
const noTools: Result = { tools: [] };
const modernFields = { resultType: "complete", ttlMs: 0, cacheScope: "private" };

/** What a call can be answered with before the server does; undefined when it has to wait on. */
export function findFallbackResult(
  call: Call,
  version: string,
  deps: FallbackResultDeps,
): Result | undefined {
  const result = findResult(call, version, deps);
  const isLegacy = call.exchange.modern === undefined;
  return result === undefined || isLegacy ? result : { ...modernFields, ...result };
}

export function isList(method: string): boolean {
  return method === "tools/list" || emptyLists.has(method);
}

/** We tell the host of changes ourselves, so it must listen. The same object when it does. */
export function withListChanged(result: Result): Result {
  const capabilities = toRecord(result["capabilities"]);
  const ofTools = capabilities["tools"];
  if (ofTools === undefined || toRecord(ofTools)["listChanged"] === true) return result;
  return {
    ...result,
    capabilities: { ...capabilities, tools: { ...toRecord(ofTools), listChanged: true } },
  };
}

export function eraOf({ exchange }: Call): Era {
  return exchange.modern === undefined ? "legacy" : "modern";
}

function findResult(call: Call, version: string, deps: FallbackResultDeps): Result | undefined {
  const { method, params, exchange } = call;
  const { startupCache } = deps;
  if (method === "initialize") {
    return withListChanged(startupCache.get(initializeKey(params)) ?? bundledInitialize(params));
  }
  if (method === "server/discover") return startupCache.get(discoverKey(params));
  if (method === "tools/list") return findToolsList(call, version, deps);
  // A host that pings asks whether it can go on with the bridge, and it can.
  if (method === "ping") return {};
  return isCutOff(exchange) ? emptyLists.get(method) : undefined;
}

/** Nobody is signed in, or the server is away. One that is only slow has not failed yet. */
function isCutOff({ isSignedOut, tries }: Exchange): boolean {
  return isSignedOut || tries > 0;
}

function findToolsList(
  call: Call,
  version: string,
  { tools, startupCache }: FallbackResultDeps,
): Result | undefined {
  if (toRecord(call.params)["cursor"] !== undefined) return undefined;
  const cached = startupCache.get(toolsListKey(version));
  if (cached === undefined) {
    if (call.exchange.isSignedOut) return { tools: [signInTool] };
    // Hosts give up on a server whose list fails, and ask again for one that has changed.
    return isCutOff(call.exchange) ? noTools : undefined;
  }
  tools.addCached(cached);
  return toRecord(tools.filter(cached, eraOf(call)));
}

/** The answer to a client whose server was never reached before and is not reachable now. */
export function bundledInitialize(params: unknown): Result {
  const { protocolVersion } = toRecord(params);
  const isKnown = withHandshake.some((known) => known === protocolVersion);
  return {
    protocolVersion: isKnown ? protocolVersion : newestWithHandshake,
    // The least that every server can be expected to do; the lists come when it answers.
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: "fettle-bridge", version: ownVersion },
  };
}
