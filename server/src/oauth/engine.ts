import OAuth2Server from "@node-oauth/oauth2-server";
import type { Tx } from "../db/database.js";
import { codeSeconds, type ApprovedAccess } from "../domain/oauth/authorization-codes.js";
import type { RegisteredClient } from "../domain/oauth/clients.js";
import { accessTokenSeconds } from "../domain/oauth/tokens.js";
import {
  createCodeCallbacks,
  createTokenCallbacks,
  type Issued,
  type TokenRequest,
} from "./engine-callbacks.js";

/** Replaces grants that we don't support. */
class RefusedGrant extends OAuth2Server.AbstractGrantType {
  override async handle(): Promise<never> {
    throw new OAuth2Server.UnsupportedGrantTypeError("This grant type is not offered.");
  }
}

const settings = {
  accessTokenLifetime: accessTokenSeconds,
  // The engine requires a number, but refresh tokens don't expire.
  refreshTokenLifetime: accessTokenSeconds,
  authorizationCodeLifetime: codeSeconds,
  allowEmptyState: true,
  // We have already authenticated the client. The engine's check can be bypassed.
  requireClientAuthentication: { authorization_code: false, refresh_token: false },
  extendedGrantTypes: { password: RefusedGrant, client_credentials: RefusedGrant },
};

/** The engine's types require methods that it never calls, and lack options that it has. */
function createEngine(
  model: ReturnType<typeof createTokenCallbacks | typeof createCodeCallbacks>,
): OAuth2Server {
  return new OAuth2Server({ ...settings, model } as unknown as OAuth2Server.ServerOptions);
}

/** Literals only, because the engine copies its input. */
function toEngineRequest(body: Record<string, string>): OAuth2Server.Request {
  return new OAuth2Server.Request({
    method: "POST",
    query: {},
    headers: { "content-type": "application/x-www-form-urlencoded", "content-length": "1" },
    body,
  });
}

/** The engine wraps errors of our callbacks. Retries must recognize, for example, a deadlock. */
function unwrap(error: unknown): never {
  const { inner } = error as { inner?: unknown };
  throw error instanceof OAuth2Server.ServerError && inner instanceof Error ? inner : error;
}

export async function issueTokens(tx: Tx, request: TokenRequest): Promise<Issued> {
  const engine = createEngine(createTokenCallbacks(tx, request));
  const token = await engine
    .token(
      toEngineRequest({ ...Object.fromEntries(request.form), client_id: request.client.id }),
      new OAuth2Server.Response(),
    )
    .catch(unwrap);
  return (token.user as { issued: Issued }).issued;
}

export async function issueCode(
  tx: Tx,
  client: RegisteredClient,
  approved: ApprovedAccess,
): Promise<string> {
  const engine = createEngine(createCodeCallbacks(tx, client, approved));
  const code = await engine
    .authorize(
      toEngineRequest({
        response_type: "code",
        client_id: client.id,
        redirect_uri: approved.redirect_uri,
        scope: approved.scopes.join(" "),
        code_challenge: approved.code_challenge,
        code_challenge_method: "S256",
      }),
      new OAuth2Server.Response(),
      { authenticateHandler: { handle: () => ({ id: approved.user_id }) } },
    )
    .catch(unwrap);
  return code.authorizationCode;
}
