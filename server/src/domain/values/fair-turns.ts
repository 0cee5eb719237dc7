import { Semaphore } from "async-mutex";

/** Lets those go first who wait, in the middle of what takes long; resolves when it is its turn again. */
export type LetOthers = () => Promise<void>;

/** What work of several steps asks before each: false where it ends, to be taken up again. */
export type GoOn = () => Promise<boolean>;
export const always: GoOn = () => Promise.resolve(true);

/** Runs what somebody wants when it is their turn. */
export type FairTurns = <Result>(
  who: string,
  run: (letOthers: LetOthers) => Promise<Result>,
) => Promise<Result>;

/** The same for who stands for somebody else: they share a line. */
export function turnsOf(toWhom: (who: string) => Promise<string>, turns: FairTurns): FairTurns {
  return async (who, run) => turns(await toWhom(who), run);
}

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
    const turn = async () => {
      let [, release] = await free.acquire();
      try {
        if (performance.now() - since > maxWaitMs && giveUp !== undefined) throw giveUp();
        return await run(async () => {
          release();
          [, release] = await free.acquire();
        });
      } finally {
        release();
      }
    };
    const own = (lines.get(who) ?? Promise.resolve()).then(turn, turn);
    lines.set(who, own);
    try {
      return await own;
    } finally {
      if (lines.get(who) === own) lines.delete(who);
    }
  };
}
