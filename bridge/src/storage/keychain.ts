import type { AsyncEntry } from "@napi-rs/keyring";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { BridgeError, errorMessage, hasCode } from "../common/errors.js";
import { isOurs } from "../common/ownership.js";
import type { Environment } from "../common/settings.js";
import { toPlainText } from "../common/text.js";
import { ageOf } from "../common/timing.js";
import { writeFileAtomic } from "../profile/files.js";
import { withLock } from "../profile/lock.js";
import { keychainService, type SecretName, type SecretStore } from "../profile/profile.js";
import { createSecurityKeychain } from "./security-command.js";

/** Limit for a keychain that waits for a person or hangs. */
const defaultLimitMs = 3_000;

export class KeychainTimeout extends Error {
  override name = "KeychainTimeout";
  override message = "it does not answer";
}

let lastTurn: Promise<unknown> = Promise.resolve();
let isHanging = false;

/**
 * Makes one call at a time and none while one hangs: each call uses one of the four threads that
 * also read files.
 */
export function withKeychainTimeout<Result>(
  call: () => Promise<Result>,
  limitMs = defaultLimitMs,
): Promise<Result> {
  if (isHanging) return Promise.reject(new KeychainTimeout());
  let isGivenUp = false;
  const answer = lastTurn.then(() => {
    if (isGivenUp) throw new KeychainTimeout();
    return call();
  });
  lastTurn = answer.catch(() => undefined);
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => {
      isGivenUp = true;
      isHanging = true;
      process.off("exit", killAtExit).on("exit", killAtExit);
      reject(new KeychainTimeout());
    }, limitMs);
    void answer.then(resolve, reject).finally(() => {
      clearTimeout(limit);
      isHanging = false;
    });
  });
}

/** A normal exit waits for all threads, including the one that waits for the keychain. */
function killAtExit(): void {
  if (isHanging) process.kill(process.pid, "SIGKILL");
}

/** The category of a failed call. "absent": there is no keychain. "failed": anything else. */
export type KeychainErrorKind = "locked" | "absent" | "failed";

/** Messages of gnome-keyring in both libraries, and of macOS (its -25308). */
const lockedWords = [
  /\blocked\b/i,
  /prompt was dismissed/i,
  /interaction is not allowed/i,
  /-25308/,
];

/**
 * No D-Bus, a dead one, no owner of the name, no collection, or Windows without a logon session.
 */
const absentWords = [
  /no session bus of this user/i,
  /autolaunch/i,
  /could not connect/i,
  /failed to connect to socket/i,
  /not provided by any \.service/i,
  /ServiceUnknown|Spawn\.ChildExited/,
  /object does not exist/i,
  /no result found/i,
  /logon session does not exist/i,
];

export function classifyKeychainError(error: unknown): KeychainErrorKind {
  const message = errorMessage(error);
  const says = (words: readonly RegExp[]) => words.some((word) => word.test(message));
  if (says(lockedWords)) return "locked";
  if (says(absentWords)) return "absent";
  return "failed";
}

function toBridgeError(error: unknown): BridgeError {
  if (error instanceof BridgeError) return error;
  return classifyKeychainError(error) === "locked"
    ? locked(error)
    : unavailable(describeKeychainError(error), error);
}

export function locked(cause?: unknown): BridgeError {
  return new BridgeError("keychain_locked", "The keychain is locked. Unlock it and try again.", {
    cause,
  });
}

export function unavailable(reason: string, cause?: unknown): BridgeError {
  return new BridgeError(
    "keychain_unavailable",
    `The keychain cannot be used: ${reason}. Make it available and try again, or keep the tokens ` +
      "in a file that only you can read: fettle-bridge login --storage file",
    { cause },
  );
}

function describeKeychainError(error: unknown): string {
  if (error instanceof KeychainTimeout) {
    return "it does not answer, perhaps because it waits for a password in another window";
  }
  return toPlainText(errorMessage(error)).replace(/\.$/, "").slice(0, 200);
}

export type KeychainLibrary = "keytar" | "keyring";

/** The common calls of both libraries. Each can take any time. */
export interface Keychain {
  library: KeychainLibrary;
  /** How the keychain is reached, if not by the library. */
  by?: string;
  get: (account: string) => Promise<string | undefined>;
  set: (account: string, value: string) => Promise<void>;
  /** Returns false if there was nothing to delete. */
  delete: (account: string) => Promise<boolean>;
  /** Makes the system prompt for the password. Resolves when it was entered. */
  unlock: () => Promise<void>;
}

/** Windows allows 2,560 bytes. The rest is reserved for its own data. */
const windowsLimit = 2_400;

