interface Waiting {
  key: string;
  begin: () => void;
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

  const findNext = (): Waiting | undefined => {
    let [found, fewest]: [Waiting | undefined, number] = [undefined, free];
    for (const one of waiting) {
      const count = held.get(one.key) ?? 0;
      if (count < fewest) [found, fewest] = [one, count];
    }
    return found;
  };
  const giveAway = () => {
    for (let next = findNext(); free > 0 && next !== undefined; next = findNext()) {
      waiting.delete(next);
      free -= 1;
      held.set(next.key, (held.get(next.key) ?? 0) + 1);
      next.begin();
    }
  };
  const leave = (key: string) => {
    free += 1;
    const left = (held.get(key) ?? 0) - 1;
    if (left > 0) held.set(key, left);
    else held.delete(key);
    giveAway();
  };
  return (key: string): Promise<(() => void) | undefined> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => {
        waiting.delete(one);
        resolve(undefined);
      }, maxWaitMs);
      const begin = () => {
        clearTimeout(timer);
        resolve(() => {
          leave(key);
        });
      };
      const one: Waiting = { key, begin };
      waiting.add(one);
      giveAway();
    });
}
