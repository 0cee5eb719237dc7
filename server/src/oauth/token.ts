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

/** Token exchange and refresh (OAuth 2.1 §3.2). */
export const tokenEndpoint: FastifyPluginAsync = async (app) => {
  const limitPerson = app.services.createLimit("refreshes-of-person");
  const limitConnection = app.services.createLimit("refreshes-of-connection");
  const admit: Admit = async (found) => {
    if (found?.userId == null) return;
    await limitConnection(found.connectionId ?? "");
    await limitPerson(found.userId);
  };
  /**
   * Lookups by presented code or token while its request runs. Concurrent requests share the
   * lookup, so all that arrive before the first response count as simultaneous.
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
      const lookUp = earlier ?? findPresented(app.services.anonymousDb, presented);
      if (earlier === undefined) lookUps.set(presented, lookUp);
      const issued = await redeem({ app, admit }, request, { form, lookUp }).finally(() => {
        if (earlier === undefined) lookUps.delete(presented);
      });
      return reply.send(toAnswer(issued));
    },
  });
};

/** A misbehaving app must not use up the limit of an address that many share. */
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

/** RFC 8707 §2.2. There is only one resource, so the bound one is either this one or gone. */
function checkResource(form: ReadonlyMap<string, string>, resource: string): void {
  const asked = form.get("resource");
  if (asked !== undefined && !isResource(asked, resource)) {
    throw new OauthFailure("invalid_target", "Tokens are issued for the MCP address only.");
  }
}

/**
 * Our extension. A client that may lose a response names each refresh with a secret of at least 128
 * bits. It repeats the refresh with this secret until it has used the new tokens.
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

/** Ignores unknown scopes (offline_access, …), as the authorization request does. */
function withKnownScopes(form: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const scopes = toScopes(form.get("scope"));
  const known = new Map(form);
  known.delete("scope");
  if (scopes.length > 0) known.set("scope", scopes.join(" "));
  return known;
}

/**
 * Runs a request in one transaction. A refused grant is committed: the used code and the ended
 * connection must persist. A refused scope and server errors are rolled back.
 */
async function redeem(
  { app, admit }: { app: FastifyInstance; admit: Admit },
  request: FastifyRequest,
  {
    form,
    lookUp,
  }: { form: ReadonlyMap<string, string>; lookUp: Promise<PresentedToken | undefined> },
): Promise<Issued> {
  const { anonymousDb, config, mails } = app.services;
  const presented = await lookUp;
  const tokenRequest: TokenRequest = {
    client: await authenticateClient(anonymousDb, request.headers.authorization, form),
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
    // The request may have ended a connection. Its person is notified by email.
    mails.announce();
    throw outcome.refusal;
  }
  app.services.noteIssued(outcome.issued.accessToken);
  return outcome.issued;
}

/** RFC 6749 §5.1, without additions. */
function toAnswer(issued: Issued): Record<string, unknown> {
  return {
    access_token: issued.accessToken,
    token_type: "Bearer",
    expires_in: issued.expiresIn,
    refresh_token: issued.refreshToken,
    scope: issued.scopes.join(" "),
  };
}
