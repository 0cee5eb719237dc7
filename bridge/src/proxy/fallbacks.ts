import { isRecord, toRecord, toText } from "../common/json.js";
import { version as ownVersion } from "../common/settings.js";
import type { ConnectionProblem, ProxyContext } from "./context.js";
import {
  type Call,
  type Exchange,
  isBackground,
  isFinished,
  listKinds,
  type ResponseHandler,
  toListChanged,
  toResultText,
} from "./exchange.js";
import { failures, toProtocolErrorText } from "./failures.js";
import {
  discoverKey,
  initializeKey,
  type Result,
  type StartupCache,
  toolsListKey,
} from "./startup-cache.js";
import { connectionProblemTool, type Era, signInTool, type ToolCatalog } from "./tool-catalog.js";

/** What the host was given in the server's place, until the server's own answers are there. */
interface ChangeDetector {
  /** One call of each method goes on in the background; the others end with this answer. */
  track: (call: Call, result: Result) => void;
  /** Tells the host to ask again where the server's answer is another one. */
  compare: (call: Call, result: unknown) => void;
}

function createChangeDetector(output: { write: (frame: string) => boolean }): ChangeDetector {
  const sent = new Map<string, { call: Call; result: Result }>();
  return {
    track: (call, result) => {
      const following = sent.get(call.method);
      if (following !== undefined && !isFinished(following.call.exchange)) {
        call.exchange.abort.abort();
        return;
      }
      sent.set(call.method, { call, result });
      call.exchange.deadline = Infinity;
    },
    compare: ({ method }, result) => {
      const before = sent.get(method);
      if (before === undefined) return;
      sent.delete(method);
      for (const kind of findChanged(method, before.result, result)) {
        output.write(toListChanged(kind));
      }
    },
  };
}

function findChanged(method: string, before: unknown, after: unknown): string[] {
  if (method !== "initialize") {
    const [kind = ""] = method.split("/", 1);
    return isSame(entriesOf(before, kind), entriesOf(after, kind)) ? [] : [kind];
  }
  const [old, now] = [before, after].map((result) => toRecord(toRecord(result)["capabilities"]));
  return listKinds.filter((kind) => now?.[kind] !== undefined && !isSame(old?.[kind], now[kind]));
}

