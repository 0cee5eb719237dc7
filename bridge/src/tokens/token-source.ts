import type { Context } from "../context/context.js";
import { type ProfileState, readState } from "../profile/state.js";
import type { SecretStore } from "../storage/secret-store.js";
import { withRefreshLock } from "./refresh-lock.js";
import {
  clearSignIn,
  type CurrentPair,
  findPair,
  rotate,
  type RotationDeps,
  storePair,
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
  /** Something newer than what is stored lives only here and in a sealed file. */
  isUnsaved: () => boolean;
  /** Tries to store it. */
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
  /** The server asked not to be asked until then. */
  pause: { until: number; failure: RetryableFailure } | undefined;
}

interface Snapshot {
  deps: RotationDeps;
  current: CurrentPair | undefined;
}

export function createTokenSource(deps: TokenSourceDeps): TokenSource {
  const tokenState: TokenState = { ...deps, unsaved: undefined, pause: undefined };
  return {
    find: (options) => find(tokenState, options),
    isUnsaved: () => tokenState.unsaved !== undefined,
    save: () =>
      withRefreshLock(tokenState.context, async () => {
        const snapshot = await readSnapshot(tokenState);
        if (snapshot?.current?.isPending === true)
          await storePending(tokenState, snapshot.deps, snapshot.current.pair);
        else tokenState.unsaved = undefined;
      }),
  };
}

async function readSnapshot({
  context,
  openStore,
  onStep,
  unsaved,
}: TokenState): Promise<Snapshot | undefined> {
  const state = await readState(context.profile);
  if (!state.signedIn || state.authorization === undefined) return undefined;
  const store = await openStore(state);
  // Another store, chosen by hand, is a place where nobody has signed in yet.
  if (store.backend !== state.backend) return undefined;
  const deps = { context, store, onStep, authorization: state.authorization };
  let current = await findPair(deps);
  if (
    current !== undefined &&
    unsaved !== undefined &&
    unsaved.generation > current.pair.generation
  ) {
    current = { pair: unsaved, isPending: true };
  }
  return { deps, current };
}

async function find(
  tokenState: TokenState,
  options: FindOptions,
): Promise<AccessToken | undefined> {
  const snapshot = await readSnapshot(tokenState);
  if (snapshot === undefined) return undefined;
  const access = snapshot.current?.pair.access;
  if (snapshot.current?.isPending === false && isWanted(access, options)) return access;
  return withRefreshLock(tokenState.context, async () => {
    const now = await readSnapshot(tokenState);
    return now === undefined ? undefined : nextToken(tokenState, now, options);
  });
}

/** Under the lock: nobody else changes what was seen. */
async function nextToken(
  tokenState: TokenState,
  snapshot: Snapshot,
  options: FindOptions,
): Promise<AccessToken | undefined> {
  const { deps, current } = snapshot;
  if (current === undefined) return endLostSignIn(tokenState, snapshot);
  if (current.isPending) await storePending(tokenState, deps, current.pair);
  const { access, refreshToken, generation } = current.pair;
  if (isWanted(access, options)) return access;
  if (refreshToken === undefined) {
    return isUsable(access, options.refused) ? access : endSignIn(tokenState, snapshot, "expired");
  }
  const outcome = await rotateInTime(tokenState, deps, { ...current.pair, refreshToken });
  if (outcome.kind === "rotated") {
    setUnsaved(tokenState, outcome.current);
    return outcome.current.pair.access;
  }
  // Only tokens of this generation are worth nothing now; later ones are somebody's new sign-in.
  const later = await findPair(deps);
  if (later !== undefined && later.pair.generation > generation) {
    return nextToken(tokenState, { ...snapshot, current: later }, options);
  }
  tokenState.context.log.info(`The server ended the sign-in (${outcome.kind}).`);
  return endSignIn(tokenState, snapshot, outcome.kind);
}

async function rotateInTime(tokenState: TokenState, ...rotation: Parameters<typeof rotate>) {
  const { pause } = tokenState;
  if (pause !== undefined && Date.now() < pause.until) throw pause.failure;
  try {
    return await rotate(...rotation);
  } catch (failure) {
    if (failure instanceof RetryableFailure && failure.retryAfterMs !== undefined) {
      const until = Date.now() + Math.min(failure.retryAfterMs, maxPauseMs);
      tokenState.pause = { until, failure };
    }
    throw failure;
  }
}

async function storePending(
  tokenState: TokenState,
  deps: RotationDeps,
  pair: TokenPair,
): Promise<void> {
  setUnsaved(tokenState, { pair, isPending: !(await storePair(deps, pair)) });
}

function setUnsaved(tokenState: TokenState, { pair, isPending }: CurrentPair): void {
  tokenState.unsaved = isPending ? pair : undefined;
}

/** Signed in as far as we know, yet the store has nothing, or tokens of another sign-in. */
async function endLostSignIn(tokenState: TokenState, snapshot: Snapshot): Promise<undefined> {
  // A sign-in that is kept in memory ends with the memory, which was said before.
  if (snapshot.deps.store.backend === "memory") return endSignIn(tokenState, snapshot, undefined);
  tokenState.context.log.error(
    "The tokens of this server are no longer where they were kept. Please sign in again.",
  );
  return endSignIn(tokenState, snapshot, "keychain_reset");
}

async function endSignIn(
  tokenState: TokenState,
  { deps }: Snapshot,
  because: ProfileState["signedOutBecause"],
): Promise<undefined> {
  tokenState.unsaved = undefined;
  await clearSignIn(tokenState.context, deps.store, because).catch((error: unknown) => {
    tokenState.context.log.debug(
      `Tokens that are worth nothing could not be removed: ${String(error)}`,
    );
  });
}

function isWanted(access: AccessToken | undefined, { refused, before }: FindOptions): boolean {
  return isUsable(access, refused) && access.value !== before;
}
