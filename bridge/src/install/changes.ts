import { existsSync } from "node:fs";
import { mkdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { errorMessage, hasCode } from "../common/errors.js";
import { toRecord } from "../common/json.js";
import { toMcpUrl } from "../common/server-address.js";
import type { Io } from "../context/io.js";
import { writeFileAtomic } from "../profile/files.js";
import { type Client, clients, type Entry, findPlaces } from "./clients.js";
import {
  changeEntry,
  createFormat,
  readEntries,
  type SettingsFormat,
  type SettingsLibraries,
  SettingsProblem,
} from "./formats.js";

export interface Wanted {
  server: string;
  profile: string;
  /** Options of the bridge. They require the program. */
  options: readonly string[];
  program: Program;
}

export interface Program {
  command: string;
  script: string;
}

export interface SettingsFile {
  client: Client;
  file: string;
  format: SettingsFormat;
}

/**
 * The settings files of installed clients. For named clients that aren't installed, the default
 * file.
 */
export function findSettingsFiles(
  io: Io,
  libraries: SettingsLibraries,
  names?: readonly string[],
): SettingsFile[] {
  const at = findPlaces(io);
  return clients.flatMap((client) => {
    if (names?.includes(client.id) === false) return [];
    const places = client.places(at);
    const found = places.filter(({ signs }) => signs.some((sign) => existsSync(sign)));
    const used = names && found.length === 0 ? places.slice(0, 1) : found;
    const format = createFormat(client.format, libraries);
    return used.map(({ file }) => ({ client, file, format }));
  });
}

export interface EntryMeaning {
  kind: "program" | "address";
  server: string;
  profile: string;
}

/** Names that clients use for the connection. All other fields belong to the person. */
const transportFields = ["type", "command", "cmd", "args", "url", "serverUrl", "httpUrl", "uri"];
const ownName = "fettle";

export function isOwnName(name: string): boolean {
  return name === ownName || name.startsWith(`${ownName}-`);
}

/**
 * Returns undefined unless it is an address or the bridge. In a checkout, `script` counts as the
 * bridge.
 */
function interpret(entry: unknown, script?: string): EntryMeaning | undefined {
  const { url, serverUrl, httpUrl, uri } = toRecord(entry);
  const words = wordsOf(entry);
  const others = words.filter((word) => word !== script && !isBridge(word));
  if (others.length < words.length) {
    const server = others.map(toServer).find((found) => found !== undefined);
    if (server === undefined) return undefined;
    return { kind: "program", server, profile: profileIn(words) };
  }
  const server = toServer(url ?? serverUrl ?? httpUrl ?? uri);
  return server === undefined ? undefined : { kind: "address", server, profile: "" };
}

function wordsOf(entry: unknown): string[] {
  const { command, cmd, args } = toRecord(entry);
  const words = [command ?? cmd, ...(Array.isArray(args) ? (args as unknown[]) : [])];
  return words.filter((word) => typeof word === "string");
}

/** Matches the command, the package as npx takes it, and the script of an installed package. */
function isBridge(word: string): boolean {
  return (
    /^(.*[\\/])?fettle-bridge(@[\w.-]+|\.cmd|\.tgz)?$/.test(word) ||
    /[\\/]fettle-bridge[\\/]dist[\\/]main\.js$/.test(word)
  );
}

function toServer(text: unknown): string | undefined {
  if (typeof text !== "string" || !/^https?:/i.test(text)) return undefined;
  try {
    return toMcpUrl(text);
  } catch {
    return undefined;
  }
}

function profileIn(words: readonly string[]): string {
  const at = words.indexOf("--profile");
  if (at >= 0) return words[at + 1] ?? "";
  return words.find((word) => word.startsWith("--profile="))?.slice("--profile=".length) ?? "";
}

function chooseName(entries: Record<string, unknown>, wanted: Wanted): string {
  const { server, profile, program } = wanted;
  for (const [name, entry] of Object.entries(entries)) {
    const found = interpret(entry, program.script);
    if (found?.server === server && found.profile === profile) return name;
  }
  const host = new URL(server).hostname.replace(/[^a-z0-9]+/gi, "-").replace(/^-|-$/g, "");
  const ending = (profile === "" ? host : profile).replace(/[^\w-]+/g, "-");
  const candidates = [ownName, `${ownName}-${ending}`];
  for (let count = 2; ; count += 1) {
    const name = candidates.shift() ?? `${ownName}-${ending}-${count}`;
    if (!Object.hasOwn(entries, name)) return name;
  }
}

/** Builds a server's entry. Retains fields that the person added. */
function makeEntry(client: Client, name: string, before: unknown, wanted: Wanted): Entry {
  const { server, options, program } = wanted;
  const entry =
    client.address !== undefined && options.length === 0
      ? client.address(server, name)
      : client.program(program.command, [program.script, ...options, server], name);
  const existing = toRecord(before);
  if (isAddress(existing) !== isAddress(entry)) return entry;
  const additions = Object.entries(existing).filter(([field]) => !transportFields.includes(field));
  const transport = Object.entries(entry).filter(([field]) => transportFields.includes(field));
  const merged = { ...entry, ...Object.fromEntries([...additions, ...transport]) };
  return isDeepStrictEqual(merged, existing) ? existing : merged;
}

function isAddress(entry: Entry): boolean {
  return !("command" in entry || "cmd" in entry);
}

async function readSettings(file: string): Promise<string | undefined> {
  let bytes;
  try {
    bytes = await readFile(file);
  } catch (cause) {
    if (hasCode(cause, "ENOENT", "ENOTDIR")) return undefined;
    throw new SettingsProblem(`it cannot be read: ${errorMessage(cause)}`, { cause });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new SettingsProblem("it is not written in UTF-8", { cause });
  }
}

/**
 * Stores a settings file's original content before the bridge's first change. Empty if there was no
 * file.
 */
function backupOf(file: string): string {
  return `${file}.before-fettle-bridge`;
}

/**
 * Writes through links and retains the mode. Returns false if its client wrote the file since
 * `before` was read.
 */
export async function replaceSettings(
  file: string,
  before: string | undefined,
  after: string,
): Promise<boolean> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await backUp(file, before);
    // Follow links: the file may be in a collection of dotfiles.
    const target = before === undefined ? file : await realpath(file);
    const mode = before === undefined ? 0o600 : (await stat(target)).mode & 0o777;
    if ((await readSettings(file)) !== before) return false;
    await writeFileAtomic(target, after, mode);
    return true;
  } catch (cause) {
    if (cause instanceof SettingsProblem) throw cause;
    throw new SettingsProblem(`it cannot be written: ${errorMessage(cause)}`, { cause });
  }
}

