import type { FastifyPluginAsync } from "fastify";
import { authorizeEndpoint } from "./authorize.js";
import { consentEndpoint } from "./consent.js";
import type { DocumentNetwork } from "./read-document.js";

/** The part of authorization that a person sees, with session and forms of the browser scope. */
export const authorizationPages: FastifyPluginAsync<{ network: DocumentNetwork }> = async (
  app,
  options,
) => {
  await app.register(authorizeEndpoint, options);
  await app.register(consentEndpoint);
};
