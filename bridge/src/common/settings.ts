export type StorageChoice = "auto" | "keychain" | "file";
/** Each level includes the previous one. */
export const logLevels = ["silent", "error", "info", "debug"] as const;
export type LogLevel = (typeof logLevels)[number];

export interface Settings {
  /** The MCP address, normalized by `toMcpUrl`. */
  server: string;
  /** Distinguishes several accounts on one server. "" is the unnamed one. */
  profile: string;
  storage: StorageChoice;
  /**
   * Scopes to request, separated by spaces. Undefined requests the scopes that the server names.
   */
  scope: string | undefined;
  /** Sent with every request to the server, never to its authorization server. */
  headers: readonly (readonly [name: string, value: string])[];
  /** Loopback port for the browser's redirect. 0 selects any free port. */
  callbackPort: number;
  timeoutMs: number;
  caFile: string | undefined;
  /** Files with the bridge's client certificate and its key. */
  cert: string | undefined;
  /** Undefined if `cert` contains both. */
  key: string | undefined;
  readOnly: boolean;
  logLevel: LogLevel;
  /** Folder for all data of the bridge outside the keychain. */
  home: string;
  /** Command to run with the sign-in address as its only argument. */
  browser: string | undefined;
  /** A manually registered client. RFC 7591 is not used then. */
  client: { id: string; secret: string | undefined } | undefined;
  /** Address of our client ID metadata document, for servers that support it. */
  clientMetadataUrl: string | undefined;
  /** The process environment, for proxy settings and for detecting the kind of session. */
  environment: Environment;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export function extraHeaders({ headers }: Pick<Settings, "headers">): Record<string, string> {
  return Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
}

/** A manual Authorization header, such as an API key, replaces the sign-in. */
export function hasAuthorizationHeader({ headers }: Pick<Settings, "headers">): boolean {
  return headers.some(([name]) => name.toLowerCase() === "authorization");
}

declare const bridgeVersion: string | undefined;

/** Inserted by bundle.mjs from package.json. Unbundled sources have none. */
export const version = typeof bridgeVersion === "undefined" ? "0.0.0" : bridgeVersion;
