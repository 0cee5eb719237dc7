import { createInterface } from "node:readline";
import { Writable, type Readable } from "node:stream";
import type { Variables } from "../variables.js";
import { StartError } from "../errors.js";

/** The process as commands see it: everything a test replaces. */
export interface Io {
  variables: Variables;
  stdin: Readable & { isTTY?: boolean };
  /** One line on stdout; throws `OutputClosed` once nobody reads there any more. */
  write: (line: string) => void;
  /** Stdout itself, for what is no text. */
  output?: Writable & { isTTY?: boolean; columns?: number };
  /** Waits for who reads stdout more slowly than it is written. */
  drained?: () => Promise<void>;
  /** One line on stderr. */
  complain: (line: string) => void;
  /** How far something is, on stderr: each text takes the place of the one before. */
  report: (text: string) => void;
  /** Calls back once, when the process is asked to end. */
  onStopSignal: (stop: (signal: NodeJS.Signals) => void) => void;
  /** Ends the process at once, for what cannot be handled in order. */
  abort: (code: number) => void;
}

/** Whoever had enough, like `head`: the command ends without a word. */
export class OutputClosed extends Error {}

/** For every command that destroys. */
export const yes = ["--yes", "confirm; without it, nothing changes"] as const;

export function requireYes({ yes: said }: { yes?: true }, what: string): void {
  if (said !== true) throw new StartError(`${what} Add --yes to confirm.`);
}

/** As many lines as there are, no faster than they are read. */
export async function writeAll(io: Io, lines: AsyncIterable<string>): Promise<void> {
  for await (const line of lines) {
    io.write(line.trimEnd());
    await io.drained?.();
  }
}

/** A password that must not be in a command line: the first line of stdin, asked for in a terminal and not shown. */
export function readPassword(io: Io): Promise<string> {
  return io.stdin.isTTY === true ? askForPassword(io) : readLine(io.stdin);
}

/** A reader for terminals takes over the echo, and this one has nowhere to write it. */
async function askForPassword(io: Io): Promise<string> {
  const output = new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
  const reader = createInterface({ input: io.stdin, output, terminal: true });
  // Only now is nothing shown that comes early.
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
    io.complain("");
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
