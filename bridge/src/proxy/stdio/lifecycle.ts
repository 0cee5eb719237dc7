import type { Readable } from "node:stream";
import { createDeferred } from "../../common/deferred.js";
import type { Log } from "../../common/log.js";
import { isAlive } from "../../common/process.js";

export interface Lifecycle {
  /** Resolves at the first reason to end, with how long answers may still take. */
  ending: Promise<{ drainMs: number }>;
  /** Resolves when somebody does not want to wait for those answers any longer. */
  drainCancelled: Promise<void>;
  /** The host does not read any more, so no answer is worth waiting for. */
  endNow: () => void;
}

/** The host closed stdin, or is gone: it may still read what it asked for. */
const drainAfterInputMs = 10_000;
/** Hosts kill what does not follow a signal soon. */
const drainAfterSignalMs = 5_000;
const parentCheckMs = 2_000;
const signals = ["SIGTERM", "SIGHUP", "SIGINT"] as const;

/**
 * Watches stdin, signals and the parent process. The first signal begins the end, or cuts short
 * the wait for answers when stdin had ended before; the one after that exits at once.
 */
export function watchLifecycle(stdin: Readable, log: Log, exit: (code: number) => void): Lifecycle {
  const ending = createDeferred<{ drainMs: number }>();
  const drainCancelled = createDeferred();
  let begun = false;
  let signalled = false;
  const begin = (reason: string, drainMs: number) => {
    if (!begun) log.debug(`The end begins: ${reason}.`);
    begun = true;
    ending.resolve({ drainMs });
  };
  const onInputEnd = () => {
    begin("the host closed stdin", drainAfterInputMs);
  };
  const onSignal = (signal: NodeJS.Signals) => {
    if (signalled) {
      exit(0);
      return;
    }
    signalled = true;
    if (begun) drainCancelled.resolve();
    begin(signal, drainAfterSignalMs);
  };
  const crash = (reason: unknown) => {
    const { message, stack } = reason instanceof Error ? reason : new Error(String(reason));
    log.error(`Something unexpected happened, so the bridge ends: ${message}`);
    log.debug(stack ?? "");
    exit(1);
  };
  for (const event of ["end", "error", "close"]) stdin.once(event, onInputEnd);
  for (const signal of signals) process.on(signal, onSignal);
  process.on("uncaughtException", crash);
  watchParent(() => {
    begin("the process that started this one is gone", drainAfterInputMs);
  });
  return {
    ending: ending.promise,
    drainCancelled: drainCancelled.promise,
    endNow: () => {
      drainCancelled.resolve();
      begin("the host closed stdout", 0);
    },
  };
}

/**
 * Some hosts die without their end of stdin being closed, because another of their children holds
 * it open. Behind `npx` the parent lives on; there it is the end of stdin that tells.
 */
function watchParent(onGone: () => void): void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    // On Windows the id of the parent stays the same when it is gone.
    if (process.ppid === parent && isAlive(parent)) return;
    clearInterval(watch);
    onGone();
  }, parentCheckMs);
  watch.unref();
}
