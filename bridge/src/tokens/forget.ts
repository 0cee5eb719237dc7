import type { Context } from "../context.js";
import { updateState, type SignedOutReason } from "../profile/state.js";
import type { SecretStore } from "../storage/secret-store.js";
import { clearPending } from "./pending-rotation.js";

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
