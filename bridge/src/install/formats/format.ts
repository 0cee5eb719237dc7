import { isDeepStrictEqual } from "node:util";
import { isRecord, toRecord } from "../../common/json.js";
import type { Client, Entry } from "../clients.js";
import {
  type EntryPath,
  type SettingsFormat,
  type SettingsLibraries,
  SettingsProblem,
} from "./common.js";
import { createJsonFormat } from "./json.js";
import { createTomlFormat } from "./toml.js";
import { createYamlFormat } from "./yaml.js";

export function createFormat(
  format: Client["format"],
  libraries: SettingsLibraries,
): SettingsFormat {
  const create = { json: createJsonFormat, toml: createTomlFormat, yaml: createYamlFormat };
  const { parse, set, remove, removeEmpty } = create[format](libraries);
  return {
    parse: (text) => parse(withoutMark(text)),
    set: (text, path, entry) => markOf(text) + set(withoutMark(text), path, entry),
    remove: (text, path) => markOf(text) + remove(withoutMark(text), path),
    removeEmpty: (text, key) => markOf(text) + removeEmpty(withoutMark(text), key),
  };
}

/** The servers in a settings file, by name. */
export function readEntries(
  format: SettingsFormat,
  text: string,
  key: string,
): Record<string, unknown> {
  const data = format.parse(text);
  if (data === undefined || data === null) return {};
  if (!isRecord(data)) throw new SettingsProblem("it does not hold settings by name");
  const servers = data[key];
  if (servers === undefined || servers === null) return {};
  if (!isRecord(servers)) throw new SettingsProblem(`its "${key}" does not hold servers by name`);
  return servers;
}

/** The text with one entry set, or without it. Throws where more than that would change. */
export function changeEntry(
  format: SettingsFormat,
  text: string,
  path: EntryPath,
  entry: Entry | undefined,
): string {
  const expected = { ...readEntries(format, text, path.key) };
  if (entry === undefined) Reflect.deleteProperty(expected, path.name);
  else expected[path.name] = entry;
  const changed = entry === undefined ? format.remove(text, path) : format.set(text, path, entry);
  const before = { ...toRecord(format.parse(text)), [path.key]: expected };
  const after = { [path.key]: {}, ...toRecord(parseChanged(format, changed)) };
  if (!isDeepStrictEqual(before, after)) throw cannotChange(path);
  return changed;
}

function parseChanged(format: SettingsFormat, text: string): unknown {
  try {
    return format.parse(text);
  } catch {
    return undefined;
  }
}

function cannotChange({ key, name }: EntryPath): SettingsProblem {
  return new SettingsProblem(
    `"${name}" in its "${key}" is written in a way that cannot be changed`,
  );
}

/** Some programs of Windows begin a text with a byte order mark. */
function markOf(text: string): string {
  return text.startsWith("\uFEFF") ? "\uFEFF" : "";
}

function withoutMark(text: string): string {
  return text.slice(markOf(text).length);
}
