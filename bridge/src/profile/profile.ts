import { createHash } from "node:crypto";
import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  mkdirSync,
  realpathSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { BridgeError, errorMessage } from "../common/errors.js";
import { toRecord } from "../common/json.js";
import {
  isOfAnotherUser,
  isOpenToOthers,
  isOwnFolder,
  isWritableByOthers,
} from "../common/ownership.js";
import type { Settings } from "../common/settings.js";
import { readJson, readNames, writeFileAtomic } from "./files.js";
import { withLock } from "./lock.js";

/** One server address and profile name, with the folder for its data. Contains no secrets. */
export interface Profile {
  /** 16 hex digits from home, server address and profile name. Also the keychain's account name. */
  key: string;
  /** Created with mode 0700 on first use. */
  folder: string;
  server: string;
  name: string;
}

/** Throws `wrong_usage` if the folder can't be created or written. */
export function openProfile(settings: Pick<Settings, "home" | "server" | "profile">): Profile {
  const { home, server, profile } = settings;
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    keepOthersOut(home);
    // Equal in every process. Different for every other home on the machine.
    const named = JSON.stringify([realpathSync(home), server, profile]);
    const key = createHash("sha256").update(named).digest("hex").slice(0, 16);
    const folder = join(home, key);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    restrictToOwner(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return { key, folder, server, name: profile };
  } catch (cause) {
    if (cause instanceof BridgeError) throw cause;
    throw unusable(home, errorMessage(cause), cause);
  }
}

/**
 * Users who can write to the home could replace its folders, unless it has a sticky bit like /tmp.
 */
function keepOthersOut(home: string): void {
  const found = statSync(home);
  if (isOfAnotherUser(found) || !isWritableByOthers(found)) return;
  chmodSync(home, found.mode & 0o755);
}

/**
 * Another user's folder could contain a forged state, and a link lead to another server's. Windows
 * inherits the home's rights.
 */
function restrictToOwner(folder: string): void {
  const found = lstatSync(folder);
  if (!found.isDirectory()) throw unusable(folder, "it is a link");
  if (isOfAnotherUser(found)) throw unusable(folder, "it belongs to another user");
  if (isOpenToOthers(found)) chmodSync(folder, 0o700);
}

function unusable(folder: string, reason: string, cause?: unknown): BridgeError {
  return new BridgeError(
    "wrong_usage",
    `The folder ${folder} cannot be used: ${reason}. ` +
      "Make it writable for you, or name another one in FETTLE_BRIDGE_HOME.",
    { cause },
  );
}

export function profileOption(name: string): string {
  return name === "" ? "" : ` --profile ${name}`;
}

export function profileLabel({ server, name }: Pick<Profile, "server" | "name">): string {
  return name === "" ? server : `${server} (profile ${name})`;
}

/** "keytar" and "keyring" are two libraries for one keychain with shared items. */
export type Backend = "keytar" | "keyring" | "file" | "memory";

/** Each backend as the end of a sentence about where data is stored. */
export const places: Record<Backend, string> = {
  keytar: "the keychain (keytar)",
  keyring: "the keychain (@napi-rs/keyring)",
  file: "a file that only you can read",
  memory: "memory only, until the last bridge ends",
};

type ClientAuthMethod = "none" | "client_secret_basic" | "client_secret_post";

interface LastSignIn {
  at: string;
  outcome: "done" | "denied" | "expired" | "failed";
}

/** "expired": the access token ended without a refresh token. "keychain_reset": the keychain lost the tokens. */
export type SignedOutReason =
  "logged_out" | "refused" | "client_forgotten" | "expired" | "keychain_reset";

export type ProfileState = ReturnType<typeof newState>;

function newState({ server, name }: Profile) {
  return {
    version: 1,
    server,
    profile: name,
    /** Where secrets are stored. Never changed silently. Undefined before the first sign-in. */
    backend: undefined as Backend | undefined,
    /** Counts token pairs: each refresh and sign-in adds one. */
    generation: 0,
    /** Generation of the sign-in's own token pair. */
    firstGeneration: 0,
    signedIn: false,
    signedOutBecause: undefined as SignedOutReason | undefined,
    lastSignIn: undefined as LastSignIn | undefined,
    refreshedAt: undefined as string | undefined,
    authorization: undefined as Authorization | undefined,
  };
}

