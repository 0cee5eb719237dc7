export interface Repeated {
  /** Runs the task soon, before its interval ends. */
  wake: () => void;
  /** Starts no more runs and waits for the current one. */
  stop: () => Promise<void>;
}

/** Repeats a task. The task must handle its own errors. */
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
