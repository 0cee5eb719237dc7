import type { Writable } from "node:stream";

/** The one way to the host: whole frames, one a line, in the order they were written. */
export interface Output {
  /** Writes one frame, which holds no line break. False: the host is slow, wait for `drained`. */
  write: (frame: string | Buffer) => boolean;
  /** Resolves when the host has read on, or is gone; at once when it keeps up. */
  drained: () => Promise<void>;
  /** Resolves when the host was handed everything, or is gone. */
  flush: () => Promise<void>;
}

const lineFeed = Buffer.from("\n");
const maxCopyBytes = 64 * 1024;

/**
 * Makes stdout ours alone: what anything else writes there lands on stderr from now on. `onGone`
 * is told once when the host does not read any more; frames are dropped then.
 */
export function takeOverStdout(stdout: Writable, stderr: Writable, onGone: () => void): Output {
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
    write: (frame) => {
      if (gone) return true;
      if (typeof frame === "string") return write(`${frame}\n`);
      // One call of the system costs more than a copy, unless the frame is large.
      if (frame.length < maxCopyBytes) return write(Buffer.concat([frame, lineFeed]));
      write(frame);
      return write(lineFeed);
    },
    drained: async () => {
      if (gone || !stdout.writableNeedDrain) return;
      await new Promise<void>((resolve) => waiting.push(resolve));
    },
    flush: async () => {
      if (gone || stdout.writableLength === 0) return;
      await new Promise<void>((resolve) => {
        write("", () => {
          resolve();
        });
      });
    },
  };
}
