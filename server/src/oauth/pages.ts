import type { FastifyPluginAsync } from "fastify";
import { authorizeEndpoint } from "./authorize.js";
import { consentEndpoint } from "./consent.js";

/** Authorization pages for people, with the sessions and forms of the browser scope. */
export const authorizationPages: FastifyPluginAsync = async (app) => {
  await app.register(authorizeEndpoint);
  await app.register(consentEndpoint);
};
