import type { FastifyInstance, FastifyPluginAsync } from "fastify";
import { commit } from "../domain/history/transactions.js";
import { toClientMetadata, type ClientMetadata } from "../domain/oauth/client-metadata.js";
import { registerClient, type NewClient } from "../domain/oauth/clients.js";
import { createUnusedClientLimit } from "../domain/oauth/oauth-cleanup.js";
import { OauthFailure } from "./errors.js";
import { machineRoute } from "./machine-routes.js";
import { routeLimit } from "../traffic/bounds.js";

/** Dynamic client registration (RFC 7591 §3): no session, no cookie, no access granted. */
export const registerEndpoint: FastifyPluginAsync = async (app) => {
  const limitUnused = createUnusedClientLimit(
    app.services.anonymousDb,
    app.services.config.retention,
  );
  machineRoute(app, {
    method: "POST",
    url: "/oauth/register",
    config: { rateLimit: routeLimit("register") },
    preHandler: limitOverall(app),
    handler: async (request, reply) => {
      const { body } = request;
      if (typeof body !== "object" || body === null || Array.isArray(body)) {
        throw new OauthFailure("invalid_client_metadata", "The body must be a JSON object.");
      }
      const metadata = toClientMetadata(
        body as Record<string, unknown>,
        app.services.config.redirectSchemes,
      );
      const client = await commit({ db: app.services.anonymousDb, caller: null }, (tx) =>
        registerClient(tx, metadata),
      );
      await limitUnused(Buffer.byteLength(JSON.stringify(metadata))).catch((error: unknown) => {
        request.log.error({ err: error }, "unused clients could not be deleted");
      });
      return reply.code(201).send(toAnswer(client, metadata));
    },
  });
};

/** Limits all addresses together. Runs after the limit per address. */
function limitOverall(app: FastifyInstance) {
  const limit = app.services.createLimit("registrations");
  return () => limit("everybody");
}

/** RFC 7591 §3.2.1: returns the effective metadata without empty members. */
function toAnswer(client: NewClient, metadata: ClientMetadata): Record<string, unknown> {
  const { name, ...members } = metadata;
  const answer = {
    client_id: client.id,
    client_id_issued_at: Math.floor(client.createdAt.getTime() / 1000),
    client_secret: client.secret,
    client_secret_expires_at: client.secret === undefined ? undefined : 0,
    response_types: ["code"],
    client_name: name,
    ...members,
  };
  return Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== null));
}
