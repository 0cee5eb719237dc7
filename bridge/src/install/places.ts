import { posix, win32 } from "node:path";
import type { Environment } from "../common/settings.js";
import type { Io } from "../context/io.js";

/** Where programs of one person keep their settings, as the system and its variables say. */
export interface Places {
  home: string;
  /** What desktop programs use. */
  applications: string;
  /** What command line programs use. */
  config: string;
  /** Of Windows; what does not move with the person from computer to computer. */
  local: string;
  isWindows: boolean;
  environment: Environment;
  join: (...parts: string[]) => string;
}

export function findPlaces({ environment, platform, userFolder: home }: Io): Places {
  const paths = platform === "win32" ? win32 : posix;
  const join = (...parts: string[]) => paths.join(...parts);
  const variable = (name: string, otherwise: string) => {
    const value = environment[name] ?? "";
    return paths.isAbsolute(value) ? value : otherwise;
  };
  const common = { home, environment, join, isWindows: platform === "win32" };
  const local = variable("LOCALAPPDATA", join(home, "AppData", "Local"));
  if (platform === "win32") {
    const roaming = variable("APPDATA", join(home, "AppData", "Roaming"));
    return { ...common, applications: roaming, config: roaming, local };
  }
  if (platform === "darwin") {
    const applications = join(home, "Library", "Application Support");
    return { ...common, applications, config: join(home, ".config"), local: applications };
  }
  const config = variable("XDG_CONFIG_HOME", join(home, ".config"));
  return { ...common, applications: config, config, local: config };
}
