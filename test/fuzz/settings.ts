import { randomInt } from "node:crypto";
import type { Parameters } from "fast-check";
import { inject } from "vitest";

const { FUZZ, FUZZ_RUNS, FUZZ_SEED, FUZZ_PATH } = process.env;

/** `npm run fuzz` is long. With all other tests it is short. */
export const isLong = FUZZ === "long";

/** True if one failure is replayed. */
export const isReplayed = FUZZ_PATH !== undefined;

interface Counts {
  short: number;
  long: number;
  /** Seed of the short form, if it must be repeatable. */
  seed?: number;
}

/** The number of runs. Each uses a new seed unless one is set, and prints it. */
export function runs(counts: Counts): Parameters<unknown> {
  const own = isLong ? undefined : counts.seed;
  const seed = Number(FUZZ_SEED ?? own ?? randomInt(2 ** 31));
  // The embedded database runs one statement at a time, so it is slower and has fewer races.
  const short = Math.ceil(counts.short / (inject("databaseUrl") === null ? 3 : 1));
  console.log(`FUZZ_SEED=${seed}`);
  return {
    numRuns: Number(FUZZ_RUNS ?? (isLong ? counts.long : short)),
    seed,
    ...(FUZZ_PATH !== undefined && { path: FUZZ_PATH }),
    endOnFailure: true,
  };
}
