/** Every waiting time of the proxy, in milliseconds. */
export interface Pace {
  /** Longest wait of `initialize` and `server/discover` for the server's own answer. */
  initializeMs: number;
  /** Longest wait of a list for the server's own answer, before another is given. */
  listMs: number;
  /** How long a notification can keep the next one waiting. */
  orderMs: number;
  /** What a sign-in leaves of the time for an answer, for the request itself. */
  reserveMs: number;
  firstRetryMs: number;
  longestRetryMs: number;
  /** The same for what nobody waits for. */
  longestBackgroundRetryMs: number;
  /** Longest wait that a server can ask for. */
  longestAskedMs: number;
  /** A stream that lived this long is no failed try. */
  steadyMs: number;
  /** How long a server may keep a stream open after its last answer. */
  lingerMs: number;
  /** Between looks for a sign-in that another process completed. */
  lookMs: number;
}

const usualPace: Pace = {
  initializeMs: 1500,
  listMs: 8000,
  orderMs: 1000,
  reserveMs: 5000,
  firstRetryMs: 100,
  longestRetryMs: 2000,
  longestBackgroundRetryMs: 10_000,
  longestAskedMs: 15 * 60_000,
  steadyMs: 5000,
  lingerMs: 1000,
  lookMs: 5000,
};

/** What is given early must be given in time, however short that is. */
export function toPace(timeoutMs: number): Pace {
  const { listMs, reserveMs } = usualPace;
  const half = timeoutMs / 2;
  return { ...usualPace, listMs: Math.min(listMs, half), reserveMs: Math.min(reserveMs, half) };
}

/** The wait after so many failed tries: twice as long each time, and as long as the server asks. */
export function toWait(pace: Pace, tries: number, longestMs: number, askedMs = 0): number {
  const backoff = Math.min(pace.firstRetryMs * 2 ** tries, longestMs);
  return Math.max(backoff, Math.min(askedMs, pace.longestAskedMs));
}

/** Resolves after the time, which may be Infinity, or at the abort, whichever is first. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    let timer: NodeJS.Timeout | undefined;
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    if (ms !== Infinity) timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}
