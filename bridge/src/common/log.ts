import { type LogLevel, logLevels } from "./settings.js";

/** What a terminal would obey, from whoever it came. */
const control = /(?!\n)\p{Cc}|\p{Bidi_Control}/gu;

/** Lines for people, on stderr. Nothing is written when all goes well. Never give it a secret. */
export interface Log {
  /** What a person must know or do; the only level that is on by default. */
  error: (message: string) => void;
  /** The same, for what need not be read twice: each text once in a process. */
  notice: (message: string) => void;
  info: (message: string) => void;
  debug: (message: string) => void;
}

export function createLog(level: LogLevel, write: (line: string) => void): Log {
  const most = logLevels.indexOf(level);
  const at = (index: number) => (message: string) => {
    if (index <= most) write(`fettle-bridge: ${message.replace(control, " ")}\n`);
  };
  const noticed = new Set<string>();
  const error = at(1);
  const notice = (message: string) => {
    if (!noticed.has(message)) error(message);
    noticed.add(message);
  };
  return { error, notice, info: at(2), debug: at(3) };
}

/** For `catch`: writes what did not work and why, and goes on without a result. */
export function logFailure(write: (message: string) => void, what: string) {
  return (error: unknown): undefined => {
    write(`${what}: ${String(error)}`);
  };
}
