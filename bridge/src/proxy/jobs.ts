import { type Calls, createCalls } from "./calls.js";
import { isBackground, type Job } from "./job.js";
import type { Raw } from "./message.js";

/** All that is on its way, and its answers. */
export interface Jobs extends Omit<Calls, "open"> {
  /** False when the host waits for another answer under an id of the job. */
  start: (job: Job) => boolean;
  end: (job: Job) => void;
  all: () => Iterable<Job>;
  /** Resolves when the host waits for nothing more. */
  whenIdle: () => Promise<void>;
}

export function createJobs(output: { write: (frame: Raw) => boolean }): Jobs {
  const jobs = new Set<Job>();
  let waiting: (() => void)[] = [];
  const checkIdle = () => {
    if (waiting.length === 0 || [...jobs].some(isAwaited)) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  const { open, ...calls } = createCalls({ output, onSettled: checkIdle });
  return {
    ...calls,
    start: (job) => {
      if (!open(job)) return false;
      jobs.add(job);
      return true;
    },
    end: (job) => {
      jobs.delete(job);
      checkIdle();
    },
    all: () => jobs,
    whenIdle: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        checkIdle();
      }),
  };
}

function isAwaited(job: Job): boolean {
  if (isBackground(job) || job.abort.signal.aborted) return false;
  return job.calls.length === 0 || job.calls.some(({ state }) => state === "open");
}
