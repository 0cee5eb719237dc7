import type { FastifyPluginAsync } from "fastify";
import { AppError } from "../errors.js";
import { accountPages } from "./accounts/pages.js";
import { assetFormPages } from "./assets/form-pages.js";
import { assetPages } from "./assets/pages.js";
import { changePages } from "./history/changes/pages.js";
import { confirmationPages } from "./access/confirmation.js";
import { commentPages } from "./comments/pages.js";
import { downloadRoutes } from "./downloads.js";
import { filePages } from "./files/pages.js";
import { homePages } from "./insight/home/home.js";
import { samplePages } from "./organizations/sample/pages.js";
import { unknownAddress } from "./layout/error-page.js";
import { meterPages } from "./meters/pages.js";
import { appNotificationPages } from "./messaging/notifications/pages.js";
import { notificationPages } from "./settings/notifications/pages.js";
import { organizationSettingsPages } from "./settings/organization-pages.js";
import { personalSettingsPages } from "./settings/personal-pages.js";
import { searchPages } from "./search/pages.js";
import { sheetPages } from "./labels/sheet-form.js";
import { offlinePages, offlineWorker } from "./offline/pages.js";
import { planPages } from "./tasks/plan/pages.js";
import { reportPages } from "./reports/pages.js";
import { roundPages } from "./rounds/pages.js";
import { findStaticFile, manifest, manifestPath, staticPath } from "./static-files.js";
import { jobPages } from "./tasks/links/job-page.js";
import { taskPages } from "./tasks/pages.js";
import { trendPages } from "./insight/trends/trends-page.js";
import { unsubscribePage } from "./messaging/unsubscribe/unsubscribe.js";
import { workspacePages } from "./organizations/workspaces/pages.js";
import { readVisitor } from "../plugins/members.js";

/** All pages for browsers, except those of the authorization server. */
export const webPages: FastifyPluginAsync = async (app) => {
  await app.register(staticFiles);
  await app.register(offlineWorker);
  await app.register(downloadRoutes);
  await app.register(accountPages);
  await app.register(samplePages);
  await app.register(recordPages);
  await app.register(filePages);
  await app.register(jobPages);
  await app.register(reportPages);
  await app.register(roundPages);
  await app.register(sheetPages);
  await app.register(confirmationPages);
  await app.register(changePages);
  await app.register(personalSettingsPages);
  await app.register(notificationPages);
  await app.register(unsubscribePage);
  await app.register(organizationSettingsPages);
  app.get(unknownAddress, { preHandler: readVisitor }, async () => {
    throw new AppError("not_found", "nothing_there");
  });
};

/** Pages with the script for lists, forms and keyboard shortcuts. */
const recordPages: FastifyPluginAsync = async (app) => {
  app.addHook("onRoute", (route) => {
    route.config = { script: "page", ...route.config };
  });
  await app.register(assetPages);
  await app.register(assetFormPages);
  await app.register(commentPages);
  await app.register(meterPages);
  await app.register(taskPages);
  await app.register(homePages);
  await app.register(offlinePages);
  await app.register(planPages);
  await app.register(workspacePages);
  await app.register(trendPages);
  await app.register(searchPages);
  await app.register(appNotificationPages);
};

const staticFiles: FastifyPluginAsync = async (app) => {
  const file = { config: { file: true } };
  app.get(manifestPath, file, async (_request, reply) =>
    reply.header("cache-control", "no-cache").type("application/manifest+json").send(manifest),
  );
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
