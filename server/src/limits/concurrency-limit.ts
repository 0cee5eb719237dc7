import { E_TIMEOUT, Semaphore, withTimeout } from "async-mutex";

export interface ConcurrencyLimit {
  /** Waits for a place and gives the function that frees it; undefined after `maxWaitMs` without one. */
  enter: (key: string) => Promise<(() => void) | undefined>;
  /** How many have a place or wait for one. */
  count: (key: string) => number;
}

/** At most `max` at the same time for each key; others wait, in the order in which they came. */
export function createConcurrencyLimit(max: number, maxWaitMs: number): ConcurrencyLimit {
  const keys = new Map<string, { semaphore: Semaphore; users: number }>();

  const enter = async (key: string) => {
    const entry = keys.get(key) ?? { semaphore: new Semaphore(max), users: 0 };
    keys.set(key, entry);
    entry.users += 1;
    const forget = () => {
      entry.users -= 1;
      if (entry.users === 0) keys.delete(key);
    };
    try {
      // Most find a place at once, and need no timer.
      const { semaphore } = entry;
      const place = semaphore.isLocked() ? withTimeout(semaphore, maxWaitMs) : semaphore;
      const [, release] = await place.acquire();
      return () => {
        release();
        forget();
      };
    } catch (error) {
      forget();
      if (error === E_TIMEOUT) return undefined;
      throw error;
    }
  };
  return { enter, count: (key) => keys.get(key)?.users ?? 0 };
}
