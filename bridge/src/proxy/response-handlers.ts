import { isRecord } from "../common/json.js";
import type { FallbackResponses } from "./startup-cache/fallback-responses.js";
import { withListChanged } from "./startup-cache/fallback-result.js";
import type { StartupCache } from "./startup-cache/startup-cache.js";
import type { ResponseHandler } from "./requests/exchange.js";
import type { OpenExchanges } from "./requests/open-exchanges.js";
import { type RawMessage, toResultText } from "./requests/message.js";

export interface ResponseHandlersDeps {
  exchanges: OpenExchanges;
  fallbacks: FallbackResponses;
  startupCache: StartupCache;
  output: { write: (frame: RawMessage) => boolean };
}

/** The methods whose answers are more than passed on. */
export function createResponseHandlers(
  deps: ResponseHandlersDeps,
): ReadonlyMap<string, ResponseHandler> {
  const { exchanges, fallbacks, startupCache, output } = deps;
  const give = (raw: RawMessage, before: unknown, after: unknown, id: string | number) => {
    output.write(after === before ? raw : toResultText(id, after));
  };
  const onToolsList: ResponseHandler = (raw, message, call) => {
    const { result } = message;
    if (!isRecord(result)) {
      onList(raw, message, call);
      return;
    }
    const shown = fallbacks.receiveToolsList(call, result);
    if (call.state === "fallback") fallbacks.compare(call, shown);
    else give(raw, result, shown, call.id);
  };
  const onList: ResponseHandler = (raw, message, call) => {
    if (call.state === "open") exchanges.toHost(raw, message, call);
    else if (isRecord(message.result)) fallbacks.compare(call, message.result);
  };
  const onInitialize: ResponseHandler = (raw, { result }, call) => {
    const shown = isRecord(result) ? withListChanged(result) : result;
    if (call.state === "fallback") {
      if (isRecord(shown)) fallbacks.compare(call, shown);
      return;
    }
    if (isRecord(shown)) fallbacks.setVersion(shown["protocolVersion"]);
    give(raw, result, shown, call.id);
  };
  const onPing: ResponseHandler = (raw, message, call) => {
    if (call.state === "open") exchanges.toHost(raw, message, call);
  };
  const onDiscover: ResponseHandler = (raw, message, call) => {
    if (isRecord(message.result)) startupCache.setDiscover(call.params, message.result);
    if (call.state === "open") exchanges.toHost(raw, message, call);
  };
  return new Map<string, ResponseHandler>([
    ["tools/list", onToolsList],
    ["prompts/list", onList],
    ["resources/list", onList],
    ["resources/templates/list", onList],
    ["initialize", onInitialize],
    ["server/discover", onDiscover],
    ["ping", onPing],
  ]);
}
