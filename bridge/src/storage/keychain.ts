import { randomBytes } from "node:crypto";
import { BridgeError, errorMessage } from "../common/errors.js";
import { toPlainText } from "../common/text.js";
import type { SecretName, SecretStore } from "../profile/profile.js";

/** A keychain that waits for a person, or for ever, is given up on after this long. */
const defaultLimitMs = 3_000;

export class KeychainTimeout extends Error {
  override name = "KeychainTimeout";
  override message = "it does not answer";
}

let lastTurn: Promise<unknown> = Promise.resolve();
let isHanging = false;

/** One call at a time, and none while one hangs: each takes one of the four threads that also read files. */
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

/** An ordinary exit waits for all threads, also for the one that waits for the keychain. */
function killAtExit(): void {
  if (isHanging) process.kill(process.pid, "SIGKILL");
}

/** What a failed call says. "absent": there is no keychain to talk to. "failed": anything else. */
export type KeychainErrorKind = "locked" | "absent" | "failed";

/** Wordings of gnome-keyring by way of both libraries, and of macOS (its -25308). */
const lockedWords = [
  /\blocked\b/i,
  /prompt was dismissed/i,
  /interaction is not allowed/i,
  /-25308/,
];

/** No D-Bus, a dead one, nobody behind the name, no collection; Windows without a logon session. */
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

export function describeKeychainError(error: unknown): string {
  if (error instanceof KeychainTimeout) {
    return "it does not answer, perhaps because it waits for a password in another window";
  }
  return toPlainText(errorMessage(error)).replace(/\.$/, "").slice(0, 200);
}

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
