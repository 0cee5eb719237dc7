import type { ProfileState } from "../profile/state.js";
import type { SignInCause } from "./helper-messages.js";

/** Nobody is asked twice by a client that merely starts, whatever the answer was the first time. */
export function mayPrompt(cause: SignInCause, { lastSignIn, backend }: ProfileState): boolean {
  if (cause === "person" || lastSignIn === undefined) return true;
  // Tokens in memory are gone with the last bridge, through nobody's decision.
  return backend === "memory" && lastSignIn.outcome === "done";
}

/** Whether somebody else signed in since, so that the reason to ask is gone. */
export function isAlreadySignedIn(
  { signedIn, generation, authorization }: ProfileState,
  since: { generation: number; additionalScope: string | undefined },
): boolean {
  if (!signedIn || generation <= since.generation) return false;
  return includesScopes(since.additionalScope, authorization?.scope);
}

/** Whether each of the wanted scopes is among the others. */
export function includesScopes(wanted = "", others = ""): boolean {
  const known = new Set(others.split(" "));
  return wanted.split(" ").every((scope) => scope === "" || known.has(scope));
}
