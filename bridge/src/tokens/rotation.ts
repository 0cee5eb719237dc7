import type { Context } from "../context/context.js";
import { LockTimeout, withLock } from "../profile/lock.js";
import type { Profile } from "../profile/profile.js";
import {
  type Authorization,
  type SecretStore,
  type SignedOutReason,
  updateState,
} from "../profile/state.js";
import {
  beginRotation,
  deleteOlderFiles,
  deleteRotationFiles,
  readNextPair,
  writeNextPair,
} from "./rotation-files.js";
import { type Granted, refresh, type Refusal, RetryableFailure } from "./token-endpoint.js";
import {
  type AccessToken,
  checkPair,
  deletePair,
  readPair,
  type TokenPair,
  writePair,
} from "./token-pair.js";

/** Whoever holds the lock longest waits for a server, up to 45 s. */
const lockWaitMs = 60_000;
const lockName = "refresh";

/** Runs work while no process of the profile changes its tokens. */
export async function withRefreshLock<Result>(
  { profile }: Pick<Context, "profile">,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await withLock(profile, lockName, { waitMs: lockWaitMs }, work);
  } catch (cause) {
    if (cause instanceof LockTimeout && cause.lock === lockName) {
      const message =
        "Another fettle-bridge has been busy with the sign-in for a minute. Try again.";
      throw new RetryableFailure("server_busy", message, { cause });
    }
    // Nobody holds another lock for long who can write down that it is free.
    if (cause instanceof LockTimeout || isOfFiles(cause)) throw folderUnwritable(profile, cause);
    throw cause;
  }
}

/** Network and keychain have errors of their own. */
function isOfFiles(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

/** The folder of the profile takes nothing: the disk is full, or it may only be read. */
function folderUnwritable({ folder }: Pick<Profile, "folder">, cause: unknown): RetryableFailure {
  const message =
    `Nothing can be written to ${folder}, so a new token could get lost. ` +
    "Make room or allow writing there, then try again.";
  return new RetryableFailure("keychain_unavailable", message, { cause });
}

/** The points of a rotation after which something has lastingly happened. */
export const rotationSteps = [
  "intended",
  "answered",
  "encrypted",
  "stored",
  "checked",
  "recorded",
  "cleared",
] as const;
type RotationStep = (typeof rotationSteps)[number];

export interface RotationDeps {
  context: Context;
  store: SecretStore;
  authorization: Authorization;
  /** Called after each step; tests end the process there. */
  onStep: ((step: RotationStep) => void) | undefined;
}

/** The pair to go on with. */
export interface CurrentPair {
  pair: TokenPair;
  /** The store holds an older one: a rotation was cut off, or the store would not take it. */
  isPending: boolean;
}

/** What the store holds, or what followed it in rotations that never got into the store. */
export async function findPair(
  deps: Omit<RotationDeps, "onStep">,
): Promise<CurrentPair | undefined> {
  const { context, store, authorization } = deps;
  const stored = await readPair(store, authorization);
  if (stored === undefined) return undefined;
  let pair = stored;
  for (;;) {
    const next = await readNextPair(context.profile, pair);
    if (next === undefined) return { pair, isPending: pair !== stored };
    pair = next;
  }
}

/**
 * Changes a refresh token for the next pair so that a crash at any point loses neither: before the
 * answer is kept, the same request can be made again (same rotation id); from then on, whoever has
 * the old token can read the new pair. What cannot be kept at all is not used, so that the server
 * gives it again. The caller holds the lock. Throws RetryableFailure, and errors of the file system
 * while nothing was sent.
 */
export async function rotate(
  deps: RotationDeps,
  pair: TokenPair & { refreshToken: string },
): Promise<{ kind: "rotated"; current: CurrentPair } | Refusal> {
  const { context, authorization, onStep } = deps;
  const { refreshToken, clientSecret, generation } = pair;
  const rotationId = await beginRotation(context.profile, generation);
  onStep?.("intended");
  const answer = await refresh(context, authorization, { refreshToken, clientSecret, rotationId });
  if (answer.kind !== "granted") return answer;
  onStep?.("answered");
  const next = toNext(pair, answer);
  let trouble: unknown;
  await writeNextPair(context.profile, next, refreshToken).catch((error: unknown) => {
    context.log.debug(`A new token could not be written down: ${String(error)}`);
    trouble = error;
  });
  onStep?.("encrypted");
  const isStored = await storePair(deps, next);
  if (!isStored && trouble !== undefined) throw folderUnwritable(context.profile, trouble);
  return { kind: "rotated", current: { pair: next, isPending: !isStored } };
}

function toNext(pair: TokenPair & { refreshToken: string }, granted: Granted): TokenPair {
  const generation = pair.generation + 1;
  return {
    ...pair,
    generation,
    // Servers that do not rotate say nothing about it.
    refreshToken: granted.refreshToken ?? pair.refreshToken,
    access: toAccess(granted, generation),
  };
}

export function toAccess(
  { accessToken, expiresIn }: Pick<Granted, "accessToken" | "expiresIn">,
  generation: number,
): AccessToken {
  const expiresAt = expiresIn === undefined ? Infinity : Date.now() + expiresIn * 1000;
  return { value: accessToken, generation, expiresAt };
}

/** Brings a pair into the store and ends its rotation. False when the store does not take it now. */
export async function storePair(
  { context, store, onStep }: RotationDeps,
  pair: TokenPair,
): Promise<boolean> {
  const { log, profile } = context;
  try {
    await writePair(store, pair);
    onStep?.("stored");
    await checkPair(store, pair);
    onStep?.("checked");
  } catch (error) {
    log.debug(`A new token could not be stored: ${String(error)}`);
    return false;
  }
  try {
    const recorded = { generation: pair.generation, refreshedAt: new Date().toISOString() };
    await updateState(profile, recorded);
    onStep?.("recorded");
    // A write that the keychain was given up on may still land, and bring back the pair before.
    await deleteOlderFiles(profile, pair.generation);
    onStep?.("cleared");
  } catch (error) {
    // The store decides; what is left here does no harm.
    log.debug(`The end of a refresh could not be recorded: ${String(error)}`);
  }
  return true;
}

/** Removes the tokens and records why. The caller holds the lock. */
export async function clearSignIn(
  { profile }: Context,
  store: SecretStore,
  because: SignedOutReason | undefined,
): Promise<void> {
  try {
    await deletePair(store);
  } finally {
    await deleteRotationFiles(profile);
    await updateState(profile, { signedIn: false, signedOutBecause: because });
  }
}
