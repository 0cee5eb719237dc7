import type { RequestSignIn } from "../sign-in/sign-in.js";
import {
  ConnectionProblem,
  type ProxyContext,
  type Timeouts,
  toTimeouts,
  within,
} from "./context.js";
import { OpenExchanges } from "./exchange.js";
import { failures } from "./failures.js";
import { FallbackResponses } from "./local/fallbacks.js";
import { Router } from "./host/router.js";
import { Sender } from "./server/send.js";
import { Session } from "./server/session.js";
import { SignIns } from "./server/sign-ins.js";
import { createUpstream, maxAnswerBytes } from "./server/upstream.js";

export interface ProxyDeps extends Pick<
  ProxyContext,
  "settings" | "log" | "http" | "tokens" | "output" | "tools" | "startupCache"
> {
  requestSignIn: RequestSignIn;
  timeouts?: Partial<Timeouts>;
  maxAnswerBytes?: number;
}

export type Proxy = ReturnType<typeof createProxy>;

const closeTimeoutMs = 1000;

export function createProxy(deps: ProxyDeps) {
  const exchanges = new OpenExchanges(deps.output);
  const timeouts = { ...toTimeouts(deps.settings.timeoutMs), ...deps.timeouts };
  const problem = new ConnectionProblem(deps.log);
  const context = { maxAnswerBytes, ...deps, exchanges, timeouts, problem };

  const fallbacks = new FallbackResponses(context);
  const signIns = new SignIns({ ...context, fallbacks });
  const upstream = createUpstream(context);
  const session: Session = new Session({
    ...context,
    upstream,
    send: (exchange) => send(exchange),
  });
  const { send }: Sender = new Sender({ ...context, upstream, session, signIns, fallbacks });
  const { receive } = new Router({ ...context, fallbacks, signIns, session, send });
  return {
    receive,
    /** Waits for the host's pending responses. After the limit, sends errors for the rest. */
    drain: async (limitMs: number): Promise<void> => {
      await within(limitMs, exchanges.whenIdle());
      for (const exchange of exchanges.all())
        exchanges.fail(exchange, failures.ending(exchange.inFlight));
    },
    /** Stops everything at once and ends the server's session. */
    close: async (): Promise<void> => {
      for (const exchange of exchanges.all()) exchange.abort.abort();
      signIns.close();
      await session.end(closeTimeoutMs);
    },
  };
}
