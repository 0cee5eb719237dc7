import { isRecord, toRecord, toText } from "../../common/json.js";
import { version as ownVersion } from "../../common/settings.js";
import type { ProxyContext } from "../context.js";
import {
  type Call,
  type Exchange,
  listKinds,
  type Message,
  type RawMessage,
  type ResponseHandler,
  toErrorText,
  toListChanged,
  toResultText,
} from "../exchange.js";
import { failures } from "../failures.js";
import { discoverKey, initializeKey, type Result, toolsListKey } from "./startup-cache.js";
import { connectionProblemTool, type Era, signInTool } from "./tool-catalog.js";

/** Lists that are empty while the server is unreachable. */
const emptyLists = new Map<string, Result>([
  ["prompts/list", { prompts: [] }],
  ["resources/list", { resources: [] }],
  ["resources/templates/list", { resourceTemplates: [] }],
]);
const methodNotFound = -32601;
const newestWithHandshake = "2025-11-25";
const withHandshake = ["2024-11-05", "2025-03-26", "2025-06-18", newestWithHandshake];
const modernFields = { resultType: "complete", ttlMs: 0, cacheScope: "private" };

/** Methods whose responses need more than forwarding. */
const handled = new Set(["ping", "tools/list", "initialize", "server/discover"]);

/** Sends our responses when the server's would take too long. */
export class FallbackResponses {
  readonly #deps: ProxyContext;
  /**
   * Fallbacks that were sent, by method. One call per method waits in the background for the
   * server's response.
   */
  readonly #sent = new Map<string, { call: Call; result: Result }>();
  /** The protocol version in our response to `initialize`. */
  #negotiated = "";

  constructor(deps: ProxyContext) {
    this.#deps = deps;
  }

  schedule(call: Call): void {
    const { startupCache, timeouts } = this.#deps;
    const { method, params } = call;
    const isCached =
      method === "initialize" && startupCache.get(initializeKey(params)) !== undefined;
    const waitMs = isList(method) ? timeouts.listMs : timeouts.initializeMs;
    if (isCached) this.#respond(call);
    else setTimeout(this.#respond, waitMs, call).unref();
    if (method === "server/discover") setTimeout(this.#decline, timeouts.listMs, call).unref();
  }

  /** Responds for an unreachable server, unless a pending sign-in may still finish in time. */
  onCutOff(exchange: Exchange, isPending: boolean): void {
    const [call] = exchange.calls;
    if (call === undefined || exchange.calls.length > 1) return;
    if (call.method === "subscriptions/listen" && !exchange.isBackground()) {
      this.#deps.exchanges.fail(exchange, failures.signInNeeded());
      return;
    }
    const isDiscovery = call.method === "server/discover";
    if (isPending && (isDiscovery || isList(call.method))) return;
    this.#respond(call);
    if (isDiscovery) this.#decline(call);
  }

  /** Returns undefined for a method whose responses are forwarded unchanged. */
  handlerOf(method: string): ResponseHandler | undefined {
    return handled.has(method) || emptyLists.has(method) ? this.#handle : undefined;
  }

  /** After a fallback, the host is notified only about changes. */
  readonly #handle = (raw: RawMessage, { result: own, error }: Message, call: Call): void => {
    // The host was promised lists that the server doesn't support.
    const isUnknown = toRecord(error)["code"] === methodNotFound;
    const result = own ?? (isUnknown ? emptyLists.get(call.method) : undefined);
    const shown = isRecord(result) ? this.#takeResult(call, result) : result;
    if (call.state === "open") {
      this.#deps.output.write(shown === own ? raw : toResultText(call.id, shown));
    } else if (isRecord(shown)) this.#tellChanges(call, shown);
  };

  #takeResult(call: Call, result: Result): unknown {
    const { tools, startupCache } = this.#deps;
    const { method, params } = call;
    if (method === "server/discover") startupCache.set(discoverKey(params), result);
    if (method === "tools/list") {
      tools.add(result);
      const isWhole = toRecord(params)["cursor"] === undefined && !result["nextCursor"];
      if (isWhole) startupCache.set(toolsListKey(this.#versionOf(call)), result);
      return tools.filter(result, eraOf(call));
    }
    if (method !== "initialize") return result;
    if (call.state === "open") this.#negotiated = toText(result["protocolVersion"]);
    return withListChanged(result);
  }

  readonly #respond = (call: Call): void => {
    const { method, exchange } = call;
    if (call.state !== "open") return;
    const result = this.#findResult(call);
    if (result === undefined) {
      if (method === "server/discover" && exchange.tries > 0) this.#decline(call);
      return;
    }
    const isModern = exchange.modern !== undefined;
    const given = isModern ? { ...modernFields, ...result } : result;
    this.#deps.exchanges.answerWithFallback(call, toResultText(call.id, given));
    if (method === "initialize") this.#negotiated = toText(given["protocolVersion"]);
    if (method !== "initialize" && !isList(method)) return;
    const following = this.#sent.get(method);
    if (following !== undefined && !following.call.exchange.isFinished()) exchange.abort.abort();
    else {
      this.#sent.set(method, { call, result: given });
      exchange.deadline = Infinity;
    }
  };

  /** Hosts then continue with `initialize`, which servers of every revision accept. */
  readonly #decline = (call: Call): void => {
    if (call.state !== "open") return;
    const error = { code: methodNotFound, message: "Method not found" };
    this.#deps.exchanges.answerWithFallback(call, toErrorText(call.id, error));
  };

