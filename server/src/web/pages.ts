import type { FastifyPluginAsync } from "fastify";
import { accountPages } from "./account/pages.js";
import { assetFormPages } from "./assets/form-pages.js";
import { assetPages } from "./assets/pages.js";
import { homePages } from "./home/home.js";
import { organizationSettingsPages } from "./settings/organization-pages.js";
import { personalSettingsPages } from "./settings/personal-pages.js";
import { findStaticFile, staticPath } from "./static-files.js";
import { taskPages } from "./tasks/pages.js";
import { workspacePages } from "./workspaces/pages.js";

/** Every page of the browser, but those of the authorization server. */
export const webPages: FastifyPluginAsync = async (app) => {
  await app.register(staticFiles);
  await app.register(accountPages);
  await app.register(homePages);
  await app.register(assetPages);
  await app.register(assetFormPages);
  await app.register(taskPages);
  await app.register(workspacePages);
  await app.register(personalSettingsPages);
  await app.register(organizationSettingsPages);
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
