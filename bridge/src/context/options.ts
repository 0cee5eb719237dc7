import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { BridgeError } from "../common/errors.js";
import { logLevels, type Settings, type StorageChoice } from "../common/settings.js";
import { headerName } from "../common/text.js";
import type { Io } from "./io.js";

export type OptionGroup = "Sign-in options:" | "Connection options:" | "Other options:";

interface OptionSpec<T> {
  flags?: string;
  /** Its heading in the help. */
  group?: OptionGroup;
  variable?: string;
  help?: string;
  /** Ends the sentence "<option> must be …". Values are never quoted, because some are secret. */
  allowed: string;
  parse: (text: string) => T | undefined;
}

const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;
/** RFC 6749 §3.3. */
const scopes = /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/;
const visible = /^[\x21-\x7e]+$/;
/** Headers for framing a request or with a meaning in MCP. The bridge sets them. */
const ownHeaders = /^(accept|connection|content-.*|host|transfer-encoding|upgrade|mcp-.*)$/i;

const oneOf =
  <T extends string>(...values: readonly T[]) =>
  (text: string): T | undefined =>
    values.find((value) => value === text);
const matching = (pattern: RegExp) => (text: string) => (pattern.test(text) ? text : undefined);
const wholeNumber = (least: number, most: number) => (text: string) => {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : NaN;
  return value >= least && value <= most ? value : undefined;
};

const specs = {
  storage: {
    flags: "--storage <where>",
    group: "Sign-in options:",
    variable: "FETTLE_BRIDGE_STORAGE",
    help: "where to keep refresh tokens: auto, keychain or file (default: auto)",
    allowed: "auto, keychain or file",
    parse: oneOf<StorageChoice>("auto", "keychain", "file"),
  },
  profile: {
    flags: "--profile <name>",
    group: "Sign-in options:",
    variable: "FETTLE_BRIDGE_PROFILE",
    help: "name of the profile, for several accounts on one server",
    allowed: 'at most 64 letters, digits, ".", "_" or "-"',
    parse: matching(/^[\w.-]{1,64}$/),
  },
  scope: {
    flags: "--scope <scopes>",
    group: "Sign-in options:",
    variable: "FETTLE_BRIDGE_SCOPE",
    help: "scopes to request, separated by spaces (default: the server's)",
    allowed: 'scopes separated by single spaces, like "mcp_read mcp_write"',
    parse: matching(scopes),
  },
  header: {
    flags: "--header <header>",
    group: "Connection options:",
    help: 'extra request header, as "Name: value"; repeatable',
    allowed: '"Name: value", and not a header that the bridge writes itself',
    parse: toHeader,
  },
  callbackPort: {
    flags: "--callback-port <n>",
    group: "Sign-in options:",
    help: "loopback port the browser returns to (default: a free one)",
    allowed: "a whole number from 0 (any free port) to 65535",
    parse: wholeNumber(0, 65_535),
  },
  timeout: {
    flags: "--timeout <seconds>",
    group: "Connection options:",
    help: "longest wait for the server (default: 60)",
    allowed: "a whole number of seconds from 1 to 86400",
    parse: wholeNumber(1, 86_400),
  },
  caFile: {
    flags: "--ca-file <path>",
    group: "Connection options:",
    variable: "NODE_EXTRA_CA_CERTS",
    help: "file with extra certificate authorities",
    allowed: "a file that can be read and holds certificates in PEM form",
    parse: toCaFile,
  },
  cert: {
    flags: "--cert <path>",
    group: "Connection options:",
    variable: "FETTLE_BRIDGE_CERT",
    help: "file with a client certificate, and its key unless --key is given",
    allowed: "a file that can be read and holds a certificate in PEM form",
    parse: toCaFile,
  },
  key: {
    flags: "--key <path>",
    group: "Connection options:",
    variable: "FETTLE_BRIDGE_KEY",
    help: "file with the key of the client certificate",
    allowed: "a file that can be read and holds a private key in PEM form without a password",
    parse: (path) => (hasKey(path) ? path : undefined),
  },
  logLevel: {
    flags: "--log-level <level>",
    variable: "FETTLE_BRIDGE_LOG",
    help: "level of stderr: silent, error, info or debug (default: error)",
    allowed: "silent, error, info or debug",
    parse: oneOf(...logLevels),
  },
  clientId: {
    variable: "FETTLE_BRIDGE_CLIENT_ID",
    allowed: "a client id without spaces",
    parse: matching(visible),
  },
  clientSecret: {
    variable: "FETTLE_BRIDGE_CLIENT_SECRET",
    allowed: "a client secret without spaces",
    parse: matching(visible),
  },
  clientMetadataUrl: {
    variable: "FETTLE_BRIDGE_CLIENT_METADATA_URL",
    allowed: "an https address with a path",
    parse: toMetadataUrl,
  },
} satisfies Record<string, OptionSpec<unknown>>;

