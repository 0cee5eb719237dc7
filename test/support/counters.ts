import type { CounterStore } from "../../server/src/traffic/counter-store.js";

/** In memory; of these limits each counts ten, so that a test reaches hundreds sooner. */
export function countTenfold(...names: string[]): CounterStore {
  return {
    count: async ({ keys, local }) => {
      const isOne = names.some((name) => keys[0]?.startsWith(`${name}:`));
      for (let more = 0; isOne && more < 9; more += 1) local();
      return local();
    },
    close: () => undefined,
  };
}
