import { bridgeClientId } from "fettle-shared";
import type { Context } from "../context.js";
import { readState } from "../profile/state.js";
import type { SecretStore } from "../storage/secret-store.js";
import { findPair } from "../tokens/rotation.js";
import { revoke } from "../tokens/token-endpoint.js";

/**
 * Ends the connection of tokens that end with this process: its server would list it on and on.
 * Not elsewhere than at Fettle, where that can end everything the app was granted. Never rejects.
 */
export async function revokeHeld(context: Context, store: SecretStore): Promise<void> {
  try {
    const { authorization } = await readState(context.profile);
    if (authorization?.client.id !== bridgeClientId) return;
    const held = await findPair({ context, store, authorization });
    const refreshToken = held?.pair.refreshToken;
    if (refreshToken === undefined) return;
    await revoke(context, authorization, { refreshToken, clientSecret: undefined });
  } catch (error) {
    context.log.info(`The connection could not be ended: ${String(error)}`);
  }
}
