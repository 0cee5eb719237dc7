export interface Alarm {
  /** Replaces the time set before; Infinity is never. */
  set: (at: number) => void;
}

/** Rings at a time of the wall clock: timers stand still while the computer sleeps. */
export function createAlarm(ring: () => void, longestTickMs = 30_000): Alarm {
  let timer: NodeJS.Timeout | undefined;
  const set = (at: number) => {
    clearTimeout(timer);
    if (at === Infinity) return;
    const wait = Math.max(0, Math.min(at - Date.now(), longestTickMs));
    timer = setTimeout(() => {
      if (Date.now() >= at) ring();
      else set(at);
    }, wait);
    timer.unref();
  };
  return { set };
}
