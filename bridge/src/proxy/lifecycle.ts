import type { Readable, Writable } from "node:stream";
import type { Log } from "../common/log.js";
import { createDeferred } from "../common/timing.js";
import { isAlive } from "../profile/lock.js";

const lineFeed = Buffer.from("\n");
const maxCopyBytes = 64 * 1024;

/**
 * Makes stdout ours alone: what anything else writes there lands on stderr from now on. `onGone`
 * is told once when the host does not read any more; frames are dropped then. What it gives is the
 * one way to the host: whole frames, one a line, in the order they were written.
 */
export function takeOverStdout(stdout: Writable, stderr: Writable, onGone: () => void) {
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  let gone = false;
  let waiting: (() => void)[] = [];
  const release = () => {
    const released = waiting;
    waiting = [];
    for (const go of released) go();
  };
  const markGone = () => {
    if (!gone) onGone();
    gone = true;
    release();
  };
  stdout.on("drain", release).on("error", markGone).on("close", markGone);
  // Nobody reads what is said to people: no reason to end.
  stderr.on("error", () => undefined);
  return {
    /** Writes one frame, which holds no line break. False: the host is slow, wait for `drained`. */
    write: (frame: string | Buffer): boolean => {
      if (gone) return true;
      if (typeof frame === "string") return write(`${frame}\n`);
      // One call of the system costs more than a copy, unless the frame is large.
      if (frame.length < maxCopyBytes) return write(Buffer.concat([frame, lineFeed]));
      write(frame);
      return write(lineFeed);
    },
    /** Resolves when the host has read on, or is gone; at once when it keeps up. */
    drained: async (): Promise<void> => {
      if (gone || !stdout.writableNeedDrain) return;
      await new Promise<void>((resolve) => waiting.push(resolve));
    },
    /** Resolves when the host was handed everything, or is gone. */
    flush: async (): Promise<void> => {
      if (gone || stdout.writableLength === 0) return;
      await new Promise<void>((resolve) => {
        write("", () => {
          resolve();
        });
      });
    },
  };
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
export function watchLifecycle(stdin: Readable, log: Log, exit: (code: number) => void) {
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
    /** Resolves at the first reason to end, with how long answers may still take. */
    ending: ending.promise,
    /** Resolves when somebody does not want to wait for those answers any longer. */
    drainCancelled: drainCancelled.promise,
    /** The host does not read any more, so no answer is worth waiting for. */
    endNow: (): void => {
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
