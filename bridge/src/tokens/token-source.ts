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

/** A longer wait than this is not taken from a server's word. */
const maxPauseMs = 15 * 60_000;
/** What is left of a token's time must be enough to get a request to the server. */
const marginMs = 2000;

export function isUsable(access: AccessToken | undefined, refused?: string): access is AccessToken {
  if (access === undefined || access.value === refused) return false;
  return access.expiresAt > Date.now() + marginMs;
}

interface Snapshot {
  deps: RotationDeps;
  current: CurrentPair | undefined;
}

/** The way to tokens that all processes of a profile share. */
export class TokenSource {
  readonly #deps: TokenSourceDeps;
  /** Newer than what is stored: the store did not take it yet, so it lives here and in an encrypted file. */
  #unsaved: TokenPair | undefined;
  /** The server asked not to be asked as long as any of it is left. */
  #pause: { leftMs: () => number; failure: RetryableFailure } | undefined;

  constructor(deps: TokenSourceDeps) {
    this.#deps = deps;
  }

  isUnsaved(): boolean {
    return this.#unsaved !== undefined;
  }

  save(): Promise<void> {
    return withRefreshLock(this.#deps.context, async () => {
      const { deps, current } = (await this.#readSnapshot()) ?? {};
      if (deps && current?.isPending) await this.#storeAgain(deps, current.pair);
      else this.#unsaved = undefined;
    });
  }

  /** Takes what another process got, else refreshes; undefined when nobody is signed in. */
  async find(options: FindOptions): Promise<AccessToken | undefined> {
    const snapshot = await this.#readSnapshot();
    if (snapshot === undefined) return undefined;
    const access = snapshot.current?.pair.access;
    if (snapshot.current?.isPending === false && isWanted(access, options)) return access;
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
    // Another store, chosen by hand, is a place where nobody has signed in yet.
    if (store.backend !== recorded.backend) return undefined;
    const deps = { context, store, onStep, authorization };
    const current = await findPair(deps);
    const unsaved = this.#unsaved;
    const isNewer = current && unsaved && unsaved.generation > current.pair.generation;
    return { deps, current: isNewer ? { pair: unsaved, isPending: true } : current };
  }

  /** Under the lock: nobody else changes what was seen. */
  async #nextToken(
    { deps, current }: Snapshot,
    options: FindOptions,
  ): Promise<AccessToken | undefined> {
    if (current === undefined) return this.#endLostSignIn(deps);
    const { pair } = current;
    if (current.isPending) await this.#storeAgain(deps, pair);
    const { access, refreshToken, generation } = pair;
    if (isWanted(access, options)) return access;
    if (refreshToken === undefined) {
      return isUsable(access, options.refused) ? access : this.#endSignIn(deps, "expired");
    }
    const outcome = await this.#rotateInTime(deps, { ...pair, refreshToken });
    if (outcome.kind === "rotated") {
      this.#setUnsaved(outcome.current);
      return outcome.current.pair.access;
    }
    // Only tokens of this generation are worth nothing now; later ones are somebody's new sign-in.
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

  async #storeAgain(deps: RotationDeps, pair: TokenPair): Promise<void> {
    this.#setUnsaved({ pair, isPending: !(await storePair(deps, pair)) });
  }

  #setUnsaved({ pair, isPending }: CurrentPair): void {
    this.#unsaved = isPending ? pair : undefined;
  }

  /** Signed in as far as we know, yet the store has nothing, or tokens of another sign-in. */
  #endLostSignIn(deps: RotationDeps): Promise<undefined> {
    // A sign-in that is kept in memory ends with the memory, which was said before.
    if (deps.store.backend === "memory") return this.#endSignIn(deps, undefined);
    this.#deps.context.log.error(
      "The tokens of this server are no longer where they were kept. Please sign in again.",
    );
    return this.#endSignIn(deps, "keychain_reset");
  }

  async #endSignIn(
    { context, store }: RotationDeps,
    because: ProfileState["signedOutBecause"],
  ): Promise<undefined> {
    this.#unsaved = undefined;
    const what = "Tokens that are worth nothing could not be removed";
    await clearSignIn(context, store, because).catch(logFailure(context.log.debug, what));
  }
}

function isWanted(access: AccessToken | undefined, { refused, before }: FindOptions): boolean {
  return isUsable(access, refused) && access.value !== before;
}
