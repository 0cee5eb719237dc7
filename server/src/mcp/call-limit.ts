/** Whether a request may go on: refused ones are answered in band, floods before that. */
export type Verdict =
  { kind: "ok" } | { kind: "refused"; seconds: number } | { kind: "flood"; seconds: number };

export interface CallLimit {
  take: (connectionId: string) => Verdict;
}

/** 600 calls a minute with bursts of 100. */
const perSecond = 10;
const burst = 100;
/** As many refusals again before answers become short. */
const patience = 100;
const sweepEvery = 1000;

interface Bucket {
  calls: number;
  refusals: number;
  at: number;
}

const ok: Verdict = { kind: "ok" };

/** Counts the calls of each connection in memory. */
export function createCallLimit(enabled: boolean, now: () => number = () => Date.now()): CallLimit {
  if (!enabled) return { take: () => ok };
  const buckets = new Map<string, Bucket>();
  let untilSweep = sweepEvery;

  const sweep = () => {
    untilSweep = sweepEvery;
    const full = now() - (Math.max(burst, patience) / perSecond) * 1000;
    for (const [id, bucket] of buckets) if (bucket.at < full) buckets.delete(id);
  };

  return {
    take(connectionId) {
      untilSweep -= 1;
      if (untilSweep === 0) sweep();
      const bucket = refill(buckets.get(connectionId), now());
      buckets.set(connectionId, bucket);
      if (bucket.calls >= 1) {
        bucket.calls -= 1;
        return ok;
      }
      const seconds = Math.max(1, Math.ceil((1 - bucket.calls) / perSecond));
      if (bucket.refusals < 1) return { kind: "flood", seconds };
      bucket.refusals -= 1;
      return { kind: "refused", seconds };
    },
  };
}

function refill(bucket: Bucket | undefined, at: number): Bucket {
  if (bucket === undefined) return { calls: burst, refusals: patience, at };
  const gained = (Math.max(0, at - bucket.at) / 1000) * perSecond;
  return {
    calls: Math.min(burst, bucket.calls + gained),
    // Calls come back first: a client that only waits is never cut off.
    refusals: Math.min(patience, bucket.refusals + gained / 2),
    at,
  };
}
