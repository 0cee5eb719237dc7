import { logFailure } from "../common/log.js";
import { createWallClockTimer, startWait } from "../common/timing.js";
import type { Context } from "../context/context.js";
import {
  type Backend,
  identifyState,
  type ProfileState,
  readState,
  type SecretStore,
} from "../profile/profile.js";
import {
  type AccessToken,
  clearSignIn,
  type CurrentPair,
  findPair,
  rotate,
  type RotationDeps,
  storePair,
  withRefreshLock,
} from "./rotation.js";
import { RetryableFailure } from "./token-endpoint.js";

interface TokenSourceDeps {
  context: Context;
  /**
   * Called only while a sign-in is recorded. Called again after a failure or when the backend
   * changed.
   */
  openStore: (state: ProfileState) => Promise<SecretStore>;
  onStep?: RotationDeps["onStep"];
}

interface FindOptions {
  refused?: string | undefined;
  /** Value of a token to replace, although it may still be valid. */
  before?: string | undefined;
}

const maxPauseMs = 15 * 60_000;
/** A token's remaining time must suffice to send a request. */
const marginMs = 2000;

function isUsable(access: AccessToken | undefined, refused?: string): access is AccessToken {
  if (access === undefined || access.value === refused) return false;
  return access.expiresAt > Date.now() + marginMs;
}

interface Snapshot {
  deps: RotationDeps;
  current: CurrentPair | undefined;
}

/** Gets tokens shared by all processes of a profile. */
export class TokenSource {
  readonly #deps: TokenSourceDeps;
  /** The store hasn't accepted the newest pair. The pair is in an encrypted file. */
  isUnsaved = false;
  /** Set from the server's Retry-After. No requests are sent until it expires. */
  #pause: { leftMs: () => number; failure: RetryableFailure } | undefined;

  constructor(deps: TokenSourceDeps) {
    this.#deps = deps;
  }

  /** Uses another process's token or refreshes. Undefined if no one is signed in. */
  async find(options: FindOptions): Promise<AccessToken | undefined> {
    const snapshot = await this.#readSnapshot();
    if (snapshot === undefined) return undefined;
    const access = snapshot.current?.pair.access;
    if (snapshot.current?.isPending === false && isWanted(access, options)) {
      this.isUnsaved = false;
      return access;
    }
    return withRefreshLock(this.#deps.context, async () => {
      const now = await this.#readSnapshot();
      return now && this.#nextToken(now, options);
    });
  }

  async #readSnapshot(): Promise<Snapshot | undefined> {
    const { context, openStore, onStep } = this.#deps;
    const recorded = await readState(context.profile);
    const { signedIn, authorization } = recorded;
    if (!signedIn || authorization === undefined) return undefined;
    const store = await openStore(recorded);
    // A manually selected other store has no sign-in yet.
    if (store.backend !== recorded.backend) return undefined;
    const deps = { context, store, onStep, authorization };
    return { deps, current: await findPair(deps) };
  }

  /** Call under the lock, so that no other process changes the snapshot. */
  async #nextToken(
    { deps, current }: Snapshot,
    options: FindOptions,
  ): Promise<AccessToken | undefined> {
    if (current === undefined) return this.#endLostSignIn(deps);
    const { pair } = current;
    this.isUnsaved = current.isPending && !(await storePair(deps, pair));
    const { access, refreshToken, generation } = pair;
    if (isWanted(access, options)) return access;
    if (refreshToken === undefined) {
      return isUsable(access, options.refused) ? access : this.#endSignIn(deps, "expired");
    }
    const outcome = await this.#rotateInTime(deps, { ...pair, refreshToken });
    if (outcome.kind === "rotated") {
      this.isUnsaved = outcome.current.isPending;
      return outcome.current.pair.access;
    }
    // Only this generation is invalid. A later one is a new sign-in.
    const later = await findPair(deps);
    if (later !== undefined && later.pair.generation > generation) {
      return this.#nextToken({ deps, current: later }, options);
    }
    this.#deps.context.log.info(`The server ended the sign-in (${outcome.kind}).`);
    return this.#endSignIn(deps, outcome.kind);
  }

  async #rotateInTime(...rotation: Parameters<typeof rotate>) {
    if (this.#pause !== undefined && this.#pause.leftMs() > 0) throw this.#pause.failure;
    try {
      return await rotate(...rotation);
    } catch (failure) {
      if (failure instanceof RetryableFailure && failure.retryAfterMs !== undefined) {
        const leftMs = startWait(Math.min(failure.retryAfterMs, maxPauseMs));
        this.#pause = { leftMs, failure };
      }
      throw failure;
    }
  }

  /** For a recorded sign-in whose store is empty or contains another sign-in's tokens. */
  #endLostSignIn(deps: RotationDeps): Promise<undefined> {
    // A sign-in in memory ends with the memory. The person was notified before.
    if (deps.store.backend === "memory") return this.#endSignIn(deps, undefined);
    this.#deps.context.log.error("This server's stored tokens are missing. Please sign in again.");
    return this.#endSignIn(deps, "keychain_reset");
  }

  async #endSignIn(
    { context, store }: RotationDeps,
    because: ProfileState["signedOutBecause"],
  ): Promise<undefined> {
    this.isUnsaved = false;
    const what = "Could not remove invalid tokens";
    await clearSignIn(context, store, because).catch(logFailure(context.log.debug, what));
  }
}

