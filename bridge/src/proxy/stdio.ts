import type { Readable, Writable } from "node:stream";
import type { BridgeErrorCode } from "../common/errors.js";
import { toRecord } from "../common/json.js";
import type { Log } from "../common/log.js";
import { withoutMark } from "../common/text.js";
import { createDeferred } from "../common/timing.js";
import { isAlive } from "../profile/lock.js";
import { isId, toErrorText } from "./exchange.js";

const mebibyte = 1024 * 1024;
/** Longest message of the host that is passed on, in bytes. */
const maxLineBytes = 10 * mebibyte;
/** A longer one is kept this far, to tell which request it is; nothing is known of one beyond. */
const maxKeptBytes = 64 * mebibyte;

const tooLongError = {
  code: -32600,
  message:
    `This message is longer than ${maxLineBytes / mebibyte} MiB, the most that is passed on at once, or nested too deep. ` +
    "It was not sent to the server. Send less in one message.",
  data: { code: "too_large" satisfies BridgeErrorCode },
};

/** The frame that tells the host of a message not passed on; undefined for what has no answer in JSON-RPC. */
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
  /** One line without its end, never empty. */
  onLine: (line: Buffer) => void;
  /** A line over the limit; an empty one where it was too long to be kept. */
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
    /** What came after the last line break counts as a line. */
    end: finish,
  };
}

const frameEnd = Buffer.from("\n");
const maxCopyBytes = 64 * 1024;

/**
 * Makes stdout the one way to the host: whole frames, in order. What others write lands on stderr. `onGone`
 * is called once when the host stops reading; frames are dropped then.
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
      if (frame.length < maxCopyBytes) return write(Buffer.concat([frame, frameEnd]));
      write(frame);
      return write(frameEnd);
    },
    /** Resolves when the host has read on, or is gone; at once when it keeps up. */
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

/** The host closed stdin, or is gone: it may still read what it asked for. */
const drainAfterInputMs = 10_000;
/** Hosts kill what does not follow a signal soon. */
const drainAfterSignalMs = 5_000;
const parentCheckMs = 2_000;
const signals = ["SIGTERM", "SIGHUP", "SIGINT"] as const;

/** A signal begins the end, or cuts the wait for answers short if stdin has ended. The one after it exits. */
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

/** Some hosts die while another child holds stdin open. Behind `npx`, whose process stays, stdin has to tell. */
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
