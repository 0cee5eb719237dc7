import { bridgeClientId } from "fettle-shared";
import { BridgeError } from "../common/errors.js";
import { logFailure } from "../common/log.js";
import type { Context } from "../context/context.js";
import {
  type Authorization,
  type ProfileState,
  readState,
  type SecretStore,
  updateState,
} from "../profile/profile.js";
import { openBackend } from "../storage/open-store.js";
import {
  checkPair,
  clearSignIn,
  deletePair,
  deleteRotationFiles,
  findPair,
  newestGeneration,
  readPair,
  toAccess,
  toIssuedBy,
  type TokenPair,
  withRefreshLock,
  writePair,
} from "./rotation.js";
import { type Granted, revoke } from "./token-endpoint.js";

export interface NewSignIn extends Omit<Granted, "kind"> {
  authorization: Authorization;
  clientSecret: string | undefined;
}

/**
 * Resolves with a function that revokes the replaced connection. Otherwise its server would still
 * list it.
 */
export async function storeSignIn(
  context: Context,
  store: SecretStore,
  { authorization, accessToken, expiresIn, refreshToken, clientSecret }: NewSignIn,
): Promise<() => Promise<void>> {
  const { profile, log } = context;
  return withRefreshLock(context, async () => {
    const state = await readState(profile);
    const notFound = logFailure(log.info, "The earlier sign-in could not be looked up");
    const replaced = await findReplaced(context, store, state).catch(notFound);
    const generation = Math.max(state.generation, await newestGeneration(profile)) + 1;
    const access = toAccess({ accessToken, expiresIn }, generation);
    const issuedBy = toIssuedBy(authorization);
    const pair = { generation, issuedBy, refreshToken, clientSecret, access };
    await writePair(store, pair);
    await checkPair(store, pair);
    await updateState(profile, {
      backend: store.backend,
      generation,
      firstGeneration: generation,
      signedIn: true,
      signedOutBecause: undefined,
      lastSignIn: { at: new Date().toISOString(), outcome: "done" },
      refreshedAt: undefined,
      authorization,
    });
    await deleteRotationFiles(profile);
    if (replaced === undefined) return async () => undefined;
    if (replaced.store !== store) {
      const notDeleted = logFailure(log.info, "The earlier tokens could not be deleted");
      await clearReplaced(replaced, generation).catch(notDeleted);
    }
    const notEnded = logFailure(log.info, "The earlier connection could not be ended");
    const { authorization: old, pair: oldPair } = replaced;
    return () => revokeAtFettle(context, old, oldPair).catch(notEnded);
  });
}

interface Replaced {
  store: SecretStore;
  authorization: Authorization;
  pair: TokenPair;
}

/** The profile's previous sign-in. Throws if its store can't be read now. */
async function findReplaced(
  context: Context,
  store: SecretStore,
  { backend, authorization }: ProfileState,
): Promise<Replaced | undefined> {
  if (backend === undefined || authorization === undefined) return undefined;
  const old = backend === store.backend ? store : await openBackend(context, backend);
  const current = await findPair({ context, store: old, authorization });
  return current && { store: old, authorization, pair: current.pair };
}

/** Only if the store differs from the new one. On macOS two libraries share their items. */
async function clearReplaced(replaced: Replaced, generation: number): Promise<void> {
  const { store, authorization } = replaced;
  const left = await readPair(store, authorization);
  if (left !== undefined && left.generation < generation) await deletePair(store);
}

/**
 * Only Fettle would still list it. On other servers, revoking one token can revoke everything
 * granted to the app.
 */
async function revokeAtFettle(
  context: Context,
  authorization: Authorization,
  { refreshToken }: TokenPair,
): Promise<void> {
  if (authorization.client.id !== bridgeClientId || refreshToken === undefined) return;
  await revoke(context, authorization, { refreshToken, clientSecret: undefined });
}

/** Revokes a sign-in that only a memory store contains, before its process ends. */
export async function revokeStored(context: Context, store: SecretStore): Promise<void> {
  const { authorization } = await readState(context.profile);
  if (authorization === undefined) return;
  const current = await findPair({ context, store, authorization });
  if (current !== undefined) await revokeAtFettle(context, authorization, current.pair);
}

/**
 * Why the server's connection was not revoked: a failure, or the server has no revocation endpoint.
 */
type NotRevoked = BridgeError | "not_offered";

/** Signs out at the server if possible. Removes earlier sign-ins from other stores. */
export async function signOut(
  context: Context,
  store: SecretStore | undefined,
  others: readonly SecretStore[],
): Promise<{ notRevoked: NotRevoked | undefined }> {
  return withRefreshLock(context, async () => {
    const { authorization } = await readState(context.profile);
    let notRevoked: NotRevoked | undefined;
    if (store !== undefined) {
      notRevoked = await endConnection(context, store, authorization);
      await clearSignIn(context, store, "logged_out");
    }
    for (const other of others) {
      const notCleared = logFailure(context.log.debug, `Not cleared: ${other.backend}`);
      await endLeftover(context, other, authorization).catch(notCleared);
    }
    return { notRevoked };
  });
}

async function endConnection(
  context: Context,
  store: SecretStore,
  authorization: Authorization | undefined,
): Promise<NotRevoked | undefined> {
  if (authorization === undefined) return undefined;
  const current = await findPair({ context, store, authorization });
  const { refreshToken, clientSecret } = current?.pair ?? {};
  if (refreshToken === undefined) return undefined;
  if (authorization.revocationEndpoint === undefined) return "not_offered";
  try {
    await revoke(context, authorization, { refreshToken, clientSecret });
    return undefined;
  } catch (error) {
    if (error instanceof BridgeError) return error;
    throw error;
  }
}

async function endLeftover(
  context: Context,
  store: SecretStore,
  authorization: Authorization | undefined,
): Promise<void> {
  if (((await store.get("rt")) ?? (await store.get("at"))) === undefined) return;
  try {
    await endConnection(context, store, authorization);
  } finally {
    await deletePair(store);
  }
}
