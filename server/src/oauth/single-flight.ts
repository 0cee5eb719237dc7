/** How long an answered run is kept for requests that came before its answer but get to it late. */
const keptMs = 10_000;
/** After this the result counts as answered, even if nobody told so. */
const maxUntoldMs = 10_000;

interface SharedRun<Result> {
  result: Promise<Result>;
  answeredAt: number | undefined;
}

export interface SingleFlight<Result> {
  /**
   * The result of the run under this key that was not answered yet when the request arrived, or of
   * a new one. Times are milliseconds of `performance.now()`.
   */
  share: (key: string, arrivedAt: number, run: () => Promise<Result>) => Promise<Result>;
  /** Tells that an answer left: whoever arrives from now on starts anew. */
  answered: (key: string) => void;
  close: () => void;
}

/** Lets requests for the same thing that overlap in time count as one. */
export function createSingleFlight<Result>(): SingleFlight<Result> {
  const runs = new Map<string, SharedRun<Result>>();
  const timers = new Set<NodeJS.Timeout>();

  const after = (ms: number, act: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      act();
    }, ms);
    timers.add(timer.unref());
  };

  const end = (key: string, shared: SharedRun<Result>) => {
    if (shared.answeredAt !== undefined) return;
    shared.answeredAt = performance.now();
    after(keptMs, () => {
      if (runs.get(key) === shared) runs.delete(key);
    });
  };

  return {
    share: (key, arrivedAt, run) => {
      const known = runs.get(key);
      if (known !== undefined && arrivedAt <= (known.answeredAt ?? Infinity)) return known.result;
      const shared = { result: run(), answeredAt: undefined };
      runs.set(key, shared);
      const endUntold = () => {
        after(maxUntoldMs, () => {
          end(key, shared);
        });
      };
      shared.result.then(endUntold, endUntold);
      return shared.result;
    },
    answered: (key) => {
      const shared = runs.get(key);
      if (shared !== undefined) end(key, shared);
    },
    close: () => {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
      runs.clear();
    },
  };
}
