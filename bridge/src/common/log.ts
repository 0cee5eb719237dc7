import { type LogLevel, logLevels } from "./settings.js";

/** Characters that control a terminal. */
const control = /(?!\n)\p{Cc}|\p{Bidi_Control}/gu;

/** Messages for people, on stderr. Writes nothing when all goes well. Never log a secret. */
export interface Log {
  /** For messages that a person must read or act on. The only level on by default. */
  error: (message: string) => void;
  /** Like `error`, but prints each text once per process. */
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

/** For `catch`: logs the failure and its reason, then returns undefined. */
export function logFailure(write: (message: string) => void, what: string) {
  return (error: unknown): undefined => {
    write(`${what}: ${String(error)}`);
  };
}
