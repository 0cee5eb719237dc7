import type { AsyncEntry } from "@napi-rs/keyring";
import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { hasCode } from "../common/errors.js";
import { isOurs } from "../common/ownership.js";
import type { Environment } from "../common/settings.js";
import { ageOf } from "../common/timing.js";
import { writeFileAtomic } from "../profile/files.js";
import { withLock } from "../profile/lock.js";
import {
  classifyKeychainError,
  describeKeychainError,
  type Keychain,
  type KeychainErrorKind,
  type KeychainLibrary,
  locked,
  probeAccount,
  service,
  withKeychainTimeout,
} from "./keychain.js";

const execute = promisify(execFile);
const isWithoutBus = (platform: NodeJS.Platform) => platform === "win32" || platform === "darwin";

/**
 * Whether each session bus that the variable names is a socket of this user. Once a bus has ended, anyone can
 * listen in its place; an abstract name has no owner. Without the variable the libraries check the owner.
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

/** Undefined where it is not written as addresses are. */
function decode(path = "%"): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

const answerMs = 1_000;
const keychain = "org.freedesktop.secrets";
const path = "/org/freedesktop/secrets/aliases/default";
const collection = "org.freedesktop.Secret.Collection";
const getProperty = "org.freedesktop.DBus.Properties.Get";
/** Which of these commands is installed differs between distributions. */
const questions = {
  busctl: ["--user", "get-property", keychain, path, collection, "Locked"],
  "dbus-send": [
    ...["--session", "--print-reply", `--dest=${keychain}`],
    ...[path, getProperty, `string:${collection}`, "string:Locked"],
  ],
};

/** Asked of the Secret Service: a library would ask the person to unlock it. Undefined where nothing can tell. */
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

/** Over all bridges of a home: whoever dismissed the question is not asked again at once. */
const askAgainMs = 60_000;
const unlockMs = 60_000;

type Calls = Pick<Keychain, "get" | "set" | "delete">;

let saidLocked = false;

/** Calls that never reach a locked keychain, for it would ask for its password. Only `unlock` does. */
export function withoutQuestions(
  environment: Environment,
  calls: Calls,
): Calls & Pick<Keychain, "unlock"> {
  const guard =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      await refuseBusOfOthers(environment);
      // Where the system does not say, what a library last said counts.
      if ((await isSecretServiceLocked(environment)) ?? saidLocked) throw locked();
      return remember(call(...args));
    };
  return {
    get: guard(calls.get),
    set: guard(calls.set),
    delete: guard(calls.delete),
    unlock: async () => {
      await refuseBusOfOthers(environment);
      const account = probeAccount(service);
      await withKeychainTimeout(() => remember(calls.set(account, "probe")), unlockMs);
      await withKeychainTimeout(() => calls.delete(account));
    },
  };
}

/** Asked before each call: a session can end while the bridge goes on. */
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

/** Whether a window may ask for the password now. Says yes once a minute. */
export async function mayAskToUnlock(home: string): Promise<boolean> {
  const path = join(home, "keychain-asked");
  return withLock({ folder: home }, "keychain-asked", { waitMs: 3_000 }, async () => {
    const asked = await stat(path).catch(() => undefined);
    if (asked !== undefined && ageOf(asked.mtimeMs) < askAgainMs) return false;
    await writeFileAtomic(path, "");
    return true;
  });
}

/** Loads native code, so only what is needed. Rejects where the library is missing. */
export const loadLibrary: Record<KeychainLibrary, (environment: Environment) => Promise<Keychain>> =
  {
    keytar: loadKeytar,
    keyring: (environment) => orByCommand(() => loadKeyring(environment)),
  };

async function loadKeytar(environment: Environment): Promise<Keychain> {
  const { default: keytar } = await import("keytar");
  const calls: Calls = {
    get: async (account) => (await keytar.getPassword(service, account)) ?? undefined,
    set: (account, value) => keytar.setPassword(service, account, value),
    delete: (account) => keytar.deletePassword(service, account),
  };
  return {
    library: "keytar",
    ...withoutQuestions(environment, withSharedNames("keytar", calls)),
  };
}

/** On macOS the system's own command reaches the same items. */
export async function orByCommand(
  load: () => Promise<Keychain>,
  platform = process.platform,
): Promise<Keychain> {
  try {
    return await load();
  } catch (error) {
    if (platform !== "darwin") throw error;
    const { createSecurityKeychain } = await import("./security-command.js");
    const keychain = createSecurityKeychain();
    // There is no session bus on macOS: what the command last said counts.
    return { ...keychain, ...withoutQuestions({}, keychain) };
  }
}

async function loadKeyring(environment: Environment): Promise<Keychain> {
  const { AsyncEntry } = await import("@napi-rs/keyring");
  const entries = new Map<string, AsyncEntry>();
  // Making one asks the Secret Service, within this thread. Without the pin it would go on to the
  // kernel's keyring without a word, which forgets everything at the next boot.
  const entryOf = (account: string) => {
    const entry =
      entries.get(account) ??
      new AsyncEntry(service, account, { linux: { store: "secret-service" } });
    entries.set(account, entry);
    return entry;
  };
  const calls: Calls = {
    get: async (account) => {
      const bytes = await entryOf(account).getSecret();
      return bytes === null ? undefined : Buffer.from(bytes).toString("utf8");
    },
    // As bytes: its passwords take twice the room on Windows.
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
 * Lets both libraries find the same items on Windows, which keytar names `<service>/<account>` and the other
 * `<account>.<service>`. Items with an old name are moved.
 */
export function withSharedNames(
  library: KeychainLibrary,
  calls: Calls,
  platform = process.platform,
): Calls {
  if (platform !== "win32") return calls;
  const toName = (account: string) =>
    library === "keytar" ? `${account}.${service}` : `${service}/${account}`;
  return {
    get: async (account) => {
      const value = await calls.get(toName(account));
      if (value !== undefined) return value;
      const moved = await calls.get(account);
      if (moved === undefined) return undefined;
      await calls.set(toName(account), moved);
      await calls.delete(account);
      return moved;
    },
    set: (account, value) => calls.set(toName(account), value),
    delete: async (account) => {
      const wasOld = await calls.delete(account);
      return (await calls.delete(toName(account))) || wasOld;
    },
  };
}

/** "missing": the library is not installed, was not built or cannot run here. */
export type LibraryProbe =
  | { outcome: "works"; keychain: Keychain }
  | { outcome: KeychainErrorKind | "missing"; detail: string; cause: unknown };

/** Whether a library can keep a secret here: only writing, reading and deleting one tells. */
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
  const account = probeAccount(service);
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