function isWanted(access: AccessToken | undefined, { refused, before }: FindOptions): boolean {
  return isUsable(access, refused) && access.value !== before;
}

const firstRetryMs = 1000;
const maxRetryMs = 5 * 60_000;
const minWaitMs = 30_000;

/** Schedules the next refresh. Inactive before `start`. */
function createRefreshSchedule(onTime: () => void, due = dueAt) {
  const timer = createWallClockTimer(onTime);
  let isRunning = false;
  let failures = 0;
  /** After a success: plans the refresh before this token's end. Undefined plans none. */
  const plan = (token: AccessToken | undefined): void => {
    failures = 0;
    if (isRunning) timer.set(token === undefined ? Infinity : due(token));
  };
  return {
    plan,
    start: (token: AccessToken | undefined): void => {
      isRunning = true;
      plan(token);
    },
    stop: (): void => {
      isRunning = false;
      timer.set(Infinity);
    },
    /** After a failure: plans a retry with backoff. */
    planRetry: (retryAfterMs = 0): void => {
      const backoff = Math.min(firstRetryMs * 2 ** failures, maxRetryMs);
      failures += 1;
      if (isRunning) {
        timer.set(Date.now() + Math.max(retryAfterMs, backoff * (0.5 + Math.random() / 2)));
      }
    },
  };
}

/**
 * Refreshes with a fifth of the time left, at least 30 s, randomized so that only one of several
 * processes refreshes. Never sooner than in 30 s: shorter-lived tokens are refreshed on demand.
 */
export function dueAt({ expiresAt }: AccessToken): number {
  const now = Date.now();
  const left = expiresAt - now;
  if (left < minWaitMs) return Infinity;
  const ahead = Math.max(left / 5, Math.min(30_000, left / 2));
  return Math.max(expiresAt - ahead - (Math.random() * left) / 20, now + minWaitMs);
}

/** The only source of tokens and refreshes in this process. */
export interface TokenManager {
  /**
   * Undefined if no one is signed in. Uses the network only if no token is valid. Notices sign-ins
   * and sign-outs of other processes. Throws BridgeErrors of keychain and server, without losing
   * the tokens.
   */
  get: () => Promise<AccessToken | undefined>;
  /** Replaces a token that got a 401 or lacks scopes. Undefined if no one is signed in. */
  replace: (refused: AccessToken) => Promise<AccessToken | undefined>;
  /** Makes a locked keychain prompt a waiting person for its password. */
  unlock: () => Promise<void>;
  /** Gets a token and starts background refreshes. */
  start: () => void;
  stop: () => void;
}

