import { isRecord, toRecord, toText } from "../../common/json.js";
import {
  type Call,
  type Exchange,
  isBackground,
  type ResponseHandler,
} from "../requests/exchange.js";
import { failures, toProtocolErrorText } from "../requests/failures.js";
import { toResultText } from "../requests/message.js";
import type { ProxyContext } from "../requests/proxy-context.js";
import { type ChangeDetector, createChangeDetector } from "./change-detection.js";
import {
  eraOf,
  type FallbackResultDeps,
  findEmptyList,
  findFallbackResult,
  isList,
  withListChanged,
} from "./fallback-result.js";
import { discoverKey, initializeKey, type Result, toolsListKey } from "./startup-cache.js";

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
