import { startWait } from "../common/timing.js";
import { logFailure } from "../common/log.js";
import type { Context } from "../context/context.js";
import { type ProfileState, readState, type SecretStore } from "../profile/state.js";
import {
  clearSignIn,
  type CurrentPair,
  findPair,
  rotate,
  type RotationDeps,
  storePair,
  withRefreshLock,
} from "./rotation.js";
import { RetryableFailure } from "./token-endpoint.js";
import type { AccessToken, TokenPair } from "./token-pair.js";

export interface TokenSourceDeps {
  context: Context;
  openStore: (state: ProfileState) => Promise<SecretStore>;
  onStep: RotationDeps["onStep"];
}

export interface FindOptions {
  /** Value of a token that the server did not take. */
  refused?: string | undefined;
  /** Value of a token that is to be followed by another although it may still be good. */
  before?: string | undefined;
}

/** The way to tokens that all processes of a profile share. */
export interface TokenSource {
  /** Takes what another process got, else refreshes; undefined when nobody is signed in. */
  find: (options: FindOptions) => Promise<AccessToken | undefined>;
  /** Something newer than what is stored lives only here and in an encrypted file. */
  isUnsaved: () => boolean;
  save: () => Promise<void>;
}

/** A longer wait than this is not taken from a server's word. */
const maxPauseMs = 15 * 60_000;
/** What is left of a token's time must be enough to get a request to the server. */
const marginMs = 2000;

export function isUsable(access: AccessToken | undefined, refused?: string): access is AccessToken {
  if (access === undefined || access.value === refused) return false;
  return access.expiresAt > Date.now() + marginMs;
}

/** What one process knows beyond the store. */
interface TokenState extends TokenSourceDeps {
  /** Newer than what is stored: the store did not take it yet. */
  unsaved: TokenPair | undefined;
  /** The server asked not to be asked as long as any of it is left. */
  pause: { leftMs: () => number; failure: RetryableFailure } | undefined;
}

interface Snapshot {
  deps: RotationDeps;
  current: CurrentPair | undefined;
}

export function createTokenSource(deps: TokenSourceDeps): TokenSource {
  const state: TokenState = { ...deps, unsaved: undefined, pause: undefined };
  return {
    find: (options) => find(state, options),
    isUnsaved: () => state.unsaved !== undefined,
    save: () =>
      withRefreshLock(state.context, async () => {
        const { deps, current } = (await readSnapshot(state)) ?? {};
        if (deps && current?.isPending) setUnsaved(state, await storeAgain(deps, current));
        else state.unsaved = undefined;
      }),
  };
}

async function readSnapshot(state: TokenState): Promise<Snapshot | undefined> {
  const { context, openStore, onStep, unsaved } = state;
  const recorded = await readState(context.profile);
  const { signedIn, authorization } = recorded;
  if (!signedIn || authorization === undefined) return undefined;
  const store = await openStore(recorded);
  // Another store, chosen by hand, is a place where nobody has signed in yet.
  if (store.backend !== recorded.backend) return undefined;
  const deps = { context, store, onStep, authorization };
  const current = await findPair(deps);
  const isNewer = current && unsaved && unsaved.generation > current.pair.generation;
  return { deps, current: isNewer ? { pair: unsaved, isPending: true } : current };
}

async function find(state: TokenState, options: FindOptions): Promise<AccessToken | undefined> {
  const snapshot = await readSnapshot(state);
  if (snapshot === undefined) return undefined;
  const access = snapshot.current?.pair.access;
  if (snapshot.current?.isPending === false && isWanted(access, options)) return access;
  return withRefreshLock(state.context, async () => {
    const now = await readSnapshot(state);
    return now === undefined ? undefined : nextToken(state, now, options);
  });
}

/** Under the lock: nobody else changes what was seen. */
async function nextToken(
  state: TokenState,
  snapshot: Snapshot,
  options: FindOptions,
): Promise<AccessToken | undefined> {
  const { deps, current } = snapshot;
  if (current === undefined) return endLostSignIn(state, deps);
  if (current.isPending) setUnsaved(state, await storeAgain(deps, current));
  const { access, refreshToken, generation } = current.pair;
  if (isWanted(access, options)) return access;
  if (refreshToken === undefined) {
    return isUsable(access, options.refused) ? access : endSignIn(state, deps, "expired");
  }
  const outcome = await rotateInTime(state, deps, { ...current.pair, refreshToken });
  if (outcome.kind === "rotated") {
    setUnsaved(state, outcome.current);
    return outcome.current.pair.access;
  }
  // Only tokens of this generation are worth nothing now; later ones are somebody's new sign-in.
  const later = await findPair(deps);
  if (later !== undefined && later.pair.generation > generation) {
    return nextToken(state, { deps, current: later }, options);
  }
  state.context.log.info(`The server ended the sign-in (${outcome.kind}).`);
  return endSignIn(state, deps, outcome.kind);
}

async function rotateInTime(state: TokenState, ...rotation: Parameters<typeof rotate>) {
  const { pause } = state;
  if (pause !== undefined && pause.leftMs() > 0) throw pause.failure;
  try {
    return await rotate(...rotation);
  } catch (failure) {
    if (failure instanceof RetryableFailure && failure.retryAfterMs !== undefined) {
      const leftMs = startWait(Math.min(failure.retryAfterMs, maxPauseMs));
      state.pause = { leftMs, failure };
    }
    throw failure;
  }
}

async function storeAgain(deps: RotationDeps, { pair }: CurrentPair): Promise<CurrentPair> {
  return { pair, isPending: !(await storePair(deps, pair)) };
}

function setUnsaved(state: TokenState, { pair, isPending }: CurrentPair): void {
  state.unsaved = isPending ? pair : undefined;
}

/** Signed in as far as we know, yet the store has nothing, or tokens of another sign-in. */
function endLostSignIn(state: TokenState, deps: RotationDeps): Promise<undefined> {
  // A sign-in that is kept in memory ends with the memory, which was said before.
  if (deps.store.backend === "memory") return endSignIn(state, deps, undefined);
  state.context.log.error(
    "The tokens of this server are no longer where they were kept. Please sign in again.",
  );
  return endSignIn(state, deps, "keychain_reset");
}

async function endSignIn(
  state: TokenState,
  { context, store }: RotationDeps,
  because: ProfileState["signedOutBecause"],
): Promise<undefined> {
  state.unsaved = undefined;
  const what = "Tokens that are worth nothing could not be removed";
  await clearSignIn(context, store, because).catch(logFailure(context.log.debug, what));
}

function isWanted(access: AccessToken | undefined, { refused, before }: FindOptions): boolean {
  return isUsable(access, refused) && access.value !== before;
}
