type Begin = (leave: () => void) => void;

/**
 * At most `places` at the same time for all; nobody has more than are left, which is half of them at most.
 * A place that becomes free goes to who has the fewest, so that nobody waits for all that others want; of
 * these to each in turn. Gives the function that frees it; undefined after `maxWaitMs` without one.
 */
export function createFairPlaces(places: number, maxWaitMs: number) {
  const held = new Map<string, number>();
  /** Of each what it wants, in the order of their turns. */
  const lines = new Map<string, Set<Begin>>();
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
  const findNext = (): string | undefined => {
    let [found, fewest]: [string | undefined, number] = [undefined, free];
    for (const key of lines.keys()) {
      const count = countOf(key);
      if (count >= fewest) continue;
      [found, fewest] = [key, count];
      if (fewest === 0) break;
    }
    return found;
  };
  const leaveLine = (key: string, begin: Begin, { isServed }: { isServed: boolean }) => {
    const line = lines.get(key);
    line?.delete(begin);
    if (line === undefined || (!isServed && line.size > 0)) return;
    lines.delete(key);
    if (line.size > 0) lines.set(key, line);
  };
  const giveAway = () => {
    for (let key = findNext(); key !== undefined; key = findNext()) {
      const [begin] = lines.get(key) ?? [];
      if (begin === undefined) return;
      leaveLine(key, begin, { isServed: true });
      begin(take(key));
    }
  };
  return (key: string): Promise<(() => void) | undefined> => {
    // Whoever waits may have none of those that are free.
    if (countOf(key) < free) return Promise.resolve(take(key));
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        leaveLine(key, begin, { isServed: false });
        resolve(undefined);
      }, maxWaitMs);
      const begin: Begin = (leave) => {
        clearTimeout(timer);
        resolve(leave);
      };
      lines.set(key, (lines.get(key) ?? new Set()).add(begin));
    });
  };
}
