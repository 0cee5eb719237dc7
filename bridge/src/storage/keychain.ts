import { randomBytes } from "node:crypto";
import { BridgeError } from "../common/errors.js";
import { toBridgeError } from "./keychain-errors.js";
import { withKeychainTimeout } from "./keychain-timeout.js";
import type { SecretName, SecretStore } from "./secret-store.js";

export type KeychainLibrary = "keytar" | "keyring";

/** The same few calls of either library; each can take as long as it likes. */
export interface Keychain {
  library: KeychainLibrary;
  /** What reaches it where that is not the library itself. */
  by?: string;
  get: (account: string) => Promise<string | undefined>;
  set: (account: string, value: string) => Promise<void>;
  /** False when there was nothing to delete. */
  delete: (account: string) => Promise<boolean>;
  /** Has the system ask the person for the password; ends when it was given. */
  unlock: () => Promise<void>;
}

export const service = "fettle-bridge";

/** Windows takes 2,560 bytes; a little is left for what it adds. */
const windowsLimit = 2_400;

export interface KeychainStoreOptions {
  limitMs?: number;
  platform?: NodeJS.Platform;
}

export function createKeychainStore(
  keychain: Omit<Keychain, "unlock">,
  key: string,
  { limitMs, platform = process.platform }: KeychainStoreOptions = {},
): SecretStore {
  const call = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await withKeychainTimeout(work, limitMs);
    } catch (error) {
      throw toBridgeError(error);
    }
  };
  // A locked keychain also says "not there", and only a write makes it tell the truth.
  const checkUnlocked = async () => {
    const account = probeAccount(key);
    await call(() => keychain.set(account, "probe"));
    await call(() => keychain.delete(account));
  };
  return {
    backend: keychain.library,
    get: async (name) => {
      const value = await call(() => keychain.get(accountOf(key, name)));
      // The access token is often left out, and is never asked for alone.
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

/** An item of its own for each probe, so that probes of several processes do not meet. */
export function probeAccount(prefix: string): string {
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
