import type { HttpClient } from "../http/http-client.js";
import type { RequestSignIn } from "../sign-in/sign-in.js";
import {
  createConnectionProblem,
  pause,
  type ProxyContext,
  type Timeouts,
  toTimeouts,
} from "./context.js";
import { createPendingSignIns, createReauthorization } from "./sign-ins.js";
import { failures } from "./failures.js";
import { toListsChanged } from "./exchange.js";
import { createOpenExchanges } from "./open-exchanges.js";
import { createDecideRetry, createSend } from "./send.js";
import { createRouter } from "./router.js";
import { createServerStream, createSession, createSubscriptions } from "./session.js";
import { createFallbackResponses } from "./fallbacks.js";
import { initializeKey, type StartupCache } from "./startup-cache.js";
import type { ToolCatalog } from "./tool-catalog.js";
import { createUpstream, maxAnswerBytes } from "./upstream.js";

export interface ProxyDeps extends Omit<ProxyContext, "exchanges" | "timeouts" | "maxAnswerBytes"> {
  http: HttpClient;
  requestSignIn: RequestSignIn;
  tools: ToolCatalog;
  startupCache: StartupCache;
  timeouts?: Partial<Timeouts>;
  maxAnswerBytes?: number;
}

/** Raw JSON-RPC frames between the host and the server's MCP address. */
export interface Proxy {
  receive: (line: Buffer) => void;
  /** Waits until the host has its answers; what is open after the time is answered for. */
  drain: (limitMs: number) => Promise<void>;
  /** Stops everything at once, and tells the server that the session is over. */
  close: () => Promise<void>;
}

const closeTimeoutMs = 1000;

export function createProxy(deps: ProxyDeps): Proxy {
  const { settings, output, startupCache } = deps;
  const exchanges = createOpenExchanges(output);
  const timeouts = { ...toTimeouts(settings.timeoutMs), ...deps.timeouts };
  const problem = createConnectionProblem(deps.log);
  const context = { maxAnswerBytes, ...deps, exchanges, timeouts, problem };

  const fallbacks = createFallbackResponses(context);
  const signIns = createPendingSignIns(context);
  const { onSignedOut } = fallbacks;
  const reauthorization = createReauthorization({ ...context, signIns, onSignedOut });
  const upstream = createUpstream(context);
  const serverStream = createServerStream({ ...context, upstream });
  const subscriptions = createSubscriptions(context);
  const session = createSession({
    ...context,
    upstream,
    serverStream,
    onOpen: (params, result) => {
      problem.clear();
      startupCache.set(initializeKey(params), result);
    },
    onDeclined: (params) => {
      startupCache.delete(initializeKey(params));
    },
    onReopened: ({ capabilities }) => {
      subscriptions.resend(send);
      for (const frame of toListsChanged(capabilities)) output.write(frame);
    },
  });
  const decideRetry = createDecideRetry({
    ...context,
    session,
    reauthorization,
    onCutOff: (exchange) => {
      onSignedOut(exchange, false);
    },
  });
  const sendDeps = { ...context, upstream, session, decideRetry, reauthorization, subscriptions };
  const send = createSend(sendDeps);
  const receive = createRouter({ ...context, fallbacks, signIns, session, send });

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
