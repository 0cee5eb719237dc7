import { isAbsolute, posix, resolve, win32 } from "node:path";
import type { Environment } from "../common/settings.js";

/** The environment and outputs of a command: everything a test replaces. */
export interface Io {
  environment: Environment;
  platform: NodeJS.Platform;
  userFolder: string;
  /** Command results, on stdout. The proxy has its own writer. */
  writeOut: (text: string) => void;
  /** Progress messages for people, on stderr. */
  writeErr: (text: string) => void;
  terminal?: Terminal | undefined;
  /** Read only if it is a terminal. */
  stdin: NodeJS.ReadStream;
}

interface Terminal {
  hasColours: boolean;
}

/** The data folder outside the keychain, in the platform's configuration folder. */
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
