import { toRecord } from "../../common/json.js";
import { version as ownVersion } from "../../common/version.js";
import type { Call, Exchange } from "../requests/exchange.js";
import type { ConnectionProblem } from "../connection-problem.js";
import {
  connectionProblemTool,
  type Era,
  signInTool,
  type ToolCatalog,
} from "../upstream/tool-catalog.js";
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
  problem: ConnectionProblem;
}

/** Lists that are empty for a host as long as the server cannot be asked. */
const emptyLists = new Map<string, Result>([
  ["prompts/list", { prompts: [] }],
  ["resources/list", { resources: [] }],
  ["resources/templates/list", { resourceTemplates: [] }],
]);
const methodNotFound = -32601;
const newestWithHandshake = "2025-11-25";
const withHandshake = ["2024-11-05", "2025-03-26", "2025-06-18", newestWithHandshake];
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

/** For a host that was told of lists which the server does not know. */
export function findEmptyList(method: string, error: unknown): Result | undefined {
  return toRecord(error)["code"] === methodNotFound ? emptyLists.get(method) : undefined;
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
  return isCutOff(exchange, deps) ? emptyLists.get(method) : undefined;
}

/** Nobody is signed in, or the server is away. One that is only slow has not failed yet. */
function isCutOff({ isSignedOut, tries }: Exchange, { problem }: FallbackResultDeps): boolean {
  return isSignedOut || tries > 0 || problem.current()?.isSetup === true;
}

function findToolsList(call: Call, version: string, deps: FallbackResultDeps): Result | undefined {
  const { tools, startupCache } = deps;
  if (toRecord(call.params)["cursor"] !== undefined) return undefined;
  const cached = startupCache.get(toolsListKey(version));
  if (cached === undefined) {
    if (call.exchange.isSignedOut) return { tools: [signInTool] };
    // Hosts give up on a server whose list fails, and ask again for one that has changed.
    return isCutOff(call.exchange, deps) ? { tools: [connectionProblemTool] } : undefined;
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
    // What a host is not told of now it does not use until its next start; for what the server turns
    // out not to have, there are empty lists.
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true },
      completions: {},
    },
    serverInfo: { name: "fettle-bridge", version: ownVersion },
    instructions:
      "The server could not be asked for its own instructions yet. The tool sign_in tells them, where " +
      "it is listed; otherwise they come with the next start of this connection.",
  };
}
