import { isAbsolute, posix, resolve, win32 } from "node:path";
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

interface Terminal {
  hasColours: boolean;
}

/** The folder of everything kept outside the keychain: where the platform keeps configuration. */
export function findHome({ environment, platform, userFolder }: Io): string {
  const chosen = environment["FETTLE_BRIDGE_HOME"];
  if (chosen !== undefined && chosen !== "") return resolve(chosen);
  if (platform === "win32") {
    const roaming = environment["APPDATA"] ?? win32.join(userFolder, "AppData", "Roaming");
    return win32.join(roaming, "fettle-bridge");
  }
  if (platform === "darwin") {
    return posix.join(userFolder, "Library", "Application Support", "fettle-bridge");
  }
  const configured = environment["XDG_CONFIG_HOME"] ?? "";
  const base = isAbsolute(configured) ? configured : posix.join(userFolder, ".config");
  return posix.join(base, "fettle-bridge");
}
