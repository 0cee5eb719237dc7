/** A task that is done again and again, never twice at the same time. */
export interface Repeated {
  /** Does it soon, and not only when its time has come. */
  wake: () => void;
  /** Begins no more, and waits for the one under way. */
  stop: () => Promise<void>;
}

/** Repeats a task, which takes care of its own errors. */
export function repeat(everyMs: number, task: () => Promise<void>): Repeated {
  let running = Promise.resolve();
  let [isWaiting, isStopped] = [false, false];
  const wake = () => {
    if (isWaiting || isStopped) return;
    isWaiting = true;
    running = running.then(async () => {
      isWaiting = false;
      if (!isStopped) await task();
    });
  };
  const timer = setInterval(wake, everyMs);
  timer.unref();
  return {
    wake,
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
