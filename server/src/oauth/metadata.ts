import type { FastifyPluginAsync, FastifyReply } from "fastify";
import {
  allScopes,
  authorizationServerMetadataPath,
  bridgeClientId,
  mcpPath,
  protectedResourceMetadataPath,
} from "fettle-shared";
import { tokenEndpointAuthMethods } from "../db/entities/oauth.js";
import { machineRoute } from "./machine-routes.js";
import { resourceOf } from "./resource.js";
import type { Config } from "../config.js";

/** The discovery documents. Every URL comes from the configuration, never from the request. */
export const metadataEndpoints: FastifyPluginAsync = async (app) => {
  machineRoute(app, {
    method: "GET",
    url: authorizationServerMetadataPath,
    handler: async (_request, reply) =>
      cacheable(reply).send(toServerMetadata(app.services.config)),
  });
  // RFC 9728 §3.1 inserts the resource's path. Clients also request the root.
  for (const url of [protectedResourceMetadataPath, protectedResourceMetadataPath + mcpPath]) {
    machineRoute(app, {
      method: "GET",
      url,
      handler: async (_request, reply) =>
        cacheable(reply).send(toResourceMetadata(app.services.config.baseUrl)),
    });
  }
};

function cacheable(reply: FastifyReply): FastifyReply {
  return reply.removeHeader("pragma").header("cache-control", "public, max-age=300");
}

/** RFC 8414 §2. */
function toServerMetadata(config: Config): Record<string, unknown> {
  const issuer = config.baseUrl;
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    registration_endpoint: `${issuer}/oauth/register`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    scopes_supported: allScopes,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: tokenEndpointAuthMethods,
    revocation_endpoint_auth_methods_supported: tokenEndpointAuthMethods,
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: config.clientDocuments.enabled,
    protected_resources: [resourceOf(config)],
    bridge_client_id: bridgeClientId,
  };
}

/** RFC 9728 §2. */
function toResourceMetadata(baseUrl: string): Record<string, unknown> {
  return {
    resource: resourceOf({ baseUrl }),
    authorization_servers: [baseUrl],
    scopes_supported: allScopes,
    bearer_methods_supported: ["header"],
    resource_name: "Fettle",
  };
}