function entriesOf(result: unknown, kind: string): unknown[] {
  const { nextCursor, ...fields } = toRecord(result);
  return [fields[kind] ?? fields["resourceTemplates"], nextCursor];
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

interface FallbackResultDeps {
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
function findFallbackResult(
  call: Call,
  version: string,
  deps: FallbackResultDeps,
): Result | undefined {
  const result = findResult(call, version, deps);
  const isLegacy = call.exchange.modern === undefined;
  return result === undefined || isLegacy ? result : { ...modernFields, ...result };
}

function isList(method: string): boolean {
  return method === "tools/list" || emptyLists.has(method);
}

/** We tell the host of changes ourselves, so it must listen. The same object when it does. */
function withListChanged(result: Result): Result {
  const capabilities = toRecord(result["capabilities"]);
  const ofTools = capabilities["tools"];
  if (ofTools === undefined || toRecord(ofTools)["listChanged"] === true) return result;
  return {
    ...result,
    capabilities: { ...capabilities, tools: { ...toRecord(ofTools), listChanged: true } },
  };
}

function eraOf({ exchange }: Call): Era {
  return exchange.modern === undefined ? "legacy" : "modern";
}

/** For a host that was told of lists which the server does not know. */
function findEmptyList(method: string, error: unknown): Result | undefined {
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

/** Answers of ours where the server's would keep the host waiting for too long. */
export interface FallbackResponses {
  /** Answers at once, or after the time that a call of this method can wait. */
  schedule: (call: Call) => void;
  /** Answers for a signed-out host, unless a sign-in is pending that may still be in time. */
  onSignedOut: (exchange: Exchange, isPending: boolean) => void;
  /** By method, for the server's answers that are more than passed on. */
  responseHandlers: ReadonlyMap<string, ResponseHandler>;
}

type FallbackDeps = FallbackResultDeps & Pick<ProxyContext, "exchanges" | "output" | "timeouts">;

/** The protocol version that the host was told in the answer to `initialize`. */
interface Negotiated {
  version: string;
}

export function createFallbackResponses(deps: FallbackDeps): FallbackResponses {
  const { exchanges, startupCache, output, timeouts } = deps;
  const changes = createChangeDetector(output);
  const negotiated: Negotiated = { version: "" };

  const respond = (call: Call) => {
    if (call.state !== "open") return;
    const result = findFallbackResult(call, versionOf(call, negotiated), deps);
    if (result === undefined) {
      if (call.method === "server/discover" && call.exchange.tries > 0) decline(call);
      return;
    }
    exchanges.answerWithFallback(call, toResultText(call.id, result));
    if (call.method === "initialize") negotiated.version = toText(result["protocolVersion"]);
    if (call.method === "initialize" || isList(call.method)) changes.track(call, result);
  };
  /**
   * Hosts go on with `initialize` then, which servers of every revision can be stood in for;
   * naming a revision that the server may not have would bind them to it.
   */
  const decline = (call: Call) => {
    if (call.state !== "open") return;
    exchanges.answerWithFallback(call, toProtocolErrorText(call.id, -32601, "Method not found"));
  };
  const after = (ms: number, act: (call: Call) => void, call: Call) => {
    setTimeout(act, ms, call).unref();
  };
  return {
    schedule: (call) => {
      const { method, params } = call;
      const isCached =
        method === "initialize" && startupCache.get(initializeKey(params)) !== undefined;
      if (isCached) respond(call);
      else after(isList(method) ? timeouts.listMs : timeouts.initializeMs, respond, call);
      if (method === "server/discover") after(timeouts.listMs, decline, call);
    },
    onSignedOut: (exchange, isPending) => {
      const [call] = exchange.calls;
      if (call === undefined || exchange.calls.length > 1) return;
      if (call.method === "subscriptions/listen" && !isBackground(exchange)) {
        exchanges.fail(exchange, failures.signInNeeded());
        return;
      }
      const isDiscovery = call.method === "server/discover";
      if (isPending && (isDiscovery || isList(call.method))) return;
      respond(call);
      if (isDiscovery) decline(call);
    },
    responseHandlers: createResponseHandlers(deps, changes, negotiated),
  };
}

function createResponseHandlers(
  { tools, startupCache, output }: FallbackDeps,
  changes: ChangeDetector,
  negotiated: Negotiated,
): ReadonlyMap<string, ResponseHandler> {
  /** Who was given a fallback is told of the changes only. */
  const handle =
    (toShown: (call: Call, result: Result) => unknown): ResponseHandler =>
    (raw, { result: own, error }, call) => {
      const result = own ?? findEmptyList(call.method, error);
      const shown = isRecord(result) ? toShown(call, result) : result;
      if (call.state === "open") output.write(shown === own ? raw : toResultText(call.id, shown));
      else if (isRecord(shown)) changes.compare(call, shown);
    };
  const unchanged = handle((_call, result) => result);
  return new Map<string, ResponseHandler>([
    ["ping", unchanged],
    ["prompts/list", unchanged],
    ["resources/list", unchanged],
    ["resources/templates/list", unchanged],
    [
      "tools/list",
      handle((call, result) => {
        tools.add(result);
        const isWhole = toRecord(call.params)["cursor"] === undefined && !result["nextCursor"];
        if (isWhole) startupCache.set(toolsListKey(versionOf(call, negotiated)), result);
        return tools.filter(result, eraOf(call));
      }),
    ],
    [
      "initialize",
      handle((call, result) => {
        if (call.state === "open") negotiated.version = toText(result["protocolVersion"]);
        return withListChanged(result);
      }),
    ],
    [
      "server/discover",
      handle((call, result) => {
        startupCache.set(discoverKey(call.params), result);
        return result;
      }),
    ],
  ]);
}

function versionOf({ exchange }: Call, { version }: Negotiated): string {
  return exchange.modern ?? version;
}
