import type { RequestSignIn } from "../sign-in/sign-in.js";
import {
  ConnectionProblem,
  type ProxyContext,
  type Timeouts,
  toTimeouts,
  within,
} from "./context.js";
import { toListsChanged } from "./exchange.js";
import { failures } from "./failures.js";
import { FallbackResponses } from "./fallbacks.js";
import { OpenExchanges } from "./open-exchanges.js";
import { Router } from "./router.js";
import { Sender } from "./send.js";
import { Session } from "./session.js";
import { PendingSignIns, Reauthorization } from "./sign-ins.js";
import { initializeKey } from "./startup-cache.js";
import { createUpstream, maxAnswerBytes } from "./upstream.js";

export interface ProxyDeps extends Pick<
  ProxyContext,
  "settings" | "log" | "http" | "tokens" | "output" | "tools" | "startupCache"
> {
  requestSignIn: RequestSignIn;
  timeouts?: Partial<Timeouts>;
  maxAnswerBytes?: number;
}

/** Raw JSON-RPC frames between the host and the server's MCP address. */
export type Proxy = ReturnType<typeof createProxy>;

const closeTimeoutMs = 1000;

export function createProxy(deps: ProxyDeps) {
  const { settings, output, startupCache } = deps;
  const exchanges = new OpenExchanges(output);
  const timeouts = { ...toTimeouts(settings.timeoutMs), ...deps.timeouts };
  const problem = new ConnectionProblem(deps.log);
  const context = { maxAnswerBytes, ...deps, exchanges, timeouts, problem };

  const fallbacks = new FallbackResponses(context);
  const signIns = new PendingSignIns(context);
  const { onSignedOut } = fallbacks;
  const reauthorization = new Reauthorization({ ...context, signIns, onSignedOut });
  const upstream = createUpstream(context);
  const session: Session = new Session({
    ...context,
    upstream,
    onOpen: (params, result) => {
      problem.clear();
      startupCache.set(initializeKey(params), result);
    },
    onDeclined: (params) => {
      startupCache.delete(initializeKey(params));
    },
    onReopened: ({ capabilities }) => {
      session.resend(send);
      for (const frame of toListsChanged(capabilities)) output.write(frame);
    },
  });
  const { send } = new Sender({
    ...context,
    upstream,
    session,
    reauthorization,
    onCutOff: (exchange) => {
      onSignedOut(exchange, false);
    },
  });
  const { receive } = new Router({ ...context, fallbacks, signIns, session, send });
  return {
    receive,
    /** Waits until the host has its answers; what is open after the time is answered for. */
    drain: async (limitMs: number): Promise<void> => {
      await within(limitMs, exchanges.whenIdle());
      for (const exchange of exchanges.all())
        exchanges.fail(exchange, failures.ending(exchange.inFlight));
    },
    /** Stops everything at once, and tells the server that the session is over. */
    close: async (): Promise<void> => {
      for (const exchange of exchanges.all()) exchange.abort.abort();
      signIns.close();
      await session.end(closeTimeoutMs);
    },
  };
}
