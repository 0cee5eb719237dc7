import type { AsyncEntry } from "@napi-rs/keyring";
import type { Environment } from "../common/settings.js";
import {
  classifyKeychainError,
  describeKeychainError,
  type KeychainErrorKind,
} from "./keychain-errors.js";
import { type Calls, withoutQuestions } from "./keychain-lock.js";
import { withKeychainTimeout } from "./keychain-timeout.js";
import { type Keychain, type KeychainLibrary, probeAccount, service } from "./keychain.js";
import { type AccountAttribute, shareItem } from "./secret-service.js";

/** Loads native code, so only what is needed. Rejects where the library is missing. */
export const loadLibrary: Record<KeychainLibrary, (environment: Environment) => Promise<Keychain>> =
  {
    keytar: loadKeytar,
    keyring: loadKeyring,
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
    ...withoutQuestions(environment, withSharedItems(environment, "account", calls)),
  };
}

async function loadKeyring(environment: Environment): Promise<Keychain> {
  return orByCommand(() => loadNativeKeyring(environment));
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

async function loadNativeKeyring(environment: Environment): Promise<Keychain> {
  const { AsyncEntry } = await import("@napi-rs/keyring");
  // Making one asks the Secret Service, within this thread. Without the pin it would go on to the
  // kernel's keyring without a word, which forgets everything at the next boot.
  const plain = (account: string) =>
    new AsyncEntry(service, account, { linux: { store: "secret-service" } });
  // Windows has one name for an item, and this is keytar's.
  const named = (account: string) =>
    AsyncEntry.withTarget(`${service}/${account}`, service, account);
  const calls =
    process.platform === "win32"
      ? withOldItems(toCalls(named), toCalls(plain))
      : withSharedItems(environment, "username", toCalls(plain));
  return { library: "keyring", ...withoutQuestions(environment, calls) };
}

function toCalls(make: (account: string) => AsyncEntry): Calls {
  const entries = new Map<string, AsyncEntry>();
  const entryOf = (account: string) => {
    const entry = entries.get(account) ?? make(account);
    entries.set(account, entry);
    return entry;
  };
  return {
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
}

/** On Linux: what one library wrote, the other one finds too. */
function withSharedItems(environment: Environment, own: AccountAttribute, calls: Calls): Calls {
  const share = (account: string) => shareItem(environment, { service, account, own });
  return {
    get: async (account) => {
      const value = await calls.get(account);
      return value ?? ((await share(account)) ? calls.get(account) : undefined);
    },
    set: async (account, value) => {
      // Without the first, one that the other library made would stay beside it.
      await share(account);
      await calls.set(account, value);
      await share(account);
    },
    delete: async (account) => {
      await share(account);
      return calls.delete(account);
    },
  };
}

/** Moves what earlier versions kept under another name. */
export function withOldItems(calls: Calls, old: Calls): Calls {
  return {
    get: async (account) => {
      const value = await calls.get(account);
      if (value !== undefined) return value;
      const moved = await old.get(account);
      if (moved === undefined) return undefined;
      await calls.set(account, moved);
      await old.delete(account);
      return moved;
    },
    set: calls.set,
    delete: async (account) => {
      const wasOld = await old.delete(account);
      return (await calls.delete(account)) || wasOld;
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

/** The state of both libraries, for `doctor`. */
export async function probeKeychain(
  environment: Environment,
): Promise<Record<KeychainLibrary, LibraryProbe>> {
  return {
    keytar: await probeLibrary("keytar", environment),
    keyring: await probeLibrary("keyring", environment),
  };
}