export interface Authorization {
  issuer: string;
  tokenEndpoint: string;
  revocationEndpoint: string | undefined;
  /** RFC 8707. Spelled exactly as in the server's metadata. */
  resource: string | undefined;
  client: {
    id: string;
    authMethod: ClientAuthMethod;
    /** Created by dynamic registration, so it can be registered again. */
    registered: boolean;
    callbackPort?: number;
  };
  scope: string | undefined;
}

type StateChange = Partial<ProfileState> | ((state: ProfileState) => Partial<ProfileState>);

export async function readState(profile: Profile): Promise<ProfileState> {
  const recorded = await readJson(statePath(profile.folder));
  // A user who can write to the home can rename another profile's folder to this profile's.
  const isOurs =
    isState(recorded) && recorded.server === profile.server && recorded.profile === profile.name;
  return { ...newState(profile), ...(isOurs ? recorded : undefined) };
}

/**
 * Changes some fields and is safe with concurrent changes to others. `undefined` clears a field.
 */
export function updateState(profile: Profile, change: StateChange): Promise<ProfileState> {
  return withLock(profile, "state", { waitMs: 10_000 }, async () => {
    const state = await readState(profile);
    // Retains fields that a later release added.
    const changed = { ...state, ...(typeof change === "function" ? change(state) : change) };
    await writeFileAtomic(statePath(profile.folder), `${JSON.stringify(changed, null, 2)}\n`);
    return changed;
  });
}

export async function listProfiles(home: string): Promise<Profile[]> {
  const found = [];
  for (const key of (await readNames(home)).filter((name) => /^[0-9a-f]{16}$/.test(name)).sort()) {
    const folder = join(home, key);
    if (!(await isOwnFolder(folder))) continue;
    const recorded = await readJson(statePath(folder));
    if (isState(recorded))
      found.push({ key, folder, server: recorded.server, name: recorded.profile });
  }
  return found;
}

function statePath(folder: string): string {
  return join(folder, "state.json");
}

function isState(value: unknown): value is ProfileState {
  const { server, profile, generation, signedIn } = toRecord(value);
  return (
    typeof server === "string" &&
    typeof profile === "string" &&
    Number.isSafeInteger(generation) &&
    typeof signedIn === "boolean"
  );
}

/**
 * Identifies the current `state.json`: each change creates a new file. Much cheaper than reading
 * it.
 */
export function identifyState({ folder }: Profile): string {
  try {
    const found = statSync(statePath(folder), { throwIfNoEntry: false });
    return `${found?.ino} ${found?.mtimeMs}`;
  } catch {
    return "unknown";
  }
}

/** `rt` is the refresh token, `at` the current access token, each as a short JSON text. */
export type SecretName = "rt" | "at";

/** Of all our keychain items. */
export const keychainService = "fettle-bridge";

/**
 * Each call ends within 3 s. Throws `keychain_locked` or `keychain_unavailable`. Undefined means
 * "not found".
 */
export interface SecretStore {
  backend: Backend;
  get: (name: SecretName) => Promise<string | undefined>;
  set: (name: SecretName, value: string) => Promise<void>;
  delete: (name: SecretName) => Promise<void>;
}

const reasons: Record<SignedOutReason, string> = {
  logged_out: "signed out with logout",
  refused: "signed out: the server ended the connection",
  client_forgotten: "signed out: the server no longer knows this program",
  expired: "signed out: the time of the sign-in was up",
  keychain_reset: "signed out: the keychain no longer holds the tokens",
};

const outcomes: Record<LastSignIn["outcome"], string> = {
  denied: "not signed in: access was denied in the browser",
  expired: "not signed in: the sign-in in the browser wasn't completed",
  failed: "not signed in: the last sign-in failed",
  done: "no longer signed in: the tokens were in memory only",
};

export function describeSignedOut({ signedOutBecause, lastSignIn }: ProfileState): string {
  if (signedOutBecause !== undefined) return reasons[signedOutBecause];
  return lastSignIn === undefined ? "not signed in yet" : outcomes[lastSignIn.outcome];
}
