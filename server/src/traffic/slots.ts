type Begin = (leave: () => void) => void;

interface SlotBounds {
  /** Limit for all keys together. If omitted, only `each` applies. */
  total?: number;
  /**
   * Limit per key. A key also never holds more than the slots that are free, so at most half of the
   * total.
   */
  each?: number;
  /** Time limit for waiting. Unlimited if omitted. */
  maxWaitMs?: number;
}

/**
 * Limits concurrency per key (an organization, a person) and in total. A freed slot goes to the key
 * with the fewest slots, so no one waits for everything that others want. Equal keys take turns.
 */
export class Slots {
  readonly #held = new Map<string, number>();
  /** Waiting entries of each key, with the keys in the order of their turns. */
  readonly #lines = new Map<string, Set<Begin>>();
  readonly #each: number;
  readonly #maxWaitMs: number;
  #free: number;

  constructor({ total = Infinity, each = Infinity, maxWaitMs = Infinity }: SlotBounds) {
    this.#free = total;
    this.#each = each;
    this.#maxWaitMs = maxWaitMs;
  }

  /** Number of slots that a key holds or waits for. */
  count(key: string): number {
    return this.#countHeld(key) + (this.#lines.get(key)?.size ?? 0);
  }

  /**
   * Returns the function that frees the slot, which must be called once. Returns undefined if the
   * wait times out.
   */
  enter(key: string, maxWaitMs = this.#maxWaitMs): Promise<(() => void) | undefined> {
    // Waiting keys can't use the free slots, so none of them is overtaken.
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

  /**
   * Passes free slots to waiting entries: of the key that had the slot, or of all keys that share
   * the total.
   */
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

/** Yields the slot in the middle of long work. Resolves when it is this work's turn again. */
export type YieldSlot = () => Promise<void>;

/**
 * Called before each step of long work. Returns false if the work must end, to be resumed later.
 */
export type ShouldContinue = () => Promise<boolean>;
export const always: ShouldContinue = () => Promise.resolve(true);

export type FairQueue = <Result>(
  who: string,
  run: (yieldSlot: YieldSlot) => Promise<Result>,
) => Promise<Result>;

/** After `maxWaitMs`, waiting ends with the error of `giveUp`. */
interface Patience {
  maxWaitMs?: number;
  giveUp?: () => Error;
}

/**
 * Runs at most `total` at a time, each for a different key. Further work of a key waits in the
 * key's own queue.
 */
export function createFairQueue(
  total: number,
  { maxWaitMs = Infinity, giveUp }: Patience = {},
): FairQueue {
  const lines = new Slots({ each: 1 });
  const places = new Slots({ total, each: 1 });
  const enter = async (slots: Slots, who: string, waitMs?: number) => {
    const leave = await slots.enter(who, waitMs);
    if (leave === undefined) throw giveUp?.() ?? new Error("No request waits for a slot.");
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

/** Maps keys before queueing. Keys that map to one key share a queue. */
export function turnsOf(toWhom: (who: string) => Promise<string>, turns: FairQueue): FairQueue {
  return async (who, run) => turns(await toWhom(who), run);
}
