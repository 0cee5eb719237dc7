import { randomInt } from "node:crypto";
import type { Parameters } from "fast-check";
import { inject } from "vitest";

const { FUZZ, FUZZ_RUNS, FUZZ_SEED, FUZZ_PATH } = process.env;

/** `npm run fuzz` is long; what runs with all other tests is short. */
export const isLong = FUZZ === "long";

/** How often to run, from a new seed each time unless one is given; the seed is printed. */
export function runs(counts: { short: number; long: number }): Parameters<unknown> {
  const seed = Number(FUZZ_SEED ?? randomInt(2 ** 31));
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
