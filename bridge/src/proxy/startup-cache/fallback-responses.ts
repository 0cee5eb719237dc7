import { toRecord } from "../../common/json.js";
import { type FallbackResultDeps, eraOf, findFallbackResult, isList } from "./fallback-result.js";
import { failures, toProtocolErrorText } from "../requests/failures.js";
import type { Result } from "./startup-cache.js";
import { createChangeDetector } from "./change-detection.js";
import { type Call, isBackground, type Exchange } from "../requests/exchange.js";
import type { OpenExchanges } from "../requests/open-exchanges.js";
import { toResultText } from "../requests/message.js";
import type { Timeouts } from "../requests/timeouts.js";

/** Answers of ours where the server's would keep the host waiting for too long. */
export interface FallbackResponses {
  /** Answers at once, or after the time that a call of this method can wait. */
  schedule: (call: Call) => void;
  /** Answers a job of a signed-out host, unless a sign-in is pending that may still be in time. */
  onSignedOut: (exchange: Exchange, isPending: boolean) => void;
  /** The protocol version that the host was told in the answer to `initialize`. */
  setVersion: (version: unknown) => void;
  /** Keeps the server's list, and gives it as the host is to see it. */
  receiveToolsList: (call: Call, result: Result) => unknown;
  /** Tells the host when the server's answer is another one than it was given. */
  compare: (call: Call, result: unknown) => void;
}

export interface FallbackResponsesDeps extends FallbackResultDeps {
  exchanges: OpenExchanges;
  output: { write: (frame: string) => boolean };
  timeouts: Timeouts;
}

export function createFallbackResponses(deps: FallbackResponsesDeps): FallbackResponses {
  const { exchanges, tools, startupCache, output, timeouts } = deps;
  const changes = createChangeDetector(output);
  let version = "";

  const versionOf = ({ exchange }: Call) => exchange.modern ?? version;
  const give = (call: Call) => {
    if (call.state !== "open") return;
    const result = findFallbackResult(call, versionOf(call), deps);
    if (result === undefined) {
      if (call.method === "server/discover" && call.exchange.tries > 0) decline(call);
      return;
    }
    exchanges.answerWithFallback(call, toResultText(call.id, result));
    if (call.method === "initialize") version = String(result["protocolVersion"]);
    if (call.method === "initialize" || isList(call.method)) changes.track(call, result);
  };
  /**
   * Hosts go on with `initialize` then, which servers of every revision can be stood in for;
   * naming a revision that the server may not have would bind them to it.
   */
  const decline = (call: Call) => {
    if (call.state === "open") {
      exchanges.answerWithFallback(call, toProtocolErrorText(call.id, -32601, "Method not found"));
    }
  };
  const after = (ms: number, act: (call: Call) => void, call: Call) => {
    setTimeout(act, ms, call).unref();
  };
  return {
    schedule: (call) => {
      const { method, params } = call;
      if (method === "initialize" && startupCache.getInitialize(params) !== undefined) give(call);
      else after(isList(method) ? timeouts.listMs : timeouts.initializeMs, give, call);
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
      give(call);
      if (isDiscovery) decline(call);
    },
    setVersion: (negotiated) => {
      version = String(negotiated);
    },
    receiveToolsList: (call, result) => {
      tools.add(result);
      const isWhole = toRecord(call.params)["cursor"] === undefined && !result["nextCursor"];
      if (isWhole) startupCache.setToolsList(versionOf(call), result);
      return tools.filter(result, eraOf(call));
    },
    compare: changes.compare,
  };
}
