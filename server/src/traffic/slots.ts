type Begin = (leave: () => void) => void;

interface SlotBounds {
  /** Of all keys together; without it, only `each` bounds. */
  total?: number;
  /** Of one key. It never has more than are left of all, which is half of them at most. */
  each?: number;
  /** How long one is waited for; without it, for ever. */
  maxWaitMs?: number;
}

/**
 * Bounds how much goes on at the same time, for each key (an organization, a person) and for all. A slot
 * that becomes free goes to the key with the fewest, so that nobody waits for all that others want; of
 * these to each in turn.
 */
export class Slots {
  readonly #held = new Map<string, number>();
  /** Of each key what it wants, in the order of their turns. */
  readonly #lines = new Map<string, Set<Begin>>();
  readonly #each: number;
  readonly #maxWaitMs: number;
  #free: number;

  constructor({ total = Infinity, each = Infinity, maxWaitMs = Infinity }: SlotBounds) {
    this.#free = total;
    this.#each = each;
    this.#maxWaitMs = maxWaitMs;
  }

  /** How many a key has or waits for. */
  count(key: string): number {
    return this.#countHeld(key) + (this.#lines.get(key)?.size ?? 0);
  }

  /** Gives the function that frees the slot, which is called once; undefined after the wait without one. */
  enter(key: string, maxWaitMs = this.#maxWaitMs): Promise<(() => void) | undefined> {
    // Whoever waits may have none of those that are free.
    if (this.#mayBegin(key)) return Promise.resolve(this.#take(key));
    if (maxWaitMs <= 0) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const giveUp = () => {
        this.#leaveLine(key, begin, { isServed: false });
        resolve(undefined);
      };
      const timer = maxWaitMs === Infinity ? undefined : setTimeout(giveUp, maxWaitMs);
      const begin: Begin = (leave) => {
        clearTimeout(timer);
        resolve(leave);
      };
      this.#lines.set(key, (this.#lines.get(key) ?? new Set()).add(begin));
    });
  }

  #countHeld(key: string): number {
    return this.#held.get(key) ?? 0;
  }

  #mayBegin(key: string): boolean {
    return this.#countHeld(key) < Math.min(this.#each, this.#free);
  }

  #take(key: string): () => void {
    this.#free -= 1;
    this.#held.set(key, this.#countHeld(key) + 1);
    return () => {
      this.#free += 1;
      const left = this.#countHeld(key) - 1;
      if (left > 0) this.#held.set(key, left);
      else this.#held.delete(key);
      this.#giveAway(key);
    };
  }

  /** To those who wait: of the key that had it, or of all that share the total. */
  #giveAway(freedBy: string): void {
    const findNext = () =>
      this.#findFewest(this.#free === Infinity ? [freedBy] : this.#lines.keys());
    for (let key = findNext(); key !== undefined; key = findNext()) {
      const [begin] = this.#lines.get(key) ?? [];
      if (begin === undefined) return;
      this.#leaveLine(key, begin, { isServed: true });
      begin(this.#take(key));
    }
  }

  #findFewest(keys: Iterable<string>): string | undefined {
    let [found, fewest]: [string | undefined, number] = [undefined, Infinity];
    for (const key of keys) {
      const held = this.#countHeld(key);
      if (held >= fewest || !this.#mayBegin(key)) continue;
      [found, fewest] = [key, held];
      if (fewest === 0) break;
    }
    return found;
  }

  #leaveLine(key: string, begin: Begin, { isServed }: { isServed: boolean }): void {
    const line = this.#lines.get(key);
    line?.delete(begin);
    if (line === undefined || (!isServed && line.size > 0)) return;
    this.#lines.delete(key);
    if (line.size > 0) this.#lines.set(key, line);
  }
}

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

/** Past `maxWaitMs` a turn ends with what `giveUp` says. */
interface Patience {
  maxWaitMs?: number;
  giveUp?: () => Error;
}

/**
 * Lets at most `total` run at the same time, of whom each is somebody else: what one wants more waits
 * in their own line.
 */
export function createFairTurns(
  total: number,
  { maxWaitMs = Infinity, giveUp }: Patience = {},
): FairTurns {
  const lines = new Slots({ each: 1 });
  const places = new Slots({ total, each: 1 });
  const enter = async (slots: Slots, who: string, waitMs?: number) => {
    const leave = await slots.enter(who, waitMs);
    if (leave === undefined) throw giveUp?.() ?? new Error("Nobody waits for a slot.");
    return leave;
  };
  return async (who, run) => {
    const until = performance.now() + maxWaitMs;
    const leaveLine = await enter(lines, who, maxWaitMs);
    try {
      let leave = await enter(places, who, until - performance.now());
      try {
        return await run(async () => {
          leave();
          leave = await enter(places, who);
        });
      } finally {
        leave();
      }
    } finally {
      leaveLine();
    }
  };
}

/** The same for who stands for somebody else: they share a line. */
export function turnsOf(toWhom: (who: string) => Promise<string>, turns: FairTurns): FairTurns {
  return async (who, run) => turns(await toWhom(who), run);
}
