import type { Readable, Writable } from "node:stream";
import type { Variables } from "../variables.js";
import { StartError } from "../errors.js";

/** The process as commands see it: everything a test replaces. */
export interface Io {
  variables: Variables;
  stdin: Readable;
  /** One line on stdout; throws `OutputClosed` once nobody reads there any more. */
  write: (line: string) => void;
  /** Stdout itself, for what is no text. */
  output?: Writable & { isTTY?: boolean };
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

/** Accepted where all output is JSON, so that no script has to know where it is not. */
export const alwaysJson = ["--json", "one JSON line for each result, which it is anyway"] as const;

/** Of every command that destroys. */
export const yes = ["--yes", "do it: what is gone is gone for good"] as const;

export function requireYes({ yes: said }: { yes?: true }, what: string): void {
  if (said !== true) throw new StartError(`${what} Say --yes if that is meant.`);
}

export function writeLines(io: Io, lines: readonly object[]): void {
  for (const line of lines) io.write(JSON.stringify(line));
}

/** As many lines as there are, no faster than they are read. */
export async function writeAll(io: Io, lines: AsyncIterable<string>): Promise<void> {
  for await (const line of lines) {
    io.write(line.trimEnd());
    await io.drained?.();
  }
}

/** The first line of stdin, for passwords that must not stand in a command line. */
export async function readLine(stdin: Readable): Promise<string> {
  let text = "";
  for await (const chunk of stdin) {
    text += String(chunk);
    if (text.includes("\n")) break;
  }
  return text.split(/\r?\n/)[0] ?? "";
}
