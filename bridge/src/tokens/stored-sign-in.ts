import { bridgeClientId } from "fettle-shared";
import type { Context } from "../context.js";
import { BridgeError } from "../errors.js";
import { LockTimeout, withLock } from "../profile/lock.js";
import {
  readState,
  updateState,
  type Authorization,
  type ProfileState,
  type SignedOutReason,
} from "../profile/state.js";
import type { SecretStore } from "../storage/secret-store.js";
import { clearPending, newestKept } from "./pending-rotation.js";
import { findPair, toAccess } from "./rotation.js";
import { RetryableFailure, revoke } from "./token-endpoint.js";
import { checkPair, writePair } from "./token-pair.js";

/** Whoever holds the lock longest waits for a server, up to 45 s. */
const lockWaitMs = 60_000;

export interface NewSignIn {
  authorization: Authorization;
  accessToken: string;
  /** Seconds; undefined when the server does not say. */
  expiresIn: number | undefined;
  refreshToken: string | undefined;
  clientSecret: string | undefined;
}

/** Runs work while no process of the profile changes its tokens. */
export async function underRefreshLock<Result>(
  { profile }: Context,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await withLock(profile, "refresh", work, { waitMs: lockWaitMs });
  } catch (cause) {
    if (!(cause instanceof LockTimeout)) throw cause;
    const message = "Another fettle-bridge has been busy with the sign-in for a minute. Try again.";
    throw new RetryableFailure("server_busy", message, { cause });
  }
}

/**
 * Stores what a sign-in brought, in place of whatever was there. Resolves with what ends the
 * connection that was replaced, which otherwise stays listed with its server until revoked.
 */
export async function storeSignIn(
  context: Context,
  store: SecretStore,
  { authorization, accessToken, expiresIn, refreshToken, clientSecret }: NewSignIn,
): Promise<() => Promise<void>> {
  const { profile } = context;
  return underRefreshLock(context, async () => {
    const state = await readState(profile);
    const replaced = state.signedIn
      ? await findPair({ context, store, onStep: undefined }).catch(() => undefined)
      : undefined;
    const generation = Math.max(state.generation, await newestKept(profile)) + 1;
    const access = toAccess({ accessToken, expiresIn }, generation);
    const pair = { generation, refreshToken, clientSecret, access };
    await writePair(store, pair);
    await checkPair(store, pair);
    await clearPending(profile);
    await updateState(profile, {
      backend: store.backend,
      generation,
      signedIn: true,
      signedOutBecause: undefined,
      lastSignIn: { at: new Date().toISOString(), outcome: "done" },
      refreshedAt: undefined,
      authorization,
    });
    return () => endReplaced(context, state, replaced?.pair.refreshToken);
  });
}

/** Elsewhere than at Fettle revoking one token can end everything that the app was granted. */
async function endReplaced(
  context: Context,
  { authorization }: ProfileState,
  refreshToken: string | undefined,
): Promise<void> {
  if (authorization?.client.id !== bridgeClientId || refreshToken === undefined) return;
  await revoke(context, authorization, { refreshToken, clientSecret: undefined }).catch(
    (error: unknown) => {
      context.log.info(`The earlier connection could not be ended: ${String(error)}`);
    },
  );
}

/** Removes the tokens and records why. The caller holds the lock. */
export async function forget(
  { profile }: Context,
  store: SecretStore,
  because: SignedOutReason | undefined,
): Promise<void> {
  try {
    await store.delete("rt");
    await store.delete("at");
  } finally {
    await clearPending(profile);
    await updateState(profile, { signedIn: false, signedOutBecause: because });
  }
}

/** Ends the sign-in at the server as well; when that fails, it is forgotten here all the same. */
export async function signOut(
  context: Context,
  store: SecretStore,
): Promise<{ notRevoked: BridgeError | undefined }> {
  return underRefreshLock(context, async () => {
    const { authorization } = await readState(context.profile);
    const held = await findPair({ context, store, onStep: undefined });
    const { refreshToken, clientSecret } = held?.pair ?? {};
    let notRevoked: BridgeError | undefined;
    if (authorization !== undefined && refreshToken !== undefined) {
      await revoke(context, authorization, { refreshToken, clientSecret }).catch(
        (error: unknown) => {
          if (!(error instanceof BridgeError)) throw error;
          notRevoked = error;
        },
      );
    }
    await forget(context, store, "logged_out");
    return { notRevoked };
  });
}
