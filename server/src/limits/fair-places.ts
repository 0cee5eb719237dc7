interface Waiting {
  key: string;
  begin: (leave: () => void) => void;
}

/**
 * At most `places` at the same time for all; nobody has more than are left, which is half of them at most.
 * A place that becomes free goes to who has the fewest, so that nobody waits for all that others want; then
 * to who came first. Gives the function that frees it; undefined after `maxWaitMs` without one.
 */
export function createFairPlaces(places: number, maxWaitMs: number) {
  const held = new Map<string, number>();
  const waiting = new Set<Waiting>();
  let free = places;
  const countOf = (key: string) => held.get(key) ?? 0;

  const take = (key: string) => {
    free -= 1;
    held.set(key, countOf(key) + 1);
    return () => {
      free += 1;
      const left = countOf(key) - 1;
      if (left > 0) held.set(key, left);
      else held.delete(key);
      giveAway();
    };
  };
  const findNext = (): Waiting | undefined => {
    let [found, fewest]: [Waiting | undefined, number] = [undefined, free];
    for (const one of waiting) {
      const count = countOf(one.key);
      if (count < fewest) [found, fewest] = [one, count];
    }
    return found;
  };
  const giveAway = () => {
    for (let next = findNext(); next !== undefined; next = findNext()) {
      waiting.delete(next);
      next.begin(take(next.key));
    }
  };
  return (key: string): Promise<(() => void) | undefined> => {
    // Whoever waits may have none of those that are free.
    if (countOf(key) < free) return Promise.resolve(take(key));
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        waiting.delete(one);
        resolve(undefined);
      }, maxWaitMs);
      const begin = (leave: () => void) => {
        clearTimeout(timer);
        resolve(leave);
      };
      const one: Waiting = { key, begin };
      waiting.add(one);
    });
  };
}
