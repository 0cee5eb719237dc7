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

/** Past `maxWaitMs` a turn ends with what `giveUp` says. */
interface Patience {
  maxWaitMs?: number;
  giveUp?: () => Error;
}

function requirePatience(since: number, { maxWaitMs = Infinity, giveUp }: Patience): void {
  if (performance.now() - since > maxWaitMs && giveUp !== undefined) throw giveUp();
}

/** Runs what somebody wants when what they wanted before is over; nobody waits for others. */
export function createLines(patience: Patience = {}) {
  const lines = new Map<string, Promise<unknown>>();
  return async <Result>(who: string, run: () => Promise<Result>): Promise<Result> => {
    const since = performance.now();
    const turn = async () => {
      requirePatience(since, patience);
      return run();
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

/**
 * Lets at most `places` run at the same time, of whom each is somebody else: what one wants more waits
 * in their own line, so that nobody waits for all that another one has begun.
 */
export function createFairTurns(places: number, patience: Patience = {}): FairTurns {
  const free = new Semaphore(places);
  const inLine = createLines();
  return async (who, run) => {
    const since = performance.now();
    return inLine(who, async () => {
      let [, release] = await free.acquire();
      try {
        requirePatience(since, patience);
        return await run(async () => {
          release();
          [, release] = await free.acquire();
        });
      } finally {
        release();
      }
    });
  };
}
