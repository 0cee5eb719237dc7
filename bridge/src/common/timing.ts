/**
 * Milliseconds since a wall-clock timestamp. A future timestamp means that the clock was set back.
 */
export function ageOf(stampMs: number): number {
  return Math.abs(Date.now() - stampMs);
}

/**
 * Returns a function for the remaining time. The wall clock can be set back, the monotonic one
 * stops in sleep: the first to expire counts.
 */
export function startWait(ms: number): () => number {
  const [onTheWall, steady] = [Date.now() + ms, performance.now() + ms];
  return () => Math.max(0, Math.min(onTheWall - Date.now(), steady - performance.now()));
}

export function createDeferred<Value = void>() {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((resolvePromise) => {
    resolve = resolvePromise;
  });
  return { promise, resolve };
}

/** Fires at a wall-clock time. Timers stop while the computer sleeps. */
export function createWallClockTimer(onTime: () => void, maxTickMs = 30_000) {
  let timer: NodeJS.Timeout | undefined;
  const tick = (left: () => number) => {
    timer = setTimeout(
      () => {
        if (left() === 0) onTime();
        else tick(left);
      },
      Math.min(left(), maxTickMs),
    );
    timer.unref();
  };
  return {
    /** Replaces the previous time. Infinity disables the timer. */
    set: (at: number): void => {
      clearTimeout(timer);
      if (at !== Infinity) tick(startWait(at - Date.now()));
    },
  };
}