export function createKeychainStore(
  keychain: Omit<Keychain, "unlock">,
  key: string,
  { platform = process.platform } = {},
): SecretStore {
  const call = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await withKeychainTimeout(work);
    } catch (error) {
      throw toBridgeError(error);
    }
  };
  // A locked keychain also reports "not found". Only a write reveals the lock.
  const checkUnlocked = async () => {
    const account = probeAccount(key);
    await call(() => keychain.set(account, "probe"));
    await call(() => keychain.delete(account));
  };
  return {
    backend: keychain.library,
    get: async (name) => {
      const value = await call(() => keychain.get(accountOf(key, name)));
      // The access token is often not stored, and never requested without the others.
      if (value === undefined && name === "rt") await checkUnlocked();
      return value;
    },
    set: async (name, value) => {
      checkSize(value, platform);
      await call(() => keychain.set(accountOf(key, name), value));
    },
    delete: async (name) => {
      if (!(await call(() => keychain.delete(accountOf(key, name))))) await checkUnlocked();
    },
  };
}

/** Each probe has a separate item, so parallel probes don't collide. */
function probeAccount(prefix: string): string {
  return `${prefix}/probe-${randomBytes(8).toString("hex")}`;
}

function accountOf(key: string, name: SecretName): string {
  return name === "rt" ? key : `${key}/${name}`;
}

function checkSize(value: string, platform: NodeJS.Platform): void {
  const size = Buffer.byteLength(value);
  if (platform !== "win32" || size <= windowsLimit) return;
  throw new BridgeError(
    "keychain_unavailable",
    `The tokens of this server are too large for the keychain of Windows (${size} bytes, ` +
      `the most is ${windowsLimit}). Use --storage file.`,
  );
}

const execute = promisify(execFile);
const isWithoutBus = (platform: NodeJS.Platform) => platform === "win32" || platform === "darwin";

/**
 * Returns true if each session bus in the variable is a socket of this user. After a bus ends,
 * anyone can listen in its place, and an abstract name has no owner. Without the variable, the
 * libraries check the owner.
 */
export async function isBusOfUser(
  environment: Environment,
  platform = process.platform,
): Promise<boolean> {
  if (isWithoutBus(platform)) return true;
  const addresses = (environment["DBUS_SESSION_BUS_ADDRESS"] ?? "").split(";");
  for (const address of addresses.filter((one) => one !== "")) {
    const path = decode(/^unix:(?:.*?,)?path=([^,]+)/.exec(address)?.[1]);
    if (path === undefined || !(await isOurs(path, "socket"))) return false;
  }
  return true;
}

/** Returns undefined for invalid encoding. */
function decode(path = "%"): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

const answerMs = 1_000;
const secretService = "org.freedesktop.secrets";
const defaultAlias = "/org/freedesktop/secrets/aliases/default";
const collection = "org.freedesktop.Secret.Collection";
const getProperty = "org.freedesktop.DBus.Properties.Get";
/** Distributions install different commands. */
const questions = {
  busctl: ["--user", "get-property", secretService, defaultAlias, collection, "Locked"],
  "dbus-send": [
    ...["--session", "--print-reply", `--dest=${secretService}`],
    ...[defaultAlias, getProperty, `string:${collection}`, "string:Locked"],
  ],
};

/**
 * Asks the Secret Service, because a library would prompt the person to unlock it. Undefined if no
 * command can tell.
 */
export async function isSecretServiceLocked(
  environment: Environment,
): Promise<boolean | undefined> {
  const hasBus = environment["DBUS_SESSION_BUS_ADDRESS"] ?? environment["XDG_RUNTIME_DIR"];
  if (isWithoutBus(process.platform) || hasBus === undefined) return undefined;
  for (const [command, args] of Object.entries(questions)) {
    try {
      const { stdout } = await execute(command, args, { env: environment, timeout: answerMs });
      return /\btrue\b/.test(stdout);
    } catch (error) {
      if (!hasCode(error, "ENOENT")) return undefined;
    }
  }
  return undefined;
}

/**
 * Bridges with the same home share this delay, so a dismissed prompt doesn't reappear immediately.
 */
const askAgainMs = 60_000;
const unlockMs = 60_000;

type Calls = Pick<Keychain, "get" | "set" | "delete">;

let saidLocked = false;

/**
 * Wraps calls to never reach a locked keychain, because that would prompt for its password. Only
 * `unlock` does.
 */
export function withoutQuestions(
  environment: Environment,
  calls: Calls,
): Calls & Pick<Keychain, "unlock"> {
  const guard =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      await refuseBusOfOthers(environment);
      // If the system doesn't say, use the library's last report.
      if ((await isSecretServiceLocked(environment)) ?? saidLocked) throw locked();
      return remember(call(...args));
    };
  return {
    get: guard(calls.get),
    set: guard(calls.set),
    delete: guard(calls.delete),
    unlock: async () => {
      await refuseBusOfOthers(environment);
      const account = probeAccount(keychainService);
      await withKeychainTimeout(() => remember(calls.set(account, "probe")), unlockMs);
      await withKeychainTimeout(() => calls.delete(account));
    },
  };
}

/** Checked before each call, because a session can end while the bridge continues. */
async function refuseBusOfOthers(environment: Environment): Promise<void> {
  if (!(await isBusOfUser(environment))) throw new Error("There is no session bus of this user");
}

