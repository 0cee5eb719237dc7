import type { BridgeErrorCode } from "../common/errors.js";
import type { Message } from "../ipc/channel.js";
import type { ProfileState } from "../profile/state.js";

/**
 * Why a sign-in is asked for. "start": a client asked by itself while starting, which opens a
 * window only for a profile that never tried before. "person": somebody wanted something done.
 */
export type SignInCause = "start" | "person";

export type SignInOutcome =
  { kind: "done" } | { kind: "denied" | "expired" | "failed"; message: string };

/** A bridge asks the helper for a sign-in, or for a part in the one that is under way. */
export type SignInMessage = {
  op: "sign-in";
  cause: SignInCause;
  /** Scopes a refused call needs, on top of what was granted. */
  additionalScope: string | undefined;
  /** The newest token pair the bridge has heard of. */
  generation: number;
};

/** What the helper answers, in this order; "none" alone, when the cause does not allow to ask. */
export type SignInEvent =
  | { event: "none" }
  | { event: "waiting"; url: string; browser: "opened" | "printed" }
  | { event: "ended"; outcome: SignInOutcome; code?: BridgeErrorCode };

export function toSignInMessage({ cause, additionalScope, generation }: Message): SignInMessage {
  return {
    op: "sign-in",
    cause: cause === "person" ? "person" : "start",
    additionalScope: typeof additionalScope === "string" ? additionalScope : undefined,
    generation: Number(generation),
  };
}

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
