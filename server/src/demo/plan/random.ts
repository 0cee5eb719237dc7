/** Reproducible random numbers from a seed, equal on every machine (mulberry32). */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  return {
    next,
    /** A random integer from `least` to `most`, inclusive. */
    between: (least: number, most: number): number =>
      least + Math.floor(next() * (most - least + 1)),
    chance: (probability: number): boolean => next() < probability,
    pick: <Item>(items: readonly Item[]): Item => {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new Error("There is nothing to pick from.");
      return item;
    },
    /** Returns a shuffled copy. */
    shuffle: <Item>(items: readonly Item[]): Item[] =>
      items
        .map((item) => ({ item, place: next() }))
        .toSorted((left, right) => left.place - right.place)
        .map(({ item }) => item),
  };
}

export type Random = ReturnType<typeof createRandom>;
