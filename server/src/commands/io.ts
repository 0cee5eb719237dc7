import { createInterface } from "node:readline";
import { Writable, type Readable } from "node:stream";
import type { Variables } from "../variables.js";
import { StartError } from "../errors.js";

/** The process as commands see it: everything a test replaces. */
export interface Io {
  variables: Variables;
  stdin: Readable & { isTTY?: boolean };
  /** Writes one line to stdout. Throws `OutputClosed` after the reader closed the pipe. */
  write: (line: string) => void;
  /** Stdout itself, for binary data. */
  output?: Writable & { isTTY?: boolean; columns?: number };
  /** Waits for a slow reader of stdout. */
  drained?: () => Promise<void>;
  /** Writes one line to stderr. */
  writeError: (line: string) => void;
  /** Progress on stderr. Each text replaces the previous one. */
  report: (text: string) => void;
  /** Calls back once, when the process is asked to end. */
  onStopSignal: (stop: (signal: NodeJS.Signals) => void) => void;
  /** Ends the process at once, when an orderly end is impossible. */
  abort: (code: number) => void;
}

/** The reader, such as `head`, closed the pipe. The command ends silently. */
export class OutputClosed extends Error {}

/** For every command that destroys. */
export const yes = ["--yes", "confirm; without it, nothing changes"] as const;

export function requireYes({ yes: said }: { yes?: true }, what: string): void {
  if (said !== true) throw new StartError(`${what} Add --yes to confirm.`);
}

/** Writes all lines, no faster than they are read. */
export async function writeAll(io: Io, lines: AsyncIterable<string>): Promise<void> {
  for await (const line of lines) {
    io.write(line.trimEnd());
    await io.drained?.();
  }
}

/**
 * A password that must not be in a command line: the first line of stdin. In a terminal, prompts
 * without echo.
 */
export function readPassword(io: Io): Promise<string> {
  return io.stdin.isTTY === true ? askForPassword(io) : readLine(io.stdin);
}

/** A terminal reader takes over the echo. This one discards it. */
async function askForPassword(io: Io): Promise<string> {
  const output = new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
  const reader = createInterface({ input: io.stdin, output, terminal: true });
  // Prompt only now: the echo is off.
  io.report("Password: ");
  try {
    return await new Promise<string>((resolve, reject) => {
      reader.once("line", resolve);
      // Ctrl+C and Ctrl+D.
      reader.once("close", () => {
        reject(new StartError("No password was given. Nothing was changed."));
      });
    });
  } finally {
    reader.close();
    io.writeError("");
  }
}

async function readLine(stdin: Readable): Promise<string> {
  let text = "";
  for await (const chunk of stdin) {
    text += String(chunk);
    if (text.includes("\n")) break;
  }
  return text.split(/\r?\n/)[0] ?? "";
}
