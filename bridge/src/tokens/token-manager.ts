import { type Log, logFailure } from "../common/log.js";
import { createWallClockTimer } from "../common/timing.js";
import type { Context } from "../context/context.js";
import {
  type Backend,
  createStateWatch,
  identifyState,
  readState,
  type SecretStore,
} from "../profile/state.js";
import { RetryableFailure } from "./token-endpoint.js";
import type { AccessToken } from "./token-pair.js";
import { type FindOptions, isUsable, TokenSource, type TokenSourceDeps } from "./token-source.js";

const firstRetryMs = 1000;
const maxRetryMs = 5 * 60_000;
const minWaitMs = 30_000;

/** Knows when the next token is to be asked for. Nothing rings before `start`. */
function createRefreshSchedule(onTime: () => void, due = dueAt) {
  const timer = createWallClockTimer(onTime);
  let isRunning = false;
  let failures = 0;
  /** After a success: plans what comes before this token's end; undefined has none. */
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
    /** After a failure: plans another try, later with each one in a row. */
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
 * With a fifth of the time left, and at least 30 s where there is that much. Spread a little, so
 * that one process of several does it and the others find it done. Never sooner than in 30 s:
 * tokens that do not live that long are followed when the next one is needed.
 */
export function dueAt({ expiresAt }: AccessToken): number {
  const now = Date.now();
  const left = expiresAt - now;
  if (left < minWaitMs) return Infinity;
  const ahead = Math.max(left / 5, Math.min(30_000, left / 2));
  return Math.max(expiresAt - ahead - (Math.random() * left) / 20, now + minWaitMs);
}

/** The one way to a token, and the one path of refreshing, for everything in this process. */
export interface TokenManager {
  /**
   * A token to use now; undefined when nobody is signed in. Asks the network only when none is
   * good any more. What another process signed out or in counts within a second. Throws
   * BridgeError: `keychain_locked`, `keychain_unavailable`, `server_unreachable`, `server_busy` or
   * `server_refused` (the tokens are kept, try again later).
   */
  get: () => Promise<AccessToken | undefined>;
  /**
   * The server did not take this one (401, or too few scopes before a new sign-in): another one,
   * or undefined when nobody is signed in now.
   */
  replace: (refused: AccessToken) => Promise<AccessToken | undefined>;
  /** For a person who waits: has a locked keychain ask for its password. */
  unlock: () => Promise<void>;
  /** Looks for a token, and from now on refreshes ahead of its end, in the background. */
  start: () => void;
  stop: () => void;
}

/** For a server that wants none, or is given another Authorization. */
export const noTokens: TokenManager = {
  get: async () => undefined,
  replace: async () => undefined,
  unlock: async () => undefined,
  start: () => undefined,
  stop: () => undefined,
};

export interface TokenManagerDeps {
  /** Asked only while a sign-in is recorded; again after a failure, and when the backend changed. */
  openStore: TokenSourceDeps["openStore"];
  unlock?: TokenManager["unlock"];
  /** When the next token is asked for in the background; tests do not wait that long. */
  dueAt?: (token: AccessToken) => number;
  /** For tests that end the process in the midst of a refresh. */
  onStep?: TokenSourceDeps["onStep"];
}

const saveAgainMs = 30_000;

export function createTokenManager(context: Context, deps: TokenManagerDeps): TokenManager {
  const openStore = cacheStore(deps.openStore);
  const source = new TokenSource({ context, openStore, onStep: deps.onStep });
  const saver = createSaver(source, context.log);
  const logNoToken = logFailure(context.log.debug, "No new token yet");
  const hasStateChanged = createStateWatch(context.profile);
  const schedule = createRefreshSchedule(() => {
    find({ refused, before: token?.value }).catch(logNoToken);
  }, deps.dueAt);
  let token: AccessToken | undefined;
  let refused: string | undefined;
  /** The state, as it was before it was read, in which nobody was signed in. */
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
    // The same one again means that nothing can follow it.
    schedule.plan(found?.value === token?.value ? undefined : found);
    token = found;
    if (source.isUnsaved()) saver.start();
    return found;
  }

  function fail(error: unknown): never {
    if (error instanceof RetryableFailure) schedule.planRetry(error.retryAfterMs);
    throw error;
  }

  async function get(): Promise<AccessToken | undefined> {
    const current = token;
    if (current !== undefined && hasStateChanged() && (await wasReplaced(context, current)))
      if (token === current) token = undefined;
    if (isUsable(token, refused)) return token;
    if (signedOut !== undefined && signedOut === identifyState(context.profile)) return undefined;
    return find({ refused });
  }

  return {
    get,
    unlock: deps.unlock ?? noTokens.unlock,
    replace: async ({ value }) => {
      refused = value;
      const found = await get();
      // A search that was under way may have found the very one.
      return found?.value === value ? get() : found;
    },
    start: () => {
      schedule.start(isUsable(token, refused) ? token : undefined);
      get().catch(logNoToken);
    },
    stop: () => {
      schedule.stop();
      saver.stop();
    },
  };
}

/** By a sign-out or a new sign-in; what another process refreshed leaves a token good. */
async function wasReplaced({ profile }: Context, token: AccessToken): Promise<boolean> {
  const { signedIn, firstGeneration } = await readState(profile);
  return !signedIn || firstGeneration > token.generation;
}

/** Opening may mean loading a library and asking a person, so it is done once per backend. */
function cacheStore(open: TokenSourceDeps["openStore"]): TokenSourceDeps["openStore"] {
  let opened: { backend: Backend | undefined; store: SecretStore } | undefined;
  return async (state) => {
    if (opened?.backend !== state.backend || opened === undefined) {
      opened = { backend: state.backend, store: await open(state) };
    }
    return opened.store;
  };
}

/** Tries again and again to store what the store did not take, and says so once. */
function createSaver(source: TokenSource, log: Log) {
  const timer = createWallClockTimer(() => void saveAgain());
  const start = () => {
    log.notice(
      "The renewed sign-in cannot be stored now. It is tried again while this bridge runs.",
    );
    timer.set(Date.now() + saveAgainMs);
  };
  const saveAgain = async () => {
    await source.save().catch(logFailure(log.debug, "Storing failed again"));
    if (source.isUnsaved()) start();
  };
  return {
    start,
    stop: (): void => {
      timer.set(Infinity);
    },
  };
}
