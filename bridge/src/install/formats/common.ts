import type { Entry } from "../clients.js";
import type * as settingsLibraries from "./settings-libraries.js";

/** A file of its own, which only `install` and `uninstall` read. */
export type SettingsLibraries = typeof settingsLibraries;

export function loadSettingsLibraries(): Promise<SettingsLibraries> {
  return import("./settings-libraries.js");
}

/** Why a settings file is left as it is, as the end of a sentence about it. */
export class SettingsProblem extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "SettingsProblem";
  }
}

export function lineEndOf(text: string): "\n" | "\r\n" {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

export function toLineEnd(text: string, lineEnd: string): string {
  return text.replace(/\r?\n/g, lineEnd);
}

export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

export function nextLine(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end < 0 ? text.length : end + 1;
}

export function splice(text: string, [from, to]: readonly [number, number], by: string): string {
  return text.slice(0, from) + by + text.slice(to);
}

/** With a line end at its end, unless there is nothing. */
export function endLine(text: string, lineEnd: string): string {
  return text === "" || text.endsWith("\n") ? text : text + lineEnd;
}

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