/** For a server without sign-in or with a custom Authorization header. */
export const noTokens: TokenManager = {
  get: async () => undefined,
  replace: async () => undefined,
  unlock: async () => undefined,
  start: () => undefined,
  stop: () => undefined,
};

export interface TokenManagerDeps extends Omit<TokenSourceDeps, "context"> {
  unlock?: TokenManager["unlock"];
  /** When to refresh in the background. Tests use shorter times. */
  dueAt?: (token: AccessToken) => number;
}

const saveAgainMs = 30_000;

export function createTokenManager(context: Context, deps: TokenManagerDeps): TokenManager {
  const source = new TokenSource({ ...deps, context, openStore: cacheStore(deps.openStore) });
  const logNoToken = logFailure(context.log.debug, "No new token yet");
  const schedule = createRefreshSchedule(() => {
    // First store an unsaved pair.
    find(source.isUnsaved ? { refused } : { refused, before: token?.value }).catch(logNoToken);
  }, deps.dueAt);
  let token: AccessToken | undefined;
  let refused: string | undefined;
  let wasUnsaved = false;
  /** The state at the last token request. */
  let seen: string | undefined;
  /** The state before a search that found no one signed in. */
  let signedOut: string | undefined;
  let inFlight: Promise<AccessToken | undefined> | undefined;

  function find(options: FindOptions): Promise<AccessToken | undefined> {
    return (inFlight ??= findNow(options).finally(() => {
      inFlight = undefined;
    }));
  }

  async function findNow(options: FindOptions): Promise<AccessToken | undefined> {
    const before = identifyState(context.profile);
    const found = await source.find(options).then(accept, fail);
    signedOut = found === undefined ? before : undefined;
    return found;
  }

  function accept(found: AccessToken | undefined): AccessToken | undefined {
    // An unchanged token means that nothing can follow it, unless the search only had to store it.
    schedule.plan(found?.value === token?.value && !wasUnsaved ? undefined : found);
    token = found;
    wasUnsaved = source.isUnsaved;
    if (wasUnsaved) {
      schedule.planRetry(saveAgainMs);
      context.log.notice(
        "The renewed sign-in cannot be stored now. It is tried again while this bridge runs.",
      );
    }
    return found;
  }

  function fail(error: unknown): never {
    if (error instanceof RetryableFailure) schedule.planRetry(error.retryAfterMs);
    throw error;
  }

  async function get(): Promise<AccessToken | undefined> {
    const current = token;
    const state = identifyState(context.profile);
    const isChanged = state !== seen;
    seen = state;
    if (current !== undefined && isChanged && (await wasReplaced(context, current)))
      if (token === current) token = undefined;
    if (isUsable(token, refused)) return token;
    if (signedOut !== undefined && signedOut === state) return undefined;
    return find({ refused });
  }

  return {
    get,
    unlock: deps.unlock ?? noTokens.unlock,
    replace: async ({ value }) => {
      refused = value;
      const found = await get();
      // A concurrent search may have found the rejected token.
      return found?.value === value ? get() : found;
    },
    start: () => {
      schedule.start(isUsable(token, refused) ? token : undefined);
      get().catch(logNoToken);
    },
    stop: schedule.stop,
  };
}

/** True after a sign-out or new sign-in. A refresh in another process leaves the token valid. */
async function wasReplaced({ profile }: Context, token: AccessToken): Promise<boolean> {
  const { signedIn, firstGeneration } = await readState(profile);
  return !signedIn || firstGeneration > token.generation;
}

/** Opening may load a library and prompt a person, so opens once per backend. */
function cacheStore(open: TokenSourceDeps["openStore"]): TokenSourceDeps["openStore"] {
  let opened: { backend: Backend | undefined; store: SecretStore } | undefined;
  return async (state) => {
    if (opened?.backend !== state.backend || opened === undefined) {
      opened = { backend: state.backend, store: await open(state) };
    }
    return opened.store;
  };
}
