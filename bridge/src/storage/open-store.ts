import { BridgeError } from "../common/errors.js";
import type { StorageChoice } from "../common/settings.js";
import type { Context } from "../context/context.js";
import type { Backend, ProfileState } from "../profile/state.js";
import { createFileStore } from "./file.js";
import { locked, unavailable } from "./keychain-errors.js";
import { loadLibrary, probeLibrary } from "./keychain-libraries.js";
import { createKeychainStore, type KeychainLibrary } from "./keychain.js";
import { createMemoryStore } from "./memory.js";
import type { SecretStore } from "./secret-store.js";

type StorageContext = Pick<Context, "settings" | "log" | "profile">;
const places: Record<Backend, string> = {
  keytar: "the keychain (keytar)",
  keyring: "the keychain (@napi-rs/keyring)",
  file: "a file",
  memory: "memory only",
};

type Recorded = Pick<ProfileState, "backend" | "signedIn">;

/**
 * The store that holds the sign-in of a profile. Where it was put is never left silently: what
 * cannot be reached now throws `keychain_locked` or `keychain_unavailable`.
 */
export async function openStore(context: StorageContext, state: Recorded): Promise<SecretStore> {
  const { backend, signedIn } = state;
  const { storage } = context.settings;
  if (backend === undefined) return chooseBackend(context, state);
  if (allows(storage, backend)) return openBackend(context, backend);
  if (signedIn) {
    context.log.error(
      `The sign-in is kept in ${places[backend]}, but --storage ${storage} was asked for, where ` +
        "nobody is signed in. The old tokens stay until fettle-bridge logout without --storage.",
    );
  }
  return chooseBackend(context, state);
}

/** The store in which one backend keeps the secrets of a profile, wherever they should lie. */
export async function openBackend(
  { log, profile }: Pick<StorageContext, "log" | "profile">,
  backend: Backend,
): Promise<SecretStore> {
  if (backend === "memory") return createMemoryStore(profile);
  if (backend === "file") return createFileStore(profile, log);
  try {
    return createKeychainStore(await loadLibrary[backend](), profile.key);
  } catch (cause) {
    throw new BridgeError(
      "keychain_unavailable",
      `The sign-in is kept in ${places[backend]}, and that library is not there any more. ` +
        "Install it again, or run fettle-bridge login to sign in with what is there.",
      { cause },
    );
  }
}

/** Every store that outlasts a process and can be opened here, but for one. */
export async function openOthers(
  context: Pick<StorageContext, "log" | "profile">,
  but: Backend | undefined,
): Promise<SecretStore[]> {
  const found = [];
  for (const backend of ["file", "keytar", "keyring"] as const) {
    if (backend === but) continue;
    const store = await openBackend(context, backend).catch(() => undefined);
    if (store !== undefined) found.push(store);
  }
  return found;
}

/**
 * The store for a new sign-in: what was asked for, else the recorded one if it still works, else
 * the first keychain library that works. Memory serves where there is no keychain at all, and
 * never because one is locked.
 */
export async function chooseBackend(
  context: StorageContext,
  { backend }: Pick<ProfileState, "backend">,
): Promise<SecretStore> {
  const { settings, log, profile } = context;
  if (keepsInFile(settings.storage, backend)) {
    if (backend !== "file") {
      log.notice(`Tokens are kept in a file that only you can read, in ${profile.folder}.`);
    }
    return createFileStore(profile, log);
  }
  const found = await findKeychain(context, backend);
  if (found.keychain !== undefined) return createKeychainStore(found.keychain, profile.key);
  if (found.outcome === "failed" || settings.storage === "keychain") {
    throw unavailable(found.detail, found.cause);
  }
  announceMemory(context, backend, found.detail);
  return createMemoryStore(profile);
}

export function keepsInFile(storage: StorageChoice, recorded: Backend | undefined): boolean {
  return storage === "file" || (storage === "auto" && recorded === "file");
}

/** The first library that works, or else why the keychain does not; throws when it is locked. */
async function findKeychain({ log }: StorageContext, recorded: Backend | undefined) {
  const libraries: KeychainLibrary[] =
    recorded === "keyring" ? ["keyring", "keytar"] : ["keytar", "keyring"];
  const found = [];
  for (const library of libraries) {
    const probe = await probeLibrary(library);
    if (probe.outcome === "works") return probe;
    log.debug(`The keychain by way of ${library} is ${probe.outcome}: ${probe.detail}`);
    if (probe.outcome === "locked") throw locked(probe.cause);
    found.push({ ...probe, keychain: undefined });
  }
  return (
    found.find(({ outcome }) => outcome === "failed") ??
    found.find(({ outcome }) => outcome === "absent") ?? {
      outcome: "missing" as const,
      detail: "its libraries are not installed",
      keychain: undefined,
      cause: found[0]?.cause,
    }
  );
}

/** Once for a profile; afterwards whoever reads it knows why each start signs in again. */
function announceMemory(
  { log }: StorageContext,
  recorded: Backend | undefined,
  reason: string,
): void {
  const say = recorded === "memory" ? log.info : log.notice;
  say(
    `There is no keychain here (${reason}), so the sign-in lasts until the last bridge ends. To ` +
      "keep it, install or unlock a keychain, or keep it in a file: fettle-bridge login --storage file",
  );
}

function allows(choice: StorageChoice, backend: Backend): boolean {
  if (choice === "auto") return true;
  return choice === "file" ? backend === "file" : backend === "keytar" || backend === "keyring";
}
