import { startWait } from "../common/clock.js";

export interface WallClockTimer {
  /** Replaces the time set before; Infinity is never. */
  set: (at: number) => void;
}

/** Rings at a time of the wall clock: timers stand still while the computer sleeps. */
export function createWallClockTimer(onTime: () => void, maxTickMs = 30_000): WallClockTimer {
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
    set: (at) => {
      clearTimeout(timer);
      if (at !== Infinity) tick(startWait(at - Date.now()));
    },
  };
}
