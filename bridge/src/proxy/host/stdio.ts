import type { Readable, Writable } from "node:stream";
import type { BridgeErrorCode } from "../../common/errors.js";
import { toRecord } from "../../common/json.js";
import type { Log } from "../../common/log.js";
import { withoutMark } from "../../common/text.js";
import { createDeferred } from "../../common/timing.js";
import { isAlive } from "../../profile/lock.js";
import { isId, toErrorText } from "../exchange.js";

const mebibyte = 1024 * 1024;
/** Longest message from the host that is forwarded, in bytes. */
const maxLineBytes = 10 * mebibyte;
/** Longer messages are stored up to this size to read their id. Even longer ones are dropped. */
const maxKeptBytes = 64 * mebibyte;

const tooLongError = {
  code: -32600,
  message:
    `This message is longer than ${maxLineBytes / mebibyte} MiB, the most that is passed on at once, or nested too deep. ` +
    "It was not sent to the server. Send less in one message.",
  data: { code: "too_large" satisfies BridgeErrorCode },
};

/**
 * The error for a message that was not forwarded. Undefined if the message has no response in
 * JSON-RPC.
 */
export function toOversizeAnswer(line: Buffer): string | undefined {
  const { id, method } = toRecord(parse(line));
  const isNotification = method !== undefined && id === undefined;
  const isAnswer = method === undefined && id !== undefined;
  if (isNotification || isAnswer) return undefined;
  return toErrorText(isId(id) ? id : null, tooLongError);
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString("utf8"));
  } catch {
    return undefined;
  }
}

interface LineHandlers {
  /** One line without its end. Never empty. */
  onLine: (line: Buffer) => void;
  /** A line over the limit. Empty if it was too long to store. */
  onTooLong: (line: Buffer) => void;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

export function createLineReader(
  { onLine, onTooLong }: LineHandlers,
  limit = maxLineBytes,
  maxKept = maxKeptBytes,
) {
  let chunks: Buffer[] = [];
  let size = 0;

  const keep = (part: Buffer) => {
    size += part.length;
    if (size > maxKept) chunks = [];
    else chunks.push(part);
  };
  const finish = () => {
    const [only] = chunks;
    const whole = chunks.length === 1 && only ? only : Buffer.concat(chunks);
    const line = withoutMark(whole.at(-1) === carriageReturn ? whole.subarray(0, -1) : whole);
    const isTooLong = size > limit;
    chunks = [];
    size = 0;
    if (isTooLong) onTooLong(line);
    else if (line.length > 0) onLine(line);
  };
  return {
    push: (chunk: Buffer): void => {
      let start = 0;
      for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
        keep(chunk.subarray(start, end));
        finish();
        start = end + 1;
      }
      if (start < chunk.length) keep(chunk.subarray(start));
    },
    /** Text after the last line break counts as a line. */
    end: finish,
  };
}

const frameEnd = Buffer.from("\n");
const maxCopyBytes = 64 * 1024;

/**
 * Reserves stdout for the host: whole frames, in order. Other output goes to stderr. `onGone` is
 * called once when the host stops reading. Later frames are dropped.
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
  // A closed stderr is no reason to end.
  stderr.on("error", () => undefined);
  return {
    /**
     * Writes one frame without line breaks. Returns false if the host is slow: wait for `drained`.
     */
    write: (frame: string | Buffer): boolean => {
      if (gone) return true;
      if (typeof frame === "string") return write(`${frame}\n`);
      // One system call costs more than a copy, unless the frame is large.
      if (frame.length < maxCopyBytes) return write(Buffer.concat([frame, frameEnd]));
      write(frame);
      return write(frameEnd);
    },
    /** Resolves when the host has read the output or is gone. */
    drained: async (): Promise<void> => {
      if (gone || !stdout.writableNeedDrain) return;
      await new Promise<void>((resolve) => waiting.push(resolve));
    },
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

/** After stdin closed. The host may still read pending responses. */
const drainAfterInputMs = 10_000;
/** Hosts kill processes that don't exit soon after a signal. */
const drainAfterSignalMs = 5_000;
const parentCheckMs = 2_000;
const signals = ["SIGTERM", "SIGHUP", "SIGINT"] as const;

/**
 * The first signal starts the shutdown, or stops the wait for responses if stdin has ended. The
 * next one exits.
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
    /** Resolves at the first reason to end, with the remaining time for responses. */
    ending: ending.promise,
    /** Resolves when the wait for responses is cancelled. */
    drainCancelled: drainCancelled.promise,
    /** The host has stopped reading, so responses are useless. */
    endNow: (): void => {
      drainCancelled.resolve();
      begin("the host closed stdout", 0);
    },
  };
}

/**
 * Some hosts die while another child holds stdin open. Behind `npx`, whose process stays, only
 * stdin shows the end.
 */
function watchParent(onGone: () => void): void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    // On Windows the parent's id doesn't change after it exits.
    if (process.ppid === parent && isAlive(parent)) return;
    clearInterval(watch);
    onGone();
  }, parentCheckMs);
  watch.unref();
}
