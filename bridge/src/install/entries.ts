import { isDeepStrictEqual } from "node:util";
import { toRecord } from "../common/json.js";
import { toMcpUrl } from "../common/server-address.js";
import type { Client, Entry } from "./clients.js";

/** A server as clients should reach it: through the program, or by its address alone. */
export interface Wanted {
  server: string;
  profile: string;
  /** Options of the bridge, for which only the program will do. */
  options: readonly string[];
  program: Program;
}

/** Node.js and the script that it runs, both with their full paths. */
export interface Program {
  command: string;
  script: string;
}

/** What an entry of a settings file does with which server. */
export interface EntryMeaning {
  kind: "program" | "address";
  server: string;
  profile: string;
}

/** How clients name what leads to a server; everything else in an entry is the person's. */
const transportFields = ["type", "command", "cmd", "args", "url", "serverUrl", "httpUrl", "uri"];
const ownName = "fettle";

/** Whether `install` gives such names. */
export function isOwnName(name: string): boolean {
  return name === ownName || name.startsWith(`${ownName}-`);
}

/** Undefined for what neither starts the bridge nor names an address. */
export function interpret(entry: unknown): EntryMeaning | undefined {
  const { url, serverUrl, httpUrl, uri } = toRecord(entry);
  const texts = wordsOf(entry);
  if (texts.some(isBridge)) {
    const others = texts.filter((text) => !isBridge(text));
    const server = others.map(toServer).find((found) => found !== undefined);
    return server === undefined
      ? undefined
      : { kind: "program", server, profile: profileIn(texts) };
  }
  const server = toServer(url ?? serverUrl ?? httpUrl ?? uri);
  return server === undefined ? undefined : { kind: "address", server, profile: "" };
}

/** The program that an entry starts, and its arguments. */
export function wordsOf(entry: unknown): string[] {
  const { command, cmd, args } = toRecord(entry);
  const words = [command ?? cmd, ...(Array.isArray(args) ? (args as unknown[]) : [])];
  return words.filter((word) => typeof word === "string");
}

/** The command, the package as npx takes it, or the script of an installed one. */
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

/** The entry that is there for the server already, or a name that is free. */
export function chooseName(entries: Record<string, unknown>, wanted: Wanted): string {
  const { server, profile, program } = wanted;
  for (const [name, entry] of Object.entries(entries)) {
    const found = interpret(entry) ?? interpretScript(entry, program);
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

/** Our script in a folder with another name, as in a checkout. */
export function interpretScript(entry: unknown, { script }: Program): EntryMeaning | undefined {
  const { args } = toRecord(entry);
  if (!Array.isArray(args) || !args.includes(script)) return undefined;
  return interpret({ command: ownCommand, args: args as unknown[] });
}

const ownCommand = "fettle-bridge";

/** The entry for a server, with what the person added to the one that is there. */
export function makeEntry(client: Client, name: string, before: unknown, wanted: Wanted): Entry {
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

export function isAddress(entry: Entry): boolean {
  return !("command" in entry || "cmd" in entry);
}
