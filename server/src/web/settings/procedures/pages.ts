import type { FastifyPluginAsync } from "fastify";
import {
  archiveProcedureForm,
  changeProcedureForm,
  newProcedureForm,
  restoreProcedureForm,
} from "./forms.js";
import { procedureOverviewPages } from "./overview.js";

/** Procedures: templates of steps. Every member reads them, and admins edit them. */
export const procedurePages: FastifyPluginAsync = async (app) => {
  await app.register(procedureOverviewPages);
  await app.register(newProcedureForm);
  await app.register(changeProcedureForm);
  await app.register(archiveProcedureForm);
  await app.register(restoreProcedureForm);
};