export async function removeBackup(file: string, settings = ""): Promise<void> {
  if ((await readBackup(file)) === settings) await rm(backupOf(file), { force: true });
}

function readBackup(file: string): Promise<string | undefined> {
  return readSettings(backupOf(file)).catch(() => undefined);
}

async function backUp(file: string, before = ""): Promise<void> {
  try {
    await writeFile(backupOf(file), before, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
}

export interface Change {
  client: Client;
  file: string;
  before: string | undefined;
  /** Equals `before` if nothing changes. Undefined if only our entry was in the file. */
  after: string | undefined;
  entries: { name: string; meaning: EntryMeaning }[];
}

export type FoundEntry = Change["entries"][number] & { words: string[] };

export async function planInstall(
  { client, file, format }: SettingsFile,
  wanted: Wanted,
): Promise<Change> {
  const before = await readSettings(file);
  const entries = readEntries(format, before ?? "", client.key);
  const name = chooseName(entries, wanted);
  const entry = makeEntry(client, name, entries[name], wanted);
  const after =
    entry === entries[name]
      ? before
      : changeEntry(format, before ?? "", { key: client.key, name }, entry);
  const { server, profile } = wanted;
  const kind = isAddress(entry) ? "address" : "program";
  return { client, file, before, after, entries: [{ name, meaning: { kind, server, profile } }] };
}

/** `isOurs` decides. Entries unknown to the bridge always remain. */
export async function planUninstall(
  { client, file, format }: SettingsFile,
  { script }: Program,
  /** `isNew`: the entry was not in the file before `install`. */
  isOurs: (name: string, meaning: EntryMeaning, isNew: boolean) => boolean,
): Promise<Change> {
  const before = await readSettings(file);
  const change: Change = { client, file, before, after: before, entries: [] };
  if (before === undefined) return change;
  const backup = await readBackup(file);
  const original = backup === undefined ? undefined : readEntries(format, backup, client.key);
  const entries = readEntries(format, before, client.key);
  let after = before;
  for (const [name, entry] of Object.entries(entries)) {
    const meaning = interpret(entry, script);
    const isNew = original !== undefined && !Object.hasOwn(original, name);
    if (meaning === undefined || !isOurs(name, meaning, isNew)) continue;
    after = changeEntry(format, after, { key: client.key, name }, undefined);
    change.entries.push({ name, meaning });
  }
  if (change.entries.length === 0) return change;
  if (backup === "") return { ...change, after: tidy(after, client, format) };
  return { ...change, after: backup && isMadeOf(backup, change, format) ? backup : after };
}

/** Returns true if the file is exactly what `install` made from this text. */
function isMadeOf(
  backup: string,
  { client: { key }, before, entries }: Change,
  format: SettingsFormat,
): boolean {
  const original = readEntries(format, backup, key);
  if (entries.some(({ name }) => Object.hasOwn(original, name))) return false;
  const current = readEntries(format, before ?? "", key);
  const made = entries.reduce(
    (text, { name }) => changeEntry(format, text, { key, name }, current[name] as Entry),
    backup,
  );
  return made === before;
}

/** For a file that we created: returns undefined if nothing else is in it. */
function tidy(text: string, { key }: Client, format: SettingsFormat): string | undefined {
  const others = Object.keys(toRecord(format.parse(text))).filter((name) => name !== key);
  const isEmpty = others.length === 0 && Object.keys(readEntries(format, text, key)).length === 0;
  return isEmpty ? undefined : text;
}

export async function findEntries({ client, file, format }: SettingsFile): Promise<FoundEntry[]> {
  const text = await readSettings(file);
  return Object.entries(readEntries(format, text ?? "", client.key)).flatMap(([name, entry]) => {
    const meaning = interpret(entry);
    return meaning === undefined ? [] : [{ name, meaning, words: wordsOf(entry) }];
  });
}
