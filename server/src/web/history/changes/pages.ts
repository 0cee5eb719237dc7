import type { FastifyPluginAsync } from "fastify";
import { importActs } from "../../exchange/import-acts.js";
import { importPages } from "../../exchange/import-page.js";
import { newImportForm } from "../../exchange/new-import.js";
import { changeSetPages } from "./change-set-page.js";
import { appActivityPages } from "../../settings/app-activity.js";
import { requireMember } from "../../../plugins/members.js";
import { undoAppForm } from "./undo-app.js";

/** Imports, and undoing the changes of an import or an app. */
export const changePages: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", requireMember);
  await app.register(changeSetPages);
  await app.register(appActivityPages);
  await app.register(undoAppForm);
  await app.register(newImportForm);
  await app.register(importPages);
  await app.register(importActs);
};
