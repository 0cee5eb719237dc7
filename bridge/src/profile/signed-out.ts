import type { ProfileState, SignedOutReason } from "./state.js";

const reasons: Record<SignedOutReason, string> = {
  logged_out: "signed out with logout",
  refused: "signed out: the server ended the connection",
  client_forgotten: "signed out: the server no longer knows this program",
  expired: "signed out: the time of the sign-in was up",
  keychain_reset: "signed out: the keychain no longer holds the tokens",
};

/** In what way nobody is signed in, for the commands that tell people. */
export function describeSignedOut({ signedOutBecause, lastSignIn }: ProfileState): string {
  if (signedOutBecause !== undefined) return reasons[signedOutBecause];
  switch (lastSignIn?.outcome) {
    case undefined:
      return "not signed in yet";
    case "denied":
      return "not signed in: access was denied in the browser";
    case "expired":
      return "not signed in: nobody completed the sign-in in the browser";
    case "failed":
      return "not signed in: the last sign-in failed";
    case "done":
      return "no longer signed in: the tokens were in memory only";
  }
}
