export interface WallClockTimer {
  /** Replaces the time set before; Infinity is never. */
  set: (at: number) => void;
}

/** Rings at a time of the wall clock: timers stand still while the computer sleeps. */
export function createWallClockTimer(onTime: () => void, maxTickMs = 30_000): WallClockTimer {
  let timer: NodeJS.Timeout | undefined;
  const set = (at: number) => {
    clearTimeout(timer);
    if (at === Infinity) return;
    const wait = Math.max(0, Math.min(at - Date.now(), maxTickMs));
    timer = setTimeout(() => {
      if (Date.now() >= at) onTime();
      else set(at);
    }, wait);
    timer.unref();
  };
  return { set };
}
