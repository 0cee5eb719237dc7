import { Semaphore } from "async-mutex";

/** Runs what somebody wants when it is their turn. */
export type FairTurns = <Result>(who: string, run: () => Promise<Result>) => Promise<Result>;

/**
 * Lets at most `places` run at the same time, of whom each is somebody else: what one wants more waits
 * in their own line, so that nobody waits for all that another one has begun. Past `maxWaitMs` in lines
 * it ends with what `giveUp` says.
 */
export function createFairTurns(
  places: number,
  { maxWaitMs = Infinity, giveUp }: { maxWaitMs?: number; giveUp?: () => Error } = {},
): FairTurns {
  const free = new Semaphore(places);
  const lines = new Map<string, Promise<unknown>>();
  return async (who, run) => {
    const since = performance.now();
    const turn = async () =>
      free.runExclusive(async () => {
        if (performance.now() - since > maxWaitMs && giveUp !== undefined) throw giveUp();
        return run();
      });
    const own = (lines.get(who) ?? Promise.resolve()).then(turn, turn);
    lines.set(who, own);
    try {
      return await own;
    } finally {
      if (lines.get(who) === own) lines.delete(who);
    }
  };
}
