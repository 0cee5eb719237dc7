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

export function createMemoryBudget(maxBytes: number): MemoryBudget {
  const held = new Map<() => void, number>();
  let total = 0;
  const hold = (giveUp: () => void, bytes: number) => {
    total += bytes - (held.get(giveUp) ?? 0);
    held.set(giveUp, bytes);
  };
  const release = (giveUp: () => void) => {
    total -= held.get(giveUp) ?? 0;
    held.delete(giveUp);
  };
  return {
    open: (onGiveUp) => {
      // One function may be given for several answers.
      const giveUp = () => {
        onGiveUp();
      };
      held.set(giveUp, 0);
      return {
        set: (bytes) => {
          if (!held.has(giveUp)) return;
          hold(giveUp, bytes);
          while (total > maxBytes) {
            const [largest] = [...held].reduce((most, one) => (one[1] > most[1] ? one : most));
            release(largest);
            largest();
          }
        },
        release: () => {
          release(giveUp);
        },
      };
    },
  };
}
