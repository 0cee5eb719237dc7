import type { FastifyPluginAsync } from "fastify";
import { homePages } from "./home.js";
import { connectedAppsPages } from "./settings-apps.js";
import { settingsPages } from "./settings.js";
import { setupPages } from "./setup.js";
import { signInPages } from "./sign-in.js";
import { signOutPages } from "./sign-out.js";
import { signUpPages } from "./sign-up.js";
import { findStaticFile, staticPath } from "./static-files.js";

/** Every page of the browser, but those of the authorization server. */
export const webPages: FastifyPluginAsync = async (app) => {
  await app.register(staticFiles);
  await app.register(setupPages);
  await app.register(signInPages);
  await app.register(signOutPages);
  await app.register(signUpPages);
  await app.register(homePages);
  await app.register(settingsPages);
  await app.register(connectedAppsPages);
};

const staticFiles: FastifyPluginAsync = async (app) => {
  const file = { config: { file: true } };
  app.get<{ Params: { file: string } }>(`${staticPath}/:file`, file, async (request, reply) => {
    const file = findStaticFile(request.params.file);
    if (file === undefined) {
      reply.callNotFound();
      return reply;
    }
    return reply
      .header("cache-control", "public, max-age=31536000, immutable")
      .type(file.type)
      .send(file.body);
  });
};
