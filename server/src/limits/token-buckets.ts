export interface BucketRate {
  perSecond: number;
  /** At once, after a pause. */
  burst: number;
  /** As many refusals are answered in full before answers become short. */
  refusalsInFull: number;
}

export type BucketVerdict =
  { kind: "ok" } | { kind: "refused"; seconds: number } | { kind: "flood"; seconds: number };

interface Bucket {
  calls: number;
  refusals: number;
  at: number;
}

const sweepEvery = 1000;
const ok: BucketVerdict = { kind: "ok" };

/** Takes a token from the bucket of a key. Buckets that are full again are forgotten. */
export function createTokenBuckets(rate: BucketRate): (key: string) => BucketVerdict {
  const { perSecond, burst, refusalsInFull } = rate;
  const buckets = new Map<string, Bucket>();
  let untilSweep = sweepEvery;

  const sweep = () => {
    untilSweep = sweepEvery;
    const full = Date.now() - (Math.max(burst, refusalsInFull) / perSecond) * 1000;
    for (const [key, bucket] of buckets) if (bucket.at < full) buckets.delete(key);
  };

  return (key) => {
    untilSweep -= 1;
    if (untilSweep === 0) sweep();
    const bucket = refill(buckets.get(key), rate);
    buckets.set(key, bucket);
    if (bucket.calls >= 1) {
      bucket.calls -= 1;
      return ok;
    }
    const seconds = Math.max(1, Math.ceil((1 - bucket.calls) / perSecond));
    if (bucket.refusals < 1) return { kind: "flood", seconds };
    bucket.refusals -= 1;
    return { kind: "refused", seconds };
  };
}

function refill(bucket: Bucket | undefined, rate: BucketRate): Bucket {
  const { perSecond, burst, refusalsInFull } = rate;
  const at = Date.now();
  if (bucket === undefined) return { calls: burst, refusals: refusalsInFull, at };
  const gained = (Math.max(0, at - bucket.at) / 1000) * perSecond;
  return {
    calls: Math.min(burst, bucket.calls + gained),
    // Calls come back first: a client that only waits is never cut off.
    refusals: Math.min(refusalsInFull, bucket.refusals + gained / 2),
    at,
  };
}
