import type { FastifyPluginAsync } from "fastify";
import { mailPages } from "./mail.js";
import { invitationListPages } from "./members/invitation-list.js";
import { invitationForms } from "./members/invitations.js";
import { inviteForm } from "./members/invite.js";
import { memberListPages } from "./members/list.js";
import { personPages } from "./members/person.js";
import { removalForm } from "./members/removal.js";
import { roleForm } from "./members/role.js";
import { addToWorkspaceForm, workspaceRoleForm } from "./members/workspace-roles.js";
import { organizationForm } from "./organization.js";
import { secondFactorRulesForm } from "./second-factor-rules.js";
import { leadAdminsToSecondFactor } from "./security/lead.js";
import { deleteWorkspaceForm } from "./workspace-deletion.js";
import { editWorkspaceForm, newWorkspaceForm } from "./workspace-forms.js";
import { workspaceSettingsPages } from "./workspaces.js";

/** Settings of the organization: members, workspaces, name and units, mail. */
export const organizationSettingsPages: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", app.requireMember);
  app.addHook("preHandler", leadAdminsToSecondFactor);
  await app.register(memberListPages);
  await app.register(personPages);
  await app.register(roleForm);
  await app.register(addToWorkspaceForm);
  await app.register(workspaceRoleForm);
  await app.register(removalForm);
  await app.register(inviteForm);
  await app.register(invitationListPages);
  await app.register(invitationForms);
  await app.register(workspaceSettingsPages);
  await app.register(newWorkspaceForm);
  await app.register(editWorkspaceForm);
  await app.register(deleteWorkspaceForm);
  await app.register(organizationForm);
  await app.register(secondFactorRulesForm);
  await app.register(mailPages);
};
