/** What one answer holds of a budget while it is read. */
export interface MemoryShare {
  set: (bytes: number) => void;
  release: () => void;
}

/** Memory that answers share while they are read. */
export interface MemoryBudget {
  /** `giveUp` is called once, when this answer holds most of a budget that is exceeded. */
  open: (giveUp: () => void) => MemoryShare;
}

interface Held {
  bytes: number;
  giveUp: () => void;
}

export function createMemoryBudget(maxBytes: number): MemoryBudget {
  const open = new Set<Held>();
  let total = 0;
  const release = (held: Held) => {
    if (open.delete(held)) total -= held.bytes;
  };
  return {
    open: (giveUp) => {
      const own: Held = { bytes: 0, giveUp };
      open.add(own);
      return {
        set: (bytes) => {
          if (!open.has(own)) return;
          total += bytes - own.bytes;
          own.bytes = bytes;
          while (total > maxBytes) {
            const largest = [...open].reduce((most, one) => (one.bytes > most.bytes ? one : most));
            release(largest);
            largest.giveUp();
          }
        },
        release: () => {
          release(own);
        },
      };
    },
  };
}
