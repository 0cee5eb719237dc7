import type { FastifyPluginAsync } from "fastify";
import { startForm } from "../start.js";
import { leadAdminsToSecondFactor } from "../../settings/security/lead.js";
import { workspaceFormsAddress, workspacesAddress } from "./addresses.js";
import { deleteWorkspaceForm } from "./deletion.js";
import { editWorkspaceForm, newWorkspaceForm } from "./forms.js";
import { workspaceListPages } from "./list-page.js";
import { placeLabelPages } from "./place-labels.js";
import { workspacePage } from "./workspace-page.js";
import { requireMember } from "../../../plugins/members.js";

export const workspacePages: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", requireMember);
  await app.register(workspaceListPages);
  await app.register(workspacePage);
  await app.register(placeLabelPages);
  await app.register(workspaceForms);
};

const workspaceForms: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", leadAdminsToSecondFactor);
  app.get(workspaceFormsAddress, (_request, reply) => reply.redirect(workspacesAddress, 303));
  await app.register(newWorkspaceForm);
  await app.register(editWorkspaceForm);
  await app.register(deleteWorkspaceForm);
  await app.register(startForm);
};
