import { randomUUID } from "node:crypto";
import type { TokenKeeper } from "../tokens/token-keeper.js";
import type { Raw } from "./message.js";
import { type Pace, pause, toWait } from "./pace.js";
import { findRetryAfter, passing } from "./retry.js";
import type { Outcome, Refusal, Upstream } from "./upstream.js";

/** The stream of a session on which the server speaks by itself, where there is one. */
export interface ServerStream {
  /** `onLost` is told when the server does not know the stream's session any more. */
  start: (headers: Record<string, string>, onLost: () => void) => void;
  stop: () => void;
}

export interface ServerStreamParts {
  upstream: Upstream;
  tokens: TokenKeeper;
  take: (message: unknown, raw: Raw) => boolean;
  pace: Pace;
}

interface Stay {
  headers: Record<string, string>;
  onLost: () => void;
  signal: AbortSignal;
}

const mostRenewals = 2;

export function createServerStream(parts: ServerStreamParts): ServerStream {
  let abort = new AbortController();
  const stop = () => {
    abort.abort();
  };
  return {
    start: (headers, onLost) => {
      stop();
      abort = new AbortController();
      void follow(parts, { headers, onLost, signal: abort.signal });
    },
    stop,
  };
}

/** Comes back after each end of the stream, until the server refuses it. */
async function follow(parts: ServerStreamParts, stay: Stay): Promise<void> {
  const { upstream, take, pace } = parts;
  const { headers, signal } = stay;
  const sending = { headers, requestId: randomUUID(), signal, silenceMs: 0, take };
  const longest = pace.longestBackgroundRetryMs;
  let lastEventId: string | undefined;
  let renewals = 0;
  for (let failures = 0; ; failures += 1) {
    const begun = performance.now();
    const outcome = await upstream.listen(sending, lastEventId);
    if (outcome.kind === "accepted") return;
    if (outcome.kind === "refused") {
      renewals = outcome.status === 401 ? renewals + 1 : 0;
      if (!(await isPassing(outcome, renewals, parts.tokens, stay))) return;
    }
    if (outcome.kind === "ended") {
      renewals = 0;
      if (outcome.events > 0 || performance.now() - begun >= pace.steadyMs) failures = 0;
      lastEventId = outcome.lastEventId ?? lastEventId;
    }
    await pause(toWait(pace, failures, longest, findAskedMs(outcome)), signal);
    if (signal.aborted) return;
  }
}

async function isPassing(
  { status, token }: Refusal,
  renewals: number,
  tokens: TokenKeeper,
  { onLost, signal }: Stay,
): Promise<boolean> {
  if (status === 404 && !signal.aborted) onLost();
  if (status !== 401) return passing.has(status);
  if (token === undefined || renewals > mostRenewals) return false;
  const renewed = await tokens.replace(token).catch(() => undefined);
  return renewed !== undefined;
}

function findAskedMs(outcome: Outcome): number | undefined {
  if (outcome.kind === "refused") return findRetryAfter(outcome.headers);
  return outcome.kind === "ended" ? outcome.retryMs : undefined;
}