export const readOnlyOption = {
  flags: "--read-only",
  group: "Connection options:",
  help: "hide and refuse tools that are not marked read-only",
};

export const valueOptions = Object.values<OptionSpec<unknown>>(specs).flatMap(
  ({ flags, group = "Other options:", help, variable, parse }) =>
    flags === undefined
      ? []
      : {
          flags,
          group,
          help: [help, variable && `[${variable}]`].filter(Boolean).join(" "),
          repeatable: parse === toHeader,
        },
);

type Specs = typeof specs;
type FlagName = {
  [Name in keyof Specs]: Specs[Name] extends { flags: string } ? Name : never;
}[keyof Specs];

/** Options from commander, named after their flags and not validated. */
export type CliOptions = Partial<Record<Exclude<FlagName, "header">, string | undefined>> & {
  header?: string[];
  readOnly?: boolean;
};

/** All settings except the server and the home. An option overrides its variable. */
export function readOptions(given: CliOptions, io: Io): Omit<Settings, "server" | "home"> {
  const read = <T>(spec: OptionSpec<T>, option?: string) => readOption(spec, option, io);
  const { header = [], readOnly = false } = given;
  return {
    profile: read(specs.profile, given.profile) ?? "",
    storage: read(specs.storage, given.storage) ?? "auto",
    scope: read(specs.scope, given.scope),
    headers: header.flatMap((text) => {
      const parsed = read(specs.header, text);
      return parsed === undefined ? [] : [parsed];
    }),
    callbackPort: read(specs.callbackPort, given.callbackPort) ?? 0,
    timeoutMs: (read(specs.timeout, given.timeout) ?? 60) * 1000,
    caFile: read(specs.caFile, given.caFile),
    ...toIdentity(read(specs.cert, given.cert), read(specs.key, given.key)),
    readOnly,
    logLevel: read(specs.logLevel, given.logLevel) ?? "error",
    browser: io.environment["BROWSER"] || undefined,
    client: toClient(read(specs.clientId), read(specs.clientSecret)),
    clientMetadataUrl: read(specs.clientMetadataUrl),
    environment: io.environment,
  };
}

/** Formats options as command-line arguments, with absolute file paths. */
export function toArguments(given: CliOptions): string[] {
  const words = Object.entries<OptionSpec<unknown>>(specs).flatMap(([name, { flags }]) => {
    if (flags === undefined) return [];
    const [option = "", placeholder] = flags.split(" ");
    const values = [given[name as keyof CliOptions] ?? []].flat().map(String);
    return values.flatMap((it) => [option, placeholder === "<path>" ? resolve(it) : it]);
  });
  return given.readOnly ? [...words, "--read-only"] : words;
}

function readOption<T>(spec: OptionSpec<T>, option: string | undefined, io: Io): T | undefined {
  const [text, name] =
    option === undefined
      ? [io.environment[spec.variable ?? ""], spec.variable]
      : [option, spec.flags?.split(" ")[0]];
  // An empty variable counts as unset. An empty option is a mistake.
  if (text === undefined || (text === "" && option === undefined)) return undefined;
  const value = spec.parse(text);
  if (value !== undefined) return value;
  throw new BridgeError("wrong_usage", `${name ?? ""} must be ${spec.allowed}.`);
}

function toHeader(text: string): readonly [string, string] | undefined {
  const [name = "", ...rest] = text.split(":");
  const value = rest.join(":").trim();
  const fits = rest.length > 0 && headerName.test(name) && headerValue.test(value);
  return fits && !ownHeaders.test(name) ? [name, value] : undefined;
}

function toCaFile(path: string): string | undefined {
  return readPem(path).includes("-----BEGIN CERTIFICATE-----") ? path : undefined;
}

function hasKey(path: string): boolean {
  const text = readPem(path);
  // The older PEM format names the encryption on a separate line.
  return /-----BEGIN (\w+ )?PRIVATE KEY-----/.test(text) && !/ENCRYPTED/.test(text);
}

function readPem(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

function toIdentity(
  cert: string | undefined,
  key: string | undefined,
): Pick<Settings, "cert" | "key"> {
  if (cert === undefined && key !== undefined) {
    throw new BridgeError("wrong_usage", "--key must come with --cert.");
  }
  if (cert !== undefined && key === undefined && !hasKey(cert)) {
    throw new BridgeError("wrong_usage", "--cert must come with --key, or hold the key too.");
  }
  return { cert, key };
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
