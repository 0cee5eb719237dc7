import type { Entry } from "../clients.js";

/** A way to write settings. What it does not have to change stays byte for byte. */
export interface SettingsFormat {
  /** The whole content as data. Throws SettingsProblem for what is not written well. */
  parse: (text: string) => unknown;
  set: (text: string, path: EntryPath, entry: Entry) => string;
  remove: (text: string, path: EntryPath) => string;
  /** Takes away the object with the servers, which must be empty. */
  removeEmpty: (text: string, key: string) => string;
}

export interface EntryPath {
  key: string;
  name: string;
}
