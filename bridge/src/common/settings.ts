export type StorageChoice = "auto" | "keychain" | "file";
/** Each writes what the one before does, and more. */
export const logLevels = ["silent", "error", "info", "debug"] as const;
export type LogLevel = (typeof logLevels)[number];

export interface Settings {
  /** The MCP address, as `toMcpUrl` gives it. */
  server: string;
  /** Tells several accounts on one server apart; "" is the one without a name. */
  profile: string;
  storage: StorageChoice;
  /** Scopes to ask for, separated by spaces; undefined asks for what the server names. */
  scope: string | undefined;
  /** Sent with every request to the server, never to its authorization server. */
  headers: readonly (readonly [name: string, value: string])[];
  /** Loopback port for the browser's return; 0 is any free one. */
  callbackPort: number;
  timeoutMs: number;
  caFile: string | undefined;
  /** Files with the certificate that the bridge introduces itself with, and its key. */
  cert: string | undefined;
  /** Undefined where `cert` holds both. */
  key: string | undefined;
  readOnly: boolean;
  logLevel: LogLevel;
  /** Folder of everything the bridge keeps outside the keychain. */
  home: string;
  /** Command that is run with the sign-in address as its one argument. */
  browser: string | undefined;
  /** A client that was registered by hand (RFC 7591 is not used then). */
  client: { id: string; secret: string | undefined } | undefined;
  /** Address of our client ID metadata document, for servers that read those. */
  clientMetadataUrl: string | undefined;
  /** What the process was started with, for proxy settings and for what kind of session this is. */
  environment: Environment;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Those of `--header`, as a request takes them. */
export function extraHeaders({ headers }: Pick<Settings, "headers">): Record<string, string> {
  return Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
}

/** An Authorization header given by hand, an API key say, stands in for any sign-in. */
export function hasAuthorizationHeader({ headers }: Pick<Settings, "headers">): boolean {
  return headers.some(([name]) => name.toLowerCase() === "authorization");
}

declare const bridgeVersion: string | undefined;

/** Put in by bundle.mjs from package.json; sources that run without a bundle have none. */
export const version = typeof bridgeVersion === "undefined" ? "0.0.0" : bridgeVersion;
