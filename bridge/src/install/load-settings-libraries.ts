import type * as settingsLibraries from "./settings-libraries.js";

/** A file of its own, which only `install` and `uninstall` read. */
export type SettingsLibraries = typeof settingsLibraries;

export function loadSettingsLibraries(): Promise<SettingsLibraries> {
  return import("./settings-libraries.js");
}
