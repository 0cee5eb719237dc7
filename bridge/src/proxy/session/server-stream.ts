import { randomUUID } from "node:crypto";
import { parseRetryAfter, transientStatuses } from "../../http/transient-status.js";
import type { TokenManager } from "../../tokens/token-manager.js";
import type { ProxyContext } from "../requests/proxy-context.js";
import { pause, toBackoffMs } from "../requests/timeouts.js";
import type { Outcome, Refusal, Upstream } from "../upstream/upstream.js";

/** The stream of a session on which the server speaks by itself, where there is one. */
export interface ServerStream {
  /** `onLost` is told when the server does not know the stream's session any more. */
  start: (headers: Record<string, string>, onLost: () => void) => void;
  stop: () => void;
}

type Deps = ProxyContext & { upstream: Upstream };

interface StreamOptions {
  headers: Record<string, string>;
  onLost: () => void;
  signal: AbortSignal;
}

const maxRenewals = 2;

export function createServerStream(deps: Deps): ServerStream {
  let abort = new AbortController();
  const stop = () => {
    abort.abort();
  };
  return {
    start: (headers, onLost) => {
      stop();
      abort = new AbortController();
      void follow(deps, { headers, onLost, signal: abort.signal });
    },
    stop,
  };
}

/** Comes back after each end of the stream, until the server refuses it. */
async function follow(deps: Deps, options: StreamOptions): Promise<void> {
  const { upstream, exchanges, timeouts } = deps;
  const { dispatch } = exchanges;
  const { maxBackgroundRetryMs } = timeouts;
  const { headers, signal } = options;
  const request = { headers, requestId: randomUUID(), signal, silenceMs: 0, dispatch };
  let lastEventId: string | undefined;
  let renewals = 0;
  let hasBegun = false;
  for (let failures = 0; ; failures += 1) {
    const begun = performance.now();
    const outcome = await upstream.listen(request, lastEventId);
    if (outcome.kind === "accepted") return;
    if (outcome.kind === "refused") {
      renewals = outcome.status === 401 ? renewals + 1 : 0;
      if (!(await isTransient(outcome, { renewals, hasBegun }, deps.tokens, options))) return;
    }
    if (outcome.kind === "ended") {
      hasBegun = true;
      renewals = 0;
      if (outcome.events > 0 || performance.now() - begun >= timeouts.stableStreamMs) failures = 0;
      lastEventId = outcome.lastEventId ?? lastEventId;
    }
    // Going on from there, the same message would come again.
    if (outcome.kind === "tooLong") lastEventId = undefined;
    const retryAfterMs = findRetryAfterMs(outcome);
    await pause(toBackoffMs(timeouts, failures, maxBackgroundRetryMs, retryAfterMs), signal);
    if (signal.aborted) return;
  }
}

async function isTransient(
  { status, token }: Refusal,
  { renewals, hasBegun }: { renewals: number; hasBegun: boolean },
  tokens: TokenManager,
  { onLost, signal }: StreamOptions,
): Promise<boolean> {
  // Of a session that was made just now: the server has no stream.
  if (status === 404 && hasBegun && !signal.aborted) onLost();
  if (status !== 401) return transientStatuses.has(status);
  if (token === undefined || renewals > maxRenewals) return false;
  const renewed = await tokens.replace(token).catch(() => undefined);
  return renewed !== undefined;
}

function findRetryAfterMs(outcome: Outcome): number | undefined {
  if (outcome.kind === "refused") return parseRetryAfter(outcome.headers);
  return outcome.kind === "ended" ? outcome.retryMs : undefined;
}
