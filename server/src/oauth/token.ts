import OAuth2Server from "@node-oauth/oauth2-server";
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from "fastify";
import { originOf } from "../domain/audit/record-activity.js";
import { toScopes } from "../domain/oauth/scopes.js";
import { findPresented, type PresentedToken } from "../domain/oauth/tokens.js";
import { toAddressKey } from "../domain/shared/address-key.js";
import { commitPresented } from "./commit-presented.js";
import { authenticateClient, claimedClientId } from "./client-authentication.js";
import { issueTokens } from "./engine.js";
import { OauthFailure } from "./errors.js";
import { machineRoute } from "./machine-routes.js";
import type { Admit, Issued, TokenRequest } from "./engine-callbacks.js";
import { readForm } from "./parameters.js";
import { isResource, resourceOf } from "./resource.js";
import { routeLimit } from "../traffic/bounds.js";

/** Exchange and refresh (OAuth 2.1 §3.2). */
export const tokenEndpoint: FastifyPluginAsync = async (app) => {
  const limitPerson = app.services.createLimit("refreshes-of-person");
  const limitConnection = app.services.createLimit("refreshes-of-connection");
  const admit: Admit = async (found) => {
    if (found?.userId == null) return;
    await limitConnection(found.connectionId ?? "");
    await limitPerson(found.userId);
  };
  /**
   * By the presented code or token, while its request is on its way: others of the same take the look-up
   * over, so that all that come before the first answer overlap with the use.
   */
  const lookUps = new Map<string, Promise<PresentedToken | undefined>>();
  machineRoute(app, {
    method: "POST",
    url: "/oauth/token",
    config: { rateLimit: routeLimit("token") },
    preHandler: limitPerClient(app),
    handler: async (request, reply) => {
      const form = readForm(request);
      checkGrantType(form);
      checkResource(form, resourceOf(app.services.config));
      checkRotationId(form);
      const presented =
        form.get(form.get("grant_type") === "refresh_token" ? "refresh_token" : "code") ?? "";
      const earlier = lookUps.get(presented);
      const lookUp = earlier ?? findPresented(app.services.strangersDb, presented);
      if (earlier === undefined) lookUps.set(presented, lookUp);
      const issued = await redeem({ app, admit }, request, { form, lookUp }).finally(() => {
        if (earlier === undefined) lookUps.delete(presented);
      });
      return reply.send(toAnswer(issued));
    },
  });
};

/** One app gone wrong must not use up the allowance of an address that many share. */
function limitPerClient(app: FastifyInstance) {
  const limit = app.services.createLimit("tokens-of-client");
  return async (request: FastifyRequest): Promise<void> => {
    const client = claimedClientId(request.headers.authorization, readForm(request));
    await limit(`${toAddressKey(request.ip)} ${client.slice(0, 200)}`);
  };
}

function checkGrantType(form: ReadonlyMap<string, string>): void {
  const grantType = form.get("grant_type");
  if (grantType === undefined) {
    throw new OauthFailure("invalid_request", "The parameter grant_type is missing.");
  }
  if (grantType !== "authorization_code" && grantType !== "refresh_token") {
    throw new OauthFailure(
      "unsupported_grant_type",
      "Only authorization_code and refresh_token are offered.",
    );
  }
}

/** RFC 8707 §2.2. There is one resource, so the bound one is either this one or gone. */
function checkResource(form: ReadonlyMap<string, string>, resource: string): void {
  const asked = form.get("resource");
  if (asked !== undefined && !isResource(asked, resource)) {
    throw new OauthFailure("invalid_target", "Tokens are issued for the MCP address only.");
  }
}

/**
 * An extension of ours: a client that may lose an answer names each refresh by a secret of at least
 * 128 bits, and repeats it with the same one until it has used what it got.
 */
function checkRotationId(form: ReadonlyMap<string, string>): void {
  const id = form.get("rotation_id");
  if (id === undefined || form.get("grant_type") !== "refresh_token") return;
  if (!/^[A-Za-z0-9_-]{22,128}$/.test(id)) {
    throw new OauthFailure(
      "invalid_request",
      "rotation_id must be 22 to 128 characters of base64url.",
    );
  }
}

/** Scopes we do not know (offline_access, …) are dropped here as in the authorization request. */
function withKnownScopes(form: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const scopes = toScopes(form.get("scope"));
  const known = new Map(form);
  known.delete("scope");
  if (scopes.length > 0) known.set("scope", scopes.join(" "));
  return known;
}

/**
 * One transaction for everything a request does. A refused grant is committed: the used-up code and
 * the ended connection must stay so. A refused scope and every failure of ours are rolled back.
 */
async function redeem(
  { app, admit }: { app: FastifyInstance; admit: Admit },
  request: FastifyRequest,
  {
    form,
    lookUp,
  }: { form: ReadonlyMap<string, string>; lookUp: Promise<PresentedToken | undefined> },
): Promise<Issued> {
  const { strangersDb, config, mails } = app.services;
  const presented = await lookUp;
  const tokenRequest: TokenRequest = {
    client: await authenticateClient(strangersDb, request.headers.authorization, form),
    form: withKnownScopes(form),
    resource: resourceOf(config),
    presented,
    admit,
    origin: originOf(request),
    graceSeconds: config.refreshGraceSeconds,
    mails,
    baseUrl: config.baseUrl,
  };
  await admit(presented);
  const outcome = await commitPresented(app.services, presented, async (tx) => {
    try {
      return { issued: await issueTokens(tx, tokenRequest) };
    } catch (error) {
      if (error instanceof OAuth2Server.InvalidGrantError) return { refusal: error };
      if (error instanceof OAuth2Server.InvalidRequestError) return { refusal: error };
      throw error;
    }
  });
  if (outcome.refusal !== undefined) {
    // It may have ended a connection, which its person is told by mail.
    mails.announce();
    throw outcome.refusal;
  }
  app.services.noteIssued(outcome.issued.accessToken);
  return outcome.issued;
}

/** RFC 6749 §5.1, and nothing beyond it. */
function toAnswer(issued: Issued): Record<string, unknown> {
  return {
    access_token: issued.accessToken,
    token_type: "Bearer",
    expires_in: issued.expiresIn,
    refresh_token: issued.refreshToken,
    scope: issued.scopes.join(" "),
  };
}
