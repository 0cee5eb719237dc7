import type { Context } from "../context.js";
import { createStateWatch } from "../profile/state-watch.js";
import { readState } from "../profile/state.js";
import type { Backend, SecretStore } from "../storage/secret-store.js";
import type { AccessToken } from "./access-token.js";
import { createRenewal } from "./renewal.js";
import { createSaver } from "./saver.js";
import { RetryableFailure } from "./token-endpoint.js";
import { createTokenSource, isUsable, type Need, type SourceParts } from "./token-source.js";

export type { AccessToken };

/** The one way to a token, and the one path of refreshing, for everything in this process. */
export interface TokenKeeper {
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
  /** Looks for a token, and from now on refreshes ahead of its end, in the background. */
  start: () => void;
  stop: () => void;
}

export interface KeeperParts {
  /** Asked only while a sign-in is recorded; again after a failure, and when the backend changed. */
  openStore: SourceParts["openStore"];
  /** When the next token is asked for in the background; tests do not wait that long. */
  dueAt?: (token: AccessToken) => number;
  /** For tests that end the process in the midst of a refresh. */
  onStep?: SourceParts["onStep"];
}

export function createTokenKeeper(context: Context, parts: KeeperParts): TokenKeeper {
  const openStore = rememberStore(parts.openStore);
  const source = createTokenSource({ context, openStore, onStep: parts.onStep });
  const saver = createSaver(source, context.log);
  const hasStateChanged = createStateWatch(context.profile);
  const renewal = createRenewal(() => {
    find({ refused, before: token?.value }).catch(tell);
  }, parts.dueAt);
  let token: AccessToken | undefined;
  let refused: string | undefined;
  let flight: Promise<AccessToken | undefined> | undefined;

  function find(need: Need): Promise<AccessToken | undefined> {
    flight ??= source
      .find(need)
      .then(land, fail)
      .finally(() => {
        flight = undefined;
      });
    return flight;
  }

  function land(found: AccessToken | undefined): AccessToken | undefined {
    // The same one again means that nothing can follow it.
    renewal.plan(found?.value === token?.value ? undefined : found);
    token = found;
    if (source.isUnsaved()) saver.start();
    return found;
  }

  function fail(error: unknown): never {
    if (error instanceof RetryableFailure) renewal.planAgain(error.retryAfterMs);
    throw error;
  }

  function tell(error: unknown): void {
    context.log.debug(`No new token yet: ${String(error)}`);
  }

  /** After a sign-out or a new sign-in; what another process refreshed leaves this token good. */
  async function dropOvertaken(held: AccessToken): Promise<void> {
    const { signedIn, firstGeneration } = await readState(context.profile);
    if (token === held && (!signedIn || firstGeneration > held.generation)) token = undefined;
  }

  async function get(): Promise<AccessToken | undefined> {
    if (token !== undefined && hasStateChanged()) await dropOvertaken(token);
    return isUsable(token, refused) ? token : find({ refused });
  }

  return {
    get,
    replace: async ({ value }) => {
      refused = value;
      const found = await get();
      // A search that was under way may have found the very one.
      return found?.value === value ? get() : found;
    },
    start: () => {
      renewal.start(isUsable(token, refused) ? token : undefined);
      get().catch(tell);
    },
    stop: () => {
      renewal.stop();
      saver.stop();
    },
  };
}

/** Opening may mean loading a library and asking a person, so it is done once per backend. */
function rememberStore(open: SourceParts["openStore"]): SourceParts["openStore"] {
  let opened: { backend: Backend | undefined; store: SecretStore } | undefined;
  return async (state) => {
    if (opened?.backend !== state.backend || opened === undefined) {
      opened = { backend: state.backend, store: await open(state) };
    }
    return opened.store;
  };
}
