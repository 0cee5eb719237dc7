/** Milliseconds since a stamp of the wall clock. One that lies ahead was made before the clock was set back. */
export function ageOf(stampMs: number): number {
  return Math.abs(Date.now() - stampMs);
}

/** Returns what is left of a wait. One clock can be set back, the other stands still in sleep: either ends it. */
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

/** Rings at a time of the wall clock: timers stand still while the computer sleeps. */
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
    /** Replaces the time set before; Infinity is never. */
    set: (at: number): void => {
      clearTimeout(timer);
      if (at !== Infinity) tick(startWait(at - Date.now()));
    },
  };
}
