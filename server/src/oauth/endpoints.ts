import type { FastifyPluginAsync } from "fastify";
import {
  answerPreflight,
  refuseOtherMethods,
  refuseUnknown,
  sendOauthErrors,
  unreachable,
  machineRoute,
} from "./machine-routes.js";
import { metadataEndpoints } from "./metadata.js";
import { registerEndpoint } from "./register.js";
import { tokenEndpoint } from "./token.js";
import { originOf } from "../domain/audit/record-activity.js";
import { findPresented, revokeTokenOf } from "../domain/oauth/tokens.js";
import { commitPresented } from "./commit-presented.js";
import { authenticateClient } from "./client-authentication.js";
import { OauthFailure } from "./errors.js";
import { readForm } from "./parameters.js";
import { routeLimit } from "../traffic/bounds.js";

/** Token revocation (RFC 7009): 200 even if the token doesn't exist. Ignores hints. */
const revokeEndpoint: FastifyPluginAsync = async (app) => {
  machineRoute(app, {
    method: "POST",
    url: "/oauth/revoke",
    config: { rateLimit: routeLimit("revoke") },
    handler: async (request, reply) => {
      const form = readForm(request);
      const client = await authenticateClient(
        app.services.anonymousDb,
        request.headers.authorization,
        form,
      );
      const token = form.get("token");
      if (token === undefined) {
        throw new OauthFailure("invalid_request", "The parameter token is missing.");
      }
      await commitPresented(
        app.services,
        await findPresented(app.services.anonymousDb, token),
        (tx) => revokeTokenOf(tx, { clientId: client.id, token, origin: originOf(request) }),
      );
      return reply.code(200).send();
    },
  });
};

const bodyLimit = 65_536;

/** Endpoints for apps, not people. Responses are JSON for any origin, and cookies are ignored. */
export const oauthEndpoints: FastifyPluginAsync = async (app) => {
  app.addHook("onRequest", async (_request, reply) => {
    reply.headers({
      "cache-control": "no-store",
      pragma: "no-cache",
      "x-content-type-options": "nosniff",
    });
  });
  sendOauthErrors(app, "invalid_request");
  await app.register(crossOriginEndpoints);
  refuseOtherMethods(app, "/oauth/authorize", ["GET"]);
  refuseOtherMethods(app, "/oauth/consent/:id", ["GET", "HEAD", "POST"]);
  refuseUnknown(app, "/oauth/*", app.supportedMethods);
};

const crossOriginEndpoints: FastifyPluginAsync = async (app) => {
  app.addHook("onRequest", async (_request, reply) => {
    reply.headers({
      "access-control-allow-origin": "*",
      "access-control-expose-headers": "www-authenticate, retry-after",
    });
  });
  await app.register(metadataEndpoints);
  await app.register(formEndpoints);
  await app.register(jsonEndpoints);
  const others = app.supportedMethods.filter((method) => method !== "OPTIONS");
  refuseUnknown(app, "/.well-known/*", others);
  app.options("/.well-known/*", { onRequest: answerPreflight(["GET", "HEAD"]) }, unreachable);
};

/** RFC 6749 §3.2: forms only. We parse the text to detect repeated parameters. */
const formEndpoints: FastifyPluginAsync = async (app) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit },
    (_request, body, done) => {
      done(null, body);
    },
  );
  await app.register(tokenEndpoint);
  await app.register(revokeEndpoint);
};

const jsonEndpoints: FastifyPluginAsync = async (app) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "string", bodyLimit },
    app.getDefaultJsonParser("error", "error"),
  );
  sendOauthErrors(app, "invalid_client_metadata");
  await app.register(registerEndpoint);
};
