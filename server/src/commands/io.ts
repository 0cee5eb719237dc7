import type { Readable } from "node:stream";

/** The process as commands see it: everything a test replaces. */
export interface Io {
  variables: Record<string, string | undefined>;
  stdin: Readable;
  /** One line on stdout. */
  write: (line: string) => void;
  /** One line on stderr. */
  complain: (line: string) => void;
  /** How far something is, on stderr: each text takes the place of the one before. */
  report: (text: string) => void;
  /** Calls back once, when the process is asked to end. */
  onStopSignal: (stop: () => void) => void;
  /** Ends the process at once, for what cannot be handled in order. */
  abort: (code: number) => void;
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
