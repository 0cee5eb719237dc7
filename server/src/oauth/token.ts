import { setImmediate, setTimeout } from "node:timers/promises";
import OAuth2Server from "@node-oauth/oauth2-server";
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from "fastify";
import type { Tx } from "../db/database.js";
import { originOf } from "../domain/audit/record-activity.js";
import type { RegisteredClient } from "../domain/oauth/clients.js";
import { toScopes } from "../domain/oauth/scopes.js";
import { hashSecret } from "../domain/shared/secrets.js";
import { markAnswered, refreshAnswerDelayMs, type PresentedToken } from "../domain/oauth/tokens.js";
import { toAddressKey } from "../domain/shared/address-key.js";
import { whenOver } from "../traffic/answer-end.js";
import { changeByToken, type Admit } from "./change-by-token.js";
import { authenticateClient, claimedClientId } from "./client-authentication.js";
import { issueTokens } from "./engine.js";
import { OauthFailure } from "./errors.js";
import { createSingleFlight } from "./single-flight.js";
import { machineRoute } from "./machine-routes.js";
import type { Issued, TokenRequest } from "./engine-callbacks.js";
import { readForm } from "./parameters.js";
import { isResource, resourceOf } from "./resource.js";

declare module "fastify" {
  interface FastifyRequest {
    /** `performance.now()` when the head of a token request was read. */
    arrivedAt: number;
  }
}

const maxArrivalMs = 1000;
const requestsOfClientPerMinute = 60;
/** Of one person, wherever they come from: each leaves rows that stay for months. */
const refreshesPerHour = 600;
/** Of one app: it must not use up what the person's others need, also in other organizations. */
const refreshesOfConnectionPerHour = refreshesPerHour / 2;

/** Exchange and refresh (OAuth 2.1 §3.2). */
export const tokenEndpoint: FastifyPluginAsync = async (app) => {
  const refreshes = createSingleFlight<Issued>();
  const limitPerson = app.createHourLimit("refreshes-of-person", refreshesPerHour, "messages");
  const limitConnection = app.createHourLimit(
    "refreshes-of-connection",
    refreshesOfConnectionPerHour,
    "messages",
  );
  const admit: Admit = async (found) => {
    if (found?.userId == null) return;
    await limitConnection(found.connectionId ?? "");
    await limitPerson(found.userId);
  };
  app.addHook("onClose", async () => {
    refreshes.close();
  });
  app.decorateRequest("arrivedAt", 0);
  machineRoute(app, {
    method: "POST",
    url: "/oauth/token",
    config: { rateLimit: { max: 120, timeWindow: "1 minute" } },
    onRequest: async (request) => {
      request.arrivedAt = performance.now();
    },
    preHandler: limitPerClient(app),
    handler: async (request, reply) => {
      // A body that trickles in must not make a late request look like one that came in time.
      request.arrivedAt = Math.max(request.arrivedAt, performance.now() - maxArrivalMs);
      const form = readForm(request);
      checkGrantType(form);
      checkResource(form, resourceOf(app.config));
      checkRotationId(form);
      const client = await authenticateClient(app.strangersDb, request.headers.authorization, form);
      const run = () => redeem({ app, admit }, request, client, withKnownScopes(form));
      const presented = form.get("refresh_token");
      if (form.get("grant_type") !== "refresh_token" || presented === undefined) {
        return reply.send(toAnswer(await run()));
      }
      const key = toRunKey(presented, client, form);
      const sharing = refreshes.share(key, request.arrivedAt, async () => {
        const result = await run();
        await letOthersArrive();
        await noteAnswer(app, presented);
        return result;
      });
      whenOver(reply, () => {
        refreshes.answered(key);
      });
      return reply.send(toAnswer(await sharing));
    },
  });
};

/** The token is used up in any case: without its successor the client would have nothing. */
async function noteAnswer({ strangersDb, log }: FastifyInstance, presented: string): Promise<void> {
  try {
    await markAnswered(strangersDb, presented);
  } catch (error) {
    log.warn({ err: error }, "the answer to a refresh could not be noted");
  }
}

/** Ends with what has reached our sockets by then being read: once to accept, once to read. */
async function letOthersArrive(): Promise<void> {
  await setTimeout(refreshAnswerDelayMs);
  await setImmediate();
  await setImmediate();
}

/** One app gone wrong must not use up the allowance of an address that many share. */
function limitPerClient(app: FastifyInstance) {
  const limit = app.createMinuteLimit("tokens-of-client", requestsOfClientPerMinute, "network");
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

function toRunKey(
  token: string,
  client: RegisteredClient,
  form: ReadonlyMap<string, string>,
): string {
  const scopes = toScopes(form.get("scope")).join(" ");
  // Whoever repeats a use must name it; being there at the same moment is not enough.
  const use = hashSecret(`${token} ${form.get("rotation_id") ?? ""}`);
  return `${use.toString("base64url")} ${client.id} ${scopes}`;
}

/**
 * One transaction for everything a request does. A refused grant is committed: the used-up code and
 * the ended connection must stay so. A refused scope and every failure of ours are rolled back.
 */
async function redeem(
  { app, admit }: { app: FastifyInstance; admit: Admit },
  request: FastifyRequest,
  client: RegisteredClient,
  form: ReadonlyMap<string, string>,
): Promise<Issued> {
  const common = {
    admit,
    client,
    form,
    resource: resourceOf(app.config),
    origin: originOf(request),
    graceSeconds: app.config.refreshGraceSeconds,
    mails: app.mails,
    baseUrl: app.config.baseUrl,
  };
  const presented = form.get("refresh_token") ?? form.get("code") ?? "";
  const issue = async (tx: Tx, found: PresentedToken | undefined) => {
    const tokenRequest: TokenRequest = { ...common, presented: found };
    try {
      return { issued: await issueTokens(tx, tokenRequest) };
    } catch (error) {
      if (error instanceof OAuth2Server.InvalidGrantError) return { refusal: error };
      if (error instanceof OAuth2Server.InvalidRequestError) return { refusal: error };
      throw error;
    }
  };
  const outcome = await changeByToken(app, presented, issue, admit);
  if (outcome.refusal !== undefined) {
    // It may have ended a connection, which its person is told by mail.
    app.mails.announce();
    throw outcome.refusal;
  }
  app.noteIssued(outcome.issued.accessToken);
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
