import { BridgeError, errorMessage } from "../common/errors.js";
import { quote } from "../common/text.js";
import { HttpFailure } from "../http/http-client.js";
import type { OauthLibrary } from "./load-oauth-library.js";

/** What went wrong at the authorization server, as something a person can act on. */
export function toSignInError(error: unknown, client: OauthLibrary): BridgeError {
  if (error instanceof BridgeError) return error;
  if (error instanceof TypeError && error.cause instanceof BridgeError) return error.cause;
  if (error instanceof HttpFailure) {
    return new BridgeError(
      "server_unreachable",
      `Signing in is not possible now: ${error.message}. Try again later.`,
      { cause: error },
    );
  }
  return new BridgeError("sign_in_failed", describe(error, client), { cause: error });
}

function describe(error: unknown, client: OauthLibrary): string {
  const { AuthorizationServerMismatchError, IssuerMismatchError } = client;
  if (error instanceof IssuerMismatchError || error instanceof AuthorizationServerMismatchError) {
    return "The sign-in was stopped: the answer came from another authorization server than the one that was asked.";
  }
  if (error instanceof client.RegistrationRejectedError) {
    return (
      `The server refused to register this program (HTTP ${error.status}). ` +
      "Ask its operator for a client id and put it in FETTLE_BRIDGE_CLIENT_ID."
    );
  }
  if (error instanceof client.OAuthError) {
    return (
      `The authorization server refused the sign-in: ${quote(error.code)}. ` +
      "Try again; if it happens again, ask who runs the server."
    );
  }
  const reason = errorMessage(error);
  return `The sign-in did not work: ${quote(reason)}.`;
}
