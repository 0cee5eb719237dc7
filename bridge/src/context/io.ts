import type { Environment } from "../common/settings.js";

/** What a command was started with and where it writes: everything a test replaces. */
export interface Io {
  environment: Environment;
  platform: NodeJS.Platform;
  userFolder: string;
  /** Answers of commands, on stdout; the proxy has its own writer. */
  writeOut: (text: string) => void;
  /** Everything said to people on the way, on stderr. */
  writeErr: (text: string) => void;
  /** What stdout is, when it is one that a person looks at. */
  terminal?: Terminal | undefined;
  /** Asked only when it is a terminal. */
  stdin: NodeJS.ReadStream;
}

export interface Terminal {
  columns: number;
  hasColours: boolean;
}
