import type { FastifyPluginAsync } from "fastify";
import { originOf } from "../domain/audit/record-activity.js";
import { revokeTokenOf } from "../domain/oauth/tokens.js";
import { changeByToken } from "./change-by-token.js";
import { authenticateClient } from "./client-authentication.js";
import { OauthFailure } from "./errors.js";
import { machineRoute } from "./machine-routes.js";
import { readForm } from "./parameters.js";

/** Token revocation (RFC 7009): 200 whether or not the token exists; hints are not needed. */
export const revokeEndpoint: FastifyPluginAsync = async (app) => {
  machineRoute(app, {
    method: "POST",
    url: "/oauth/revoke",
    config: { rateLimit: { max: 60, timeWindow: "1 minute" } },
    handler: async (request, reply) => {
      const form = readForm(request);
      const client = await authenticateClient(
        app.strangersDb.manager,
        request.headers.authorization,
        form,
      );
      const token = form.get("token");
      if (token === undefined) {
        throw new OauthFailure("invalid_request", "The parameter token is missing.");
      }
      await changeByToken(app, token, (tx) =>
        revokeTokenOf(tx, { clientId: client.id, token, origin: originOf(request) }),
      );
      return reply.code(200).send();
    },
  });
};