  #tellChanges({ method }: Call, result: unknown): void {
    const before = this.#sent.get(method);
    if (before === undefined) return;
    this.#sent.delete(method);
    for (const kind of findChanged(method, before.result, result)) {
      this.#deps.output.write(toListChanged(kind));
    }
  }

  /** A response that needs no server. Undefined if the call must wait. */
  #findResult(call: Call): Result | undefined {
    const { startupCache } = this.#deps;
    const { method, params, exchange } = call;
    switch (method) {
      case "initialize":
        return withListChanged(
          startupCache.get(initializeKey(params)) ?? bundledInitialize(params),
        );
      case "server/discover":
        return startupCache.get(discoverKey(params));
      case "tools/list":
        return this.#findToolsList(call);
      case "ping":
        // A host pings to check that the bridge is alive.
        return {};
      default:
        return this.#isCutOff(exchange) ? emptyLists.get(method) : undefined;
    }
  }

  #findToolsList(call: Call): Result | undefined {
    const { tools, startupCache } = this.#deps;
    if (toRecord(call.params)["cursor"] !== undefined) return undefined;
    const cached = startupCache.get(toolsListKey(this.#versionOf(call)));
    if (cached === undefined) {
      if (call.exchange.isSignedOut) return { tools: [signInTool] };
      // Hosts give up on a server whose list fails, but read a list again after it changed.
      return this.#isCutOff(call.exchange) ? { tools: [connectionProblemTool] } : undefined;
    }
    tools.addCached(cached);
    return toRecord(tools.filter(cached, eraOf(call)));
  }

  /** True if no one is signed in or the server is unreachable. A slow server hasn't failed yet. */
  #isCutOff({ isSignedOut, tries }: Exchange): boolean {
    return isSignedOut || tries > 0 || this.#deps.problem.current?.isSetup === true;
  }

  #versionOf({ exchange }: Call): string {
    return exchange.modern ?? this.#negotiated;
  }
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

function isList(method: string): boolean {
  return method === "tools/list" || emptyLists.has(method);
}

/**
 * The bridge sends list changes, so it must announce them. Returns the input if it already does.
 */
function withListChanged(result: Result): Result {
  const capabilities = toRecord(result["capabilities"]);
  const ofTools = capabilities["tools"];
  if (ofTools === undefined || toRecord(ofTools)["listChanged"] === true) return result;
  const tools = { ...toRecord(ofTools), listChanged: true };
  return { ...result, capabilities: { ...capabilities, tools } };
}

function eraOf({ exchange }: Call): Era {
  return exchange.modern === undefined ? "legacy" : "modern";
}

/** The response if the server was never reached and is unreachable now. */
export function bundledInitialize(params: unknown): Result {
  const { protocolVersion } = toRecord(params);
  const isKnown = withHandshake.some((known) => known === protocolVersion);
  const changes = { listChanged: true };
  return {
    protocolVersion: isKnown ? protocolVersion : newestWithHandshake,
    // Hosts don't use capabilities that are missing here until their next start. If the server
    // lacks one, we send empty lists.
    capabilities: { tools: changes, prompts: changes, resources: changes, completions: {} },
    serverInfo: { name: "fettle-bridge", version: ownVersion },
    instructions:
      "Not connected to the server yet. Call sign_in, or restart this connection, to load its " +
      "instructions.",
  };
}
