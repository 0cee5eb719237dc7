import { chmod, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { BridgeError, errorMessage, hasCode } from "../common/errors.js";
import { toRecord } from "../common/json.js";
import type { Log } from "../common/log.js";
import { isOpenToOthers } from "../common/ownership.js";
import type { StorageChoice } from "../common/settings.js";
import type { Context } from "../context/context.js";
import { type ChannelEnd, connectHelper, type Message } from "../ipc/channel.js";
import { readJson, removeFile, writeFileAtomic } from "../profile/files.js";
import {
  type Backend,
  places,
  type Profile,
  type ProfileState,
  type SecretName,
  type SecretStore,
} from "../profile/profile.js";
import {
  createKeychainStore,
  type KeychainLibrary,
  loadLibrary,
  locked,
  mayAskToUnlock,
  probeLibrary,
  unavailable,
} from "./keychain.js";

type Secrets = Partial<Record<SecretName, string>>;

/**
 * `secrets.json`, used only on request. The refresh lock guards this file: callers that change
 * tokens hold it.
 */
export function createFileStore(profile: Profile, log: Log): SecretStore {
  const path = join(profile.folder, "secrets.json");
  const read = async (): Promise<Secrets> => {
    await closeToOthers(path, log);
    const { rt, at } = toRecord(await readJson(path));
    return { ...(typeof rt === "string" && { rt }), ...(typeof at === "string" && { at }) };
  };
  const change = async (name: SecretName, value: string | undefined) => {
    const secrets = { ...(await read()), [name]: value };
    if (secrets.rt === undefined && secrets.at === undefined) await removeFile(path);
    else await writeFileAtomic(path, JSON.stringify(secrets));
  };
  return {
    backend: "file",
    get: async (name) => (await explain(path, read))[name],
    set: (name, value) => explain(path, () => change(name, value)),
    delete: (name) => explain(path, () => change(name, undefined)),
  };
}

/** The mode was changed or the file copied. Rejecting it can't undo reads by others. */
async function closeToOthers(path: string, log: Log): Promise<void> {
  try {
    if (!isOpenToOthers(await stat(path))) return;
    await chmod(path, 0o600);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return;
    throw error;
  }
  log.error(
    `Other users of this computer could read the tokens in ${path}. It is closed to them now. ` +
      "If you do not trust them, sign out and in again.",
  );
}

async function explain<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    const reason = errorMessage(cause);
    const message = `The file of the tokens, ${path}, cannot be used: ${reason}`;
    throw new BridgeError("keychain_unavailable", message, { cause });
  }
}

const answerMs = 3_000;

/** Secrets in the memory of the sign-in helper, which runs while a bridge is connected. */
export function createMemoryStore(profile: Profile): SecretStore {
  let connecting: Promise<ChannelEnd | undefined> | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  /** One request at a time, so the next message is its response. Undefined if no helper runs. */
  const ask = (message: Message): Promise<Message | undefined> => {
    const answer = turn.then(() => askNow(message));
    turn = answer.catch(() => undefined);
    return answer;
  };
  const askNow = async (message: Message) => {
    const helper = await (connecting ??= connect(profile));
    helper?.keepAlive(true);
    helper?.send(message);
    const answer = await Promise.race([helper?.next(), sleep(answerMs, null, { ref: false })]);
    helper?.keepAlive(false);
    if (answer?.["answered"] === true) return answer;
    // The next request connects to another helper.
    connecting = undefined;
    helper?.close();
    if (answer === null) throw gone();
    return undefined;
  };
  return {
    backend: "memory",
    get: async (name) => {
      const value = (await ask({ op: "get", name }))?.["value"];
      return typeof value === "string" ? value : undefined;
    },
    set: async (name, value) => {
      if ((await ask({ op: "set", name, value })) === undefined) throw gone();
    },
    delete: async (name) => {
      await ask({ op: "delete", name });
    },
  };
}

async function connect(profile: Profile): Promise<ChannelEnd | undefined> {
  const helper = await connectHelper(profile);
  helper?.send({ op: "hold" });
  helper?.keepAlive(false);
  return helper;
}

function gone(): BridgeError {
  return new BridgeError(
    "keychain_unavailable",
    "The process that kept the tokens in memory has ended. Sign in again.",
  );
}

/** Secrets that live as long as this process, for the helper and its bridges. */
export function createMemorySecrets() {
  const secrets = new Map<unknown, string>();
  const store: SecretStore = {
    backend: "memory",
    get: async (name) => secrets.get(name),
    set: async (name, value) => {
      secrets.set(name, value);
    },
    delete: async (name) => {
      secrets.delete(name);
    },
  };
  return {
    store,
    isEmpty: () => secrets.size === 0,
    answer: (end: ChannelEnd, { op, name, value }: Message): void => {
      if (op === "set" && typeof value === "string") secrets.set(name, value);
      if (op === "delete") secrets.delete(name);
      end.send({ answered: true, value: secrets.get(name) });
    },
  };
}