async function remember<Result>(answer: Promise<Result>): Promise<Result> {
  try {
    const result = await answer;
    saidLocked = false;
    return result;
  } catch (error) {
    if (classifyKeychainError(error) === "locked") saidLocked = true;
    throw error;
  }
}

/** Returns true if a window may ask for the password now. At most once a minute. */
export async function mayAskToUnlock(home: string): Promise<boolean> {
  const path = join(home, "keychain-asked");
  return withLock({ folder: home }, "keychain-asked", { waitMs: 3_000 }, async () => {
    const asked = await stat(path).catch(() => undefined);
    if (asked !== undefined && ageOf(asked.mtimeMs) < askAgainMs) return false;
    await writeFileAtomic(path, "");
    return true;
  });
}

/** Loads native code, so loads only the requested library. Rejects if it is missing. */
export const loadLibrary: Record<KeychainLibrary, (environment: Environment) => Promise<Keychain>> =
  {
    keytar: loadKeytar,
    keyring: (environment) => orByCommand(() => loadKeyring(environment)),
  };

async function loadKeytar(environment: Environment): Promise<Keychain> {
  const { default: keytar } = await import("keytar");
  const calls: Calls = {
    get: async (account) => (await keytar.getPassword(keychainService, account)) ?? undefined,
    set: (account, value) => keytar.setPassword(keychainService, account, value),
    delete: (account) => keytar.deletePassword(keychainService, account),
  };
  return {
    library: "keytar",
    ...withoutQuestions(environment, withSharedNames("keytar", calls)),
  };
}

/** On macOS the system's own command can read the items. */
export async function orByCommand(
  load: () => Promise<Keychain>,
  platform = process.platform,
): Promise<Keychain> {
  try {
    return await load();
  } catch (error) {
    if (platform !== "darwin") throw error;
    const keychain = createSecurityKeychain();
    // macOS has no session bus, so the command's last report counts.
    return { ...keychain, ...withoutQuestions({}, keychain) };
  }
}

async function loadKeyring(environment: Environment): Promise<Keychain> {
  const { AsyncEntry } = await import("@napi-rs/keyring");
  const entries = new Map<string, AsyncEntry>();
  // Creating an entry queries the Secret Service within this thread. Without the pin, the library
  // would silently fall back to the kernel's keyring, which is lost at the next boot.
  const entryOf = (account: string) => {
    const entry =
      entries.get(account) ??
      new AsyncEntry(keychainService, account, { linux: { store: "secret-service" } });
    entries.set(account, entry);
    return entry;
  };
  const calls: Calls = {
    get: async (account) => {
      const bytes = await entryOf(account).getSecret();
      return bytes === null ? undefined : Buffer.from(bytes).toString("utf8");
    },
    // As bytes: passwords take twice the space on Windows.
    set: async (account, value) => {
      await entryOf(account).setSecret(Buffer.from(value));
    },
    delete: (account) => entryOf(account).deleteCredential(),
  };
  return {
    library: "keyring",
    ...withoutQuestions(environment, withSharedNames("keyring", calls)),
  };
}

/**
 * Lets both libraries find shared items on Windows. keytar names them `<service>/<account>`, the
 * other `<account>.<service>`.
 */
export function withSharedNames(
  library: KeychainLibrary,
  calls: Calls,
  platform = process.platform,
): Calls {
  if (platform !== "win32") return calls;
  const toName = (account: string) =>
    library === "keytar" ? `${account}.${keychainService}` : `${keychainService}/${account}`;
  return {
    get: (account) => calls.get(toName(account)),
    set: (account, value) => calls.set(toName(account), value),
    delete: (account) => calls.delete(toName(account)),
  };
}

/** "missing": the library is not installed, was not built or can't run here. */
export type LibraryProbe =
  | { outcome: "works"; keychain: Keychain }
  | { outcome: KeychainErrorKind | "missing"; detail: string; cause: unknown };

/** Tests if a library can store secrets by writing, reading and deleting one. */
export async function probeLibrary(
  library: KeychainLibrary,
  environment: Environment,
): Promise<LibraryProbe> {
  let keychain;
  try {
    keychain = await loadLibrary[library](environment);
  } catch (cause) {
    return { outcome: "missing", detail: describeKeychainError(cause), cause };
  }
  try {
    if (await keeps(keychain)) return { outcome: "works", keychain };
    return { outcome: "failed", detail: "it does not keep what it is given", cause: undefined };
  } catch (cause) {
    return { outcome: classifyKeychainError(cause), detail: describeKeychainError(cause), cause };
  }
}

async function keeps(keychain: Keychain): Promise<boolean> {
  const account = probeAccount(keychainService);
  await withKeychainTimeout(() => keychain.set(account, account));
  const found = await withKeychainTimeout(() => keychain.get(account));
  await withKeychainTimeout(() => keychain.delete(account));
  return found === account;
}

export async function probeKeychain(
  environment: Environment,
): Promise<Record<KeychainLibrary, LibraryProbe>> {
  const keytar = await probeLibrary("keytar", environment);
  return { keytar, keyring: await probeLibrary("keyring", environment) };
}
