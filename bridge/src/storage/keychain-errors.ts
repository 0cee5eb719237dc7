import { BridgeError, errorMessage } from "../common/errors.js";
import { toPlainText } from "../common/text.js";
import { KeychainTimeout } from "./keychain-timeout.js";

/** What a failed call says. "absent": there is no keychain to talk to. "failed": anything else. */
export type KeychainErrorKind = "locked" | "absent" | "failed";

/** Wordings of gnome-keyring by way of both libraries, and of macOS (its -25308). */
const lockedWords = [
  /\blocked\b/i,
  /prompt was dismissed/i,
  /interaction is not allowed/i,
  /-25308/,
];

/** No D-Bus, a dead one, nobody behind the name, no collection; Windows without a logon session. */
const absentWords = [
  /no session bus of this user/i,
  /autolaunch/i,
  /could not connect/i,
  /failed to connect to socket/i,
  /not provided by any \.service/i,
  /ServiceUnknown|Spawn\.ChildExited/,
  /object does not exist/i,
  /no result found/i,
  /logon session does not exist/i,
];

export function classifyKeychainError(error: unknown): KeychainErrorKind {
  const message = errorMessage(error);
  const says = (words: readonly RegExp[]) => words.some((word) => word.test(message));
  if (says(lockedWords)) return "locked";
  if (says(absentWords)) return "absent";
  return "failed";
}

export function toBridgeError(error: unknown): BridgeError {
  if (error instanceof BridgeError) return error;
  return classifyKeychainError(error) === "locked"
    ? locked(error)
    : unavailable(describeKeychainError(error), error);
}

export function locked(cause?: unknown): BridgeError {
  return new BridgeError("keychain_locked", "The keychain is locked. Unlock it and try again.", {
    cause,
  });
}

export function unavailable(reason: string, cause?: unknown): BridgeError {
  return new BridgeError(
    "keychain_unavailable",
    `The keychain cannot be used: ${reason}. Make it available and try again, or keep the tokens ` +
      "in a file that only you can read: fettle-bridge login --storage file",
    { cause },
  );
}

/** The reason in half a sentence. */
export function describeKeychainError(error: unknown): string {
  if (error instanceof KeychainTimeout) {
    return "it does not answer, perhaps because it waits for a password in another window";
  }
  return toPlainText(errorMessage(error)).replace(/\.$/, "").slice(0, 200);
}
