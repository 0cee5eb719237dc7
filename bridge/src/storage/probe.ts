import {
  classifyKeychainError,
  describeKeychainError,
  type KeychainErrorKind,
} from "./keychain-errors.js";
import { loadLibrary } from "./keychain-libraries.js";
import { withKeychainTimeout } from "./keychain-timeout.js";
import { type Keychain, type KeychainLibrary, probeAccount, service } from "./keychain.js";

/** "missing": the library is not installed, was not built or cannot run here. */
export type LibraryProbe =
  | { outcome: "works"; keychain: Keychain }
  | { outcome: KeychainErrorKind | "missing"; detail: string; cause: unknown };

/** Whether a library can keep a secret here: only writing, reading and deleting one tells. */
export async function probeLibrary(library: KeychainLibrary): Promise<LibraryProbe> {
  let keychain;
  try {
    keychain = await loadLibrary[library]();
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
export async function probeKeychain(): Promise<Record<KeychainLibrary, LibraryProbe>> {
  return { keytar: await probeLibrary("keytar"), keyring: await probeLibrary("keyring") };
}
