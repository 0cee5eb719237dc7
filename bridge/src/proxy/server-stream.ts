import { randomUUID } from "node:crypto";
import type { TokenKeeper } from "../tokens/token-keeper.js";
import type { Raw } from "./message.js";
import { type Pace, pause } from "./pace.js";
import type { Outcome, Upstream } from "./upstream.js";

/** The stream of a session on which the server speaks by itself, where there is one. */
export interface ServerStream {
  start: (headers: Record<string, string>) => void;
  stop: () => void;
}

export interface ServerStreamParts {
  upstream: Upstream;
  tokens: TokenKeeper;
  take: (message: unknown, raw: Raw) => boolean;
  pace: Pace;
}

export function createServerStream(parts: ServerStreamParts): ServerStream {
  let abort = new AbortController();
  const stop = () => {
    abort.abort();
  };
  return {
    start: (headers) => {
      stop();
      abort = new AbortController();
      void follow(parts, headers, abort.signal);
    },
    stop,
  };
}

/** Comes back after each end of the stream, until the server refuses it. */
async function follow(
  { upstream, tokens, take, pace }: ServerStreamParts,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<void> {
  const requestId = randomUUID();
  let lastEventId: string | undefined;
  let failures = 0;
  while (!signal.aborted) {
    const sending = { headers, requestId, signal, silenceMs: 0, take };
    const outcome = await upstream.listen(sending, lastEventId);
    if (outcome.kind === "accepted") return;
    if (outcome.kind === "refused" && !(await isRenewed(outcome, tokens, failures))) return;
    failures = outcome.kind === "ended" ? 0 : failures + 1;
    lastEventId = (outcome.kind === "ended" ? outcome.lastEventId : undefined) ?? lastEventId;
    const backoff = Math.min(pace.firstRetryMs * 2 ** failures, pace.longestBackgroundRetryMs);
    await pause((outcome.kind === "ended" ? outcome.retryMs : undefined) ?? backoff, signal);
  }
}

async function isRenewed(
  { status, token }: Extract<Outcome, { kind: "refused" }>,
  tokens: TokenKeeper,
  failures: number,
): Promise<boolean> {
  if (status >= 500 || status === 429) return true;
  if (status !== 401 || token === undefined || failures > 1) return false;
  const renewed = await tokens.replace(token).catch(() => undefined);
  return renewed !== undefined;
}
