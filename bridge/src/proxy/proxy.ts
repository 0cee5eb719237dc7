import type { HttpClient } from "../http/http-client.js";
import type { Log } from "../common/log.js";
import type { Settings } from "../common/settings.js";
import type { RequestSignIn } from "../sign-in/sign-in.js";
import type { TokenManager } from "../tokens/token-manager.js";
import { createReauthorization } from "./authorization/reauthorization.js";
import { createSend } from "./send.js";
import { createFallbackResponses } from "./startup-cache/fallback-responses.js";
import { failures } from "./requests/failures.js";
import type { StartupCache } from "./startup-cache/startup-cache.js";
import { createOpenExchanges } from "./requests/open-exchanges.js";
import { createDecideRetry } from "./retry/decide-retry.js";
import { type RawMessage, toListsChanged } from "./requests/message.js";
import { type Timeouts, pause, toTimeouts } from "./requests/timeouts.js";
import { createRouter } from "./router.js";
import { createServerStream } from "./session/server-stream.js";
import { createSession } from "./session/session.js";
import { createResponseHandlers } from "./response-handlers.js";
import { createPendingSignIns } from "./authorization/pending-sign-ins.js";
import { createSubscriptions } from "./session/subscriptions.js";
import type { ToolCatalog } from "./upstream/tool-catalog.js";
import { createUpstream } from "./upstream/upstream.js";

export interface ProxyDeps {
  settings: Settings;
  log: Log;
  http: HttpClient;
  tokens: TokenManager;
  requestSignIn: RequestSignIn;
  output: { write: (frame: RawMessage) => boolean; drained: () => Promise<void> };
  tools: ToolCatalog;
  startupCache: StartupCache;
  timeouts?: Partial<Timeouts>;
}

/** Raw JSON-RPC frames between the host and the server's MCP address. */
export interface Proxy {
  /** Takes one line of the host. */
  receive: (line: Buffer) => void;
  /** Waits until the host has its answers; what is open after the time is answered for. */
  drain: (limitMs: number) => Promise<void>;
  /** Stops everything at once, and tells the server that the session is over. */
  close: () => Promise<void>;
}

const closeTimeoutMs = 1000;

export function createProxy(deps: ProxyDeps): Proxy {
  const { settings, tokens, output, startupCache } = deps;
  const timeouts = { ...toTimeouts(settings.timeoutMs), ...deps.timeouts };
  const shared = { ...deps, timeouts };

  const exchanges = createOpenExchanges(output);
  const fallbacks = createFallbackResponses({ ...shared, exchanges });
  const signIns = createPendingSignIns(shared);
  const reauthorization = createReauthorization({
    ...shared,
    signIns,
    onSignedOut: fallbacks.onSignedOut,
  });
  const upstream = createUpstream({ ...shared, drained: output.drained });
  const dispatch = (message: unknown, raw: RawMessage) => exchanges.dispatch(message, raw);
  const serverStream = createServerStream({ upstream, tokens, dispatch, timeouts });
  const subscriptions = createSubscriptions({ exchanges, timeoutMs: settings.timeoutMs });
  const session = createSession({
    ...{ upstream, serverStream, dispatch, timeouts, silenceMs: settings.timeoutMs },
    onOpen: startupCache.setInitialize,
    onDeclined: startupCache.deleteInitialize,
    onReopened: ({ capabilities }) => {
      subscriptions.resend(send);
      for (const frame of toListsChanged(capabilities)) output.write(frame);
    },
  });
  const decideRetry = createDecideRetry({
    ...{ ...shared, exchanges, session, reauthorization },
    onOpeningFailed: (exchange) => {
      fallbacks.onSignedOut(exchange, false);
    },
  });
  const send = createSend({
    ...{ ...shared, upstream, session, exchanges, decideRetry, reauthorization, subscriptions },
  });
  const responseHandlers = createResponseHandlers({ ...shared, exchanges, fallbacks });
  const receive = createRouter({
    ...shared,
    exchanges,
    fallbacks,
    responseHandlers,
    signIns,
    session,
    send,
  });

  const drain = async (limitMs: number) => {
    const timer = new AbortController();
    await Promise.race([exchanges.whenIdle(), pause(limitMs, timer.signal)]);
    timer.abort();
    for (const exchange of exchanges.all())
      exchanges.fail(exchange, failures.ending(exchange.inFlight));
  };
  const close = async () => {
    for (const exchange of exchanges.all()) exchange.abort.abort();
    signIns.close();
    await session.end(closeTimeoutMs);
  };
  return { receive, drain, close };
}
