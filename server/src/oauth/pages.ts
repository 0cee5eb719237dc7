import type { FastifyPluginAsync } from "fastify";
import { authorizeEndpoint } from "./authorize.js";
import { consentEndpoint } from "./consent.js";

/** The part of authorization that a person sees, with session and forms of the browser scope. */
export const authorizationPages: FastifyPluginAsync = async (app) => {
  await app.register(authorizeEndpoint);
  await app.register(consentEndpoint);
};
