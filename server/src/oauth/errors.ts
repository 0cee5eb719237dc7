import { commonTexts } from "../domain/shared/common-texts.js";
import { toRefusal } from "../db/query-errors.js";
import { wordRefusal } from "../domain/shared/refusals.js";
import OAuth2Server from "@node-oauth/oauth2-server";
import { retryAfterOf, type AppError } from "../errors.js";

/** An error of RFC 6749, 7591 or 7009 for a client. Its text is for the app's developer. */
export class OauthFailure extends Error {
  readonly code: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: string,
    description: string,
    status = 400,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(description);
    this.name = "OauthFailure";
    this.code = code;
    this.status = status;
    this.headers = headers;
  }
}

/** RFC 6749 §5.2. Apps register again after this error. */
export function invalidClient(description: string): OauthFailure {
  return new OauthFailure("invalid_client", description, 401, {
    "www-authenticate": 'Basic realm="Fettle", charset="UTF-8"',
  });
}

/**
 * Converts an error to a response. Returns undefined for unexpected errors, which are logged, and
 * the client gets one fixed sentence. `malformed` is the endpoint's code for an unreadable body.
 */
export function toOauthFailure(error: unknown, malformed: string): OauthFailure | undefined {
  if (error instanceof OauthFailure) return error;
  if (error instanceof OAuth2Server.OAuthError) return fromEngine(error);
  const refusal = toRefusal(error);
  if (refusal !== undefined) return fromRule(refusal);
  const status = statusOf(error);
  if (status === 429) return tooManyRequests();
  if (status === 413) return new OauthFailure(malformed, "The request is larger than 64 KiB.", 413);
  if (status !== undefined && status >= 400 && status < 500) {
    return new OauthFailure(malformed, "The body cannot be read in this form.");
  }
  return undefined;
}

function tooManyRequests(retryAfterSeconds?: number): OauthFailure {
  const headers = retryAfterSeconds === undefined ? {} : { "retry-after": `${retryAfterSeconds}` };
  return new OauthFailure(
    "temporarily_unavailable",
    "Too many requests: wait before the next one.",
    429,
    headers,
  );
}

/** Passes on only the engine's errors about the request. Other texts may reveal internals. */
function fromEngine(error: OAuth2Server.OAuthError): OauthFailure | undefined {
  switch (error.name) {
    case "invalid_grant":
      return new OauthFailure(
        "invalid_grant",
        "The code or refresh token is no longer valid. Start a new authorization.",
      );
    case "invalid_scope":
      return new OauthFailure("invalid_scope", "A refresh cannot add to what was granted.");
    case "invalid_request":
    case "unsupported_grant_type":
    case "unauthorized_client":
      return new OauthFailure(error.name, toDescription(error.message));
    case "invalid_client":
      return invalidClient("The client is not valid.");
    default:
      return undefined;
  }
}

function fromRule(error: AppError): OauthFailure {
  if (error.code === "rate_limited") return tooManyRequests(retryAfterOf(error));
  if (error.key === "outcome_unknown") {
    const text = "The connection to the database broke while the answer was saved: it may count.";
    return new OauthFailure("server_error", text, 503);
  }
  if (error.code === "unavailable") {
    const headers = { "retry-after": String(retryAfterOf(error) ?? 1) };
    const text = wordRefusal(commonTexts, error, (field) => field);
    return new OauthFailure("temporarily_unavailable", text, 503, headers);
  }
  if (error.code === "conflict") {
    const headers = { "retry-after": "1" };
    return new OauthFailure("temporarily_unavailable", "Busy: try again.", 503, headers);
  }
  const code = error.field === "redirect_uris" ? "invalid_redirect_uri" : "invalid_client_metadata";
  return new OauthFailure(code, toDescription(wordRefusal(commonTexts, error, (field) => field)));
}

/** Replaces characters that RFC 6749 §5.2 forbids in error_description. */
export function toDescription(text: string): string {
  return text.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "'");
}

function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("statusCode" in error)) return undefined;
  return typeof error.statusCode === "number" ? error.statusCode : undefined;
}
