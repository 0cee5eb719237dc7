import { readFileSync } from "node:fs";
import { BridgeError } from "../common/errors.js";
import type { Io } from "./io.js";
import type { LogLevel, Settings, StorageChoice } from "../common/settings.js";

/** One setting: its option on the command line, its variable, or both. */
interface OptionSpec<T> {
  flags?: string;
  variable?: string;
  help?: string;
  /** Ends the sentence "<option> must be …". Values are never quoted: some are secret. */
  allowed: string;
  parse: (text: string) => T | undefined;
}

const storageChoices: readonly StorageChoice[] = ["auto", "keychain", "file"];
const logLevels: readonly LogLevel[] = ["silent", "error", "info", "debug"];
/** RFC 9110 §5.6.2. */
const token = /^[\w!#$%&'*+.^`|~-]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;
/** RFC 6749 §3.3. */
const scopes = /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/;
const visible = /^[\x21-\x7e]+$/;
/** Headers that frame a request or that MCP gives a meaning: the bridge writes them itself. */
const ownHeaders = /^(accept|connection|content-.*|host|transfer-encoding|upgrade|mcp-.*)$/i;

const storage: OptionSpec<StorageChoice> = {
  flags: "--storage <where>",
  variable: "FETTLE_BRIDGE_STORAGE",
  help: "where refresh tokens are kept: auto, keychain or file (default: auto)",
  allowed: "auto, keychain or file",
  parse: (text) => storageChoices.find((spec) => spec === text),
};
const profile: OptionSpec<string> = {
  flags: "--profile <name>",
  variable: "FETTLE_BRIDGE_PROFILE",
  help: "tells several accounts on one server apart",
  allowed: 'at most 64 letters, digits, ".", "_" or "-"',
  parse: (text) => matching(text, /^[\w.-]{1,64}$/),
};
const scope: OptionSpec<string> = {
  flags: "--scope <scopes>",
  variable: "FETTLE_BRIDGE_SCOPE",
  help: "scopes to ask for, separated by spaces (default: what the server names)",
  allowed: 'scopes separated by single spaces, like "mcp_read mcp_write"',
  parse: (text) => matching(text, scopes),
};
const header: OptionSpec<readonly [string, string]> = {
  flags: "--header <header>",
  help: 'extra request header, as "Name: value"; can be given several times',
  allowed: '"Name: value", and not a header that the bridge writes itself',
  parse: toHeader,
};
const callbackPort: OptionSpec<number> = {
  flags: "--callback-port <n>",
  help: "loopback port the browser comes back to (default: a free one)",
  allowed: "a whole number from 0 (any free port) to 65535",
  parse: (text) => toWholeNumber(text, 0, 65_535),
};
const timeout: OptionSpec<number> = {
  flags: "--timeout <seconds>",
  help: "longest wait for an answer of the server (default: 60)",
  allowed: "a whole number of seconds from 1 to 86400",
  parse: (text) => toWholeNumber(text, 1, 86_400),
};
const caFile: OptionSpec<string> = {
  flags: "--ca-file <path>",
  variable: "NODE_EXTRA_CA_CERTS",
  help: "file with extra certificate authorities",
  allowed: "a file that can be read and holds certificates in PEM form",
  parse: toCaFile,
};
const logLevel: OptionSpec<LogLevel> = {
  flags: "--log-level <level>",
  variable: "FETTLE_BRIDGE_LOG",
  help: "what is written to stderr: silent, error, info or debug (default: error)",
  allowed: "silent, error, info or debug",
  parse: (text) => logLevels.find((level) => level === text),
};
const clientId: OptionSpec<string> = {
  variable: "FETTLE_BRIDGE_CLIENT_ID",
  allowed: "a client id without spaces",
  parse: (text) => matching(text, visible),
};
const clientSecret: OptionSpec<string> = {
  variable: "FETTLE_BRIDGE_CLIENT_SECRET",
  allowed: "a client secret without spaces",
  parse: (text) => matching(text, visible),
};
const clientMetadataUrl: OptionSpec<string> = {
  variable: "FETTLE_BRIDGE_CLIENT_METADATA_URL",
  allowed: "an https address with a path",
  parse: toMetadataUrl,
};

export const readOnlyOption = {
  flags: "--read-only",
  help: "hides and refuses tools that are not marked as reading only",
};

/** The options that take a value, in the order `--help` shows them. */
export const valueOptions = [
  storage,
  profile,
  scope,
  header,
  callbackPort,
  timeout,
  caFile,
  logLevel,
].map((spec) => ({
  flags: spec.flags ?? "",
  help: [spec.help, spec.variable && `[${spec.variable}]`].filter(Boolean).join(" "),
  repeatable: spec === header,
}));

/** Options as commander hands them over: named after their flags, not looked into. */
export interface CliOptions {
  storage?: string;
  profile?: string;
  scope?: string;
  header?: string[];
  callbackPort?: string;
  timeout?: string;
  caFile?: string;
  readOnly?: boolean;
  logLevel?: string;
}

/** Everything but the server and the home. An option wins over its variable. */
export function readOptions(given: CliOptions, io: Io): Omit<Settings, "server" | "home"> {
  const read = <T>(spec: OptionSpec<T>, option?: string) => readOption(spec, option, io);
  return {
    profile: read(profile, given.profile) ?? "",
    storage: read(storage, given.storage) ?? "auto",
    scope: read(scope, given.scope),
    headers: (given.header ?? []).map((text) => read(header, text)).filter(isThere),
    callbackPort: read(callbackPort, given.callbackPort) ?? 0,
    timeoutMs: (read(timeout, given.timeout) ?? 60) * 1000,
    caFile: read(caFile, given.caFile),
    readOnly: given.readOnly ?? false,
    logLevel: read(logLevel, given.logLevel) ?? "error",
    browser: io.environment["BROWSER"] || undefined,
    client: toClient(read(clientId), read(clientSecret)),
    clientMetadataUrl: read(clientMetadataUrl),
    environment: io.environment,
  };
}

function readOption<T>(spec: OptionSpec<T>, option: string | undefined, io: Io): T | undefined {
  const [text, name] =
    option === undefined
      ? [io.environment[spec.variable ?? ""], spec.variable]
      : [option, spec.flags?.split(" ")[0]];
  // An empty variable is one that is not set; an empty option is a mistake.
  if (text === undefined || (text === "" && option === undefined)) return undefined;
  const value = spec.parse(text);
  if (value !== undefined) return value;
  throw new BridgeError("wrong_usage", `${name ?? ""} must be ${spec.allowed}.`);
}

function isThere<T>(value: T | undefined): value is T {
  return value !== undefined;
}

function matching(text: string, pattern: RegExp): string | undefined {
  return pattern.test(text) ? text : undefined;
}

function toWholeNumber(text: string, least: number, most: number): number | undefined {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : NaN;
  return value >= least && value <= most ? value : undefined;
}

function toHeader(text: string): readonly [string, string] | undefined {
  const [name = "", ...rest] = text.split(":");
  const value = rest.join(":").trim();
  const fits = rest.length > 0 && token.test(name) && headerValue.test(value);
  return fits && !ownHeaders.test(name) ? [name, value] : undefined;
}

function toCaFile(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1").includes("-----BEGIN CERTIFICATE-----") ? path : undefined;
  } catch {
    return undefined;
  }
}

function toMetadataUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, pathname } = new URL(text);
  return protocol === "https:" && pathname !== "/" ? text : undefined;
}

function toClient(id: string | undefined, secret: string | undefined): Settings["client"] {
  if (id !== undefined) return { id, secret };
  if (secret === undefined) return undefined;
  throw new BridgeError(
    "wrong_usage",
    "FETTLE_BRIDGE_CLIENT_SECRET must come with FETTLE_BRIDGE_CLIENT_ID.",
  );
}