type StorageContext = Pick<Context, "settings" | "log" | "profile">;
type Recorded = Pick<ProfileState, "backend" | "signedIn">;

/**
 * Opens the store of the sign-in, never silently another one. Throws `keychain_locked` or
 * `keychain_unavailable`.
 */
export async function openStore(context: StorageContext, state: Recorded): Promise<SecretStore> {
  const { backend, signedIn } = state;
  const { storage } = context.settings;
  if (backend === undefined) return chooseBackend(context, state);
  if (allows(storage, backend)) return openBackend(context, backend);
  if (signedIn) {
    context.log.error(
      `The sign-in is kept in ${places[backend]}, but --storage ${storage} was asked for, where ` +
        "you aren't signed in. The old tokens stay until fettle-bridge logout without --storage.",
    );
  }
  return chooseBackend(context, state);
}

export async function openBackend(
  { settings, log, profile }: StorageContext,
  backend: Backend,
): Promise<SecretStore> {
  if (backend === "memory") return createMemoryStore(profile);
  if (backend === "file") return createFileStore(profile, log);
  try {
    return createKeychainStore(await loadLibrary[backend](settings.environment), profile.key);
  } catch (cause) {
    const shared = await findShared({ settings, profile }, backend).catch((error: unknown) => {
      if (error instanceof BridgeError && error.code === "keychain_locked") throw error;
      return undefined;
    });
    if (shared !== undefined) return { ...shared, backend };
    throw new BridgeError(
      "keychain_unavailable",
      `The sign-in is kept in ${places[backend]}, and that library is not there any more. ` +
        "Install it again, or run fettle-bridge login to sign in with what is there.",
      { cause },
    );
  }
}

/** Reads a missing library's items through the other library. */
async function findShared(
  { settings, profile }: Pick<StorageContext, "settings" | "profile">,
  gone: KeychainLibrary,
): Promise<SecretStore | undefined> {
  const other = gone === "keytar" ? "keyring" : "keytar";
  const store = createKeychainStore(await loadLibrary[other](settings.environment), profile.key);
  return (await store.get("rt")) === undefined ? undefined : store;
}

/** Opens all available persistent stores except one. */
export async function openOthers(
  context: StorageContext,
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
 * For a new sign-in: the requested store, else the recorded one, else the first working keychain
 * library. Memory is used only if there is no keychain at all, never because one is locked.
 */
export async function chooseBackend(
  context: StorageContext,
  { backend }: Pick<ProfileState, "backend">,
  { mayUnlock = false } = {},
): Promise<SecretStore> {
  const { settings, log, profile } = context;
  if (keepsInFile(settings.storage, backend)) {
    if (backend !== "file") {
      log.notice(`Tokens are kept in a file that only you can read, in ${profile.folder}.`);
    }
    return createFileStore(profile, log);
  }
  const found = await findKeychain(context, backend, mayUnlock);
  if (found.keychain !== undefined) return createKeychainStore(found.keychain, profile.key);
  if (found.outcome === "failed" || settings.storage === "keychain") {
    throw unavailable(found.detail, found.cause);
  }
  // Once per profile. The notice explains why each start signs in again.
  const say = backend === "memory" ? log.info : log.notice;
  say(
    `There is no keychain here (${found.detail}), so the sign-in lasts until the last bridge ends. To ` +
      "keep it, install or unlock a keychain, or keep it in a file: fettle-bridge login --storage file",
  );
  return createMemoryStore(profile);
}

export function keepsInFile(storage: StorageChoice, recorded: Backend | undefined): boolean {
  return storage === "file" || (storage === "auto" && recorded === "file");
}

async function findKeychain(
  context: StorageContext,
  recorded: Backend | undefined,
  mayUnlock: boolean,
) {
  const { log, settings } = context;
  const found = [];
  for (const library of inOrder(recorded)) {
    let probe = await probeLibrary(library, settings.environment);
    if (probe.outcome === "locked" && mayUnlock) {
      await unlockKeychain(context, { backend: library });
      probe = await probeLibrary(library, settings.environment);
    }
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

/** Asks a waiting person for the keychain's password. Throws `keychain_locked` without it. */
export async function unlockKeychain(
  { settings }: Pick<StorageContext, "settings">,
  { backend }: Pick<ProfileState, "backend">,
): Promise<void> {
  if (!(await mayAskToUnlock(settings.home))) throw locked();
  for (const library of inOrder(backend)) {
    const keychain = await loadLibrary[library](settings.environment).catch(() => undefined);
    if (keychain === undefined) continue;
    await keychain.unlock().catch((error: unknown) => {
      throw locked(error);
    });
    return;
  }
}

function inOrder(recorded: Backend | undefined): readonly KeychainLibrary[] {
  return recorded === "keyring" ? ["keyring", "keytar"] : ["keytar", "keyring"];
}

function allows(choice: StorageChoice, backend: Backend): boolean {
  if (choice === "auto") return true;
  return choice === "file" ? backend === "file" : backend === "keytar" || backend === "keyring";
}
