import type { Context } from "../context.js";
import { readState, type ProfileState } from "../profile/state.js";
import type { SecretStore } from "../storage/secret-store.js";
import { findPair, rotate, settle, type Held, type RotationParts } from "./rotation.js";
import { forget } from "./forget.js";
import { underRefreshLock } from "./refresh-lock.js";
import { RetryableFailure } from "./token-endpoint.js";
import type { AccessToken } from "./access-token.js";
import type { TokenPair } from "./token-pair.js";

export interface SourceParts {
  context: Context;
  openStore: (state: ProfileState) => Promise<SecretStore>;
  onStep: RotationParts["onStep"];
}

export interface Need {
  /** Value of a token that the server did not take. */
  refused?: string | undefined;
  /** Value of a token that is to be followed by another although it may still be good. */
  before?: string | undefined;
}

/** The way to tokens that all processes of a profile share. */
export interface TokenSource {
  /** Takes what another process got, else refreshes; undefined when nobody is signed in. */
  find: (need: Need) => Promise<AccessToken | undefined>;
  /** Something newer than what is stored lives only here and in a sealed file. */
  isUnsaved: () => boolean;
  /** Tries to store it. */
  save: () => Promise<void>;
}

/** A longer wait than this is not taken from a server's word. */
const longestPauseMs = 15 * 60_000;
/** What is left of a token's time must be enough to get a request to the server. */
const marginMs = 2000;

export function isUsable(access: AccessToken | undefined, refused?: string): access is AccessToken {
  if (access === undefined || access.value === refused) return false;
  return access.expiresAt > Date.now() + marginMs;
}

/** What one process knows beyond the store. */
interface Desk extends SourceParts {
  /** Newer than what is stored: the store did not take it yet. */
  unsaved: TokenPair | undefined;
  /** The server asked not to be asked until then. */
  pause: { until: number; failure: RetryableFailure } | undefined;
}

interface View {
  parts: RotationParts;
  held: Held | undefined;
}

export function createTokenSource(parts: SourceParts): TokenSource {
  const desk: Desk = { ...parts, unsaved: undefined, pause: undefined };
  return {
    find: (need) => find(desk, need),
    isUnsaved: () => desk.unsaved !== undefined,
    save: () =>
      underRefreshLock(desk.context, async () => {
        const view = await look(desk);
        if (view?.held?.isPending === true) await keep(desk, view.parts, view.held.pair);
        else desk.unsaved = undefined;
      }),
  };
}

async function look({ context, openStore, onStep, unsaved }: Desk): Promise<View | undefined> {
  const state = await readState(context.profile);
  if (!state.signedIn || state.authorization === undefined) return undefined;
  const store = await openStore(state);
  // Another store, chosen by hand, is a place where nobody has signed in yet.
  if (store.backend !== state.backend) return undefined;
  const parts = { context, store, onStep, authorization: state.authorization };
  let held = await findPair(parts);
  if (held !== undefined && unsaved !== undefined && unsaved.generation > held.pair.generation) {
    held = { pair: unsaved, isPending: true };
  }
  return { parts, held };
}

async function find(desk: Desk, need: Need): Promise<AccessToken | undefined> {
  const view = await look(desk);
  if (view === undefined) return undefined;
  const access = view.held?.pair.access;
  if (view.held?.isPending === false && isWanted(access, need)) return access;
  return underRefreshLock(desk.context, async () => {
    const now = await look(desk);
    return now === undefined ? undefined : advance(desk, now, need);
  });
}

/** Under the lock: nobody else changes what was seen. */
async function advance(desk: Desk, view: View, need: Need): Promise<AccessToken | undefined> {
  const { parts, held } = view;
  if (held === undefined) return lose(desk, view);
  if (held.isPending) await keep(desk, parts, held.pair);
  const { access, refreshToken, generation } = held.pair;
  if (isWanted(access, need)) return access;
  if (refreshToken === undefined) {
    return isUsable(access, need.refused) ? access : giveUp(desk, view, "expired");
  }
  const outcome = await rotateInTime(desk, parts, { ...held.pair, refreshToken });
  if (outcome.kind === "rotated") {
    remember(desk, outcome.held);
    return outcome.held.pair.access;
  }
  // Only tokens of this generation are worth nothing now; later ones are somebody's new sign-in.
  const later = await findPair(parts);
  if (later !== undefined && later.pair.generation > generation) {
    return advance(desk, { ...view, held: later }, need);
  }
  desk.context.log.info(`The server ended the sign-in (${outcome.kind}).`);
  return giveUp(desk, view, outcome.kind);
}

async function rotateInTime(desk: Desk, ...rotation: Parameters<typeof rotate>) {
  const { pause } = desk;
  if (pause !== undefined && Date.now() < pause.until) throw pause.failure;
  try {
    return await rotate(...rotation);
  } catch (failure) {
    if (failure instanceof RetryableFailure && failure.retryAfterMs !== undefined) {
      const until = Date.now() + Math.min(failure.retryAfterMs, longestPauseMs);
      desk.pause = { until, failure };
    }
    throw failure;
  }
}

async function keep(desk: Desk, parts: RotationParts, pair: TokenPair): Promise<void> {
  remember(desk, { pair, isPending: !(await settle(parts, pair)) });
}

function remember(desk: Desk, { pair, isPending }: Held): void {
  desk.unsaved = isPending ? pair : undefined;
}

/** Signed in as far as we know, yet the store has nothing, or tokens of another sign-in. */
async function lose(desk: Desk, view: View): Promise<undefined> {
  // A sign-in that is kept in memory ends with the memory, which was said before.
  if (view.parts.store.backend === "memory") return giveUp(desk, view, undefined);
  desk.context.log.error(
    "The tokens of this server are no longer where they were kept. Please sign in again.",
  );
  return giveUp(desk, view, "keychain_reset");
}

async function giveUp(
  desk: Desk,
  { parts }: View,
  because: ProfileState["signedOutBecause"],
): Promise<undefined> {
  desk.unsaved = undefined;
  await forget(desk.context, parts.store, because).catch((error: unknown) => {
    desk.context.log.debug(`Tokens that are worth nothing could not be removed: ${String(error)}`);
  });
}

function isWanted(access: AccessToken | undefined, { refused, before }: Need): boolean {
  return isUsable(access, refused) && access.value !== before;
}
