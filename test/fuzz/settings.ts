import { randomInt } from "node:crypto";
import type { Parameters } from "fast-check";
import { inject } from "vitest";

const { FUZZ, FUZZ_RUNS, FUZZ_SEED, FUZZ_PATH } = process.env;

/** `npm run fuzz` is long; what runs with all other tests is short. */
export const isLong = FUZZ === "long";

/** Whether one failure is run again. */
export const isReplayed = FUZZ_PATH !== undefined;

interface Counts {
  short: number;
  long: number;
  /** Of the short form, where it has to do the same every time. */
  seed?: number;
}

/** How often to run, from a new seed each time unless one is given; the seed is printed. */
export function runs(counts: Counts): Parameters<unknown> {
  const own = isLong ? undefined : counts.seed;
  const seed = Number(FUZZ_SEED ?? own ?? randomInt(2 ** 31));
  // The embedded database takes one statement at a time, so there is less to find, and slower.
  const short = Math.ceil(counts.short / (inject("databaseUrl") === null ? 3 : 1));
  console.log(`FUZZ_SEED=${seed}`);
  return {
    numRuns: Number(FUZZ_RUNS ?? (isLong ? counts.long : short)),
    seed,
    ...(FUZZ_PATH !== undefined && { path: FUZZ_PATH }),
    endOnFailure: true,
  };
}
