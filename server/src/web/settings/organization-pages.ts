import type { FastifyPluginAsync } from "fastify";
import { activityExport, activityFiles, activityVerification } from "./activity.js";
import { mailPages } from "./mail.js";
import { invitationListPages } from "./members/invitation-list.js";
import { invitationForms } from "./members/invitations.js";
import { inviteForm } from "./members/invite.js";
import { memberListPages } from "./members/list.js";
import { personPages } from "./members/person.js";
import { removalForm } from "./members/removal.js";
import { accessEndForm } from "./members/access-end.js";
import { roleForm } from "./members/role.js";
import { addToWorkspaceForm, workspaceRoleForm } from "./members/workspace-roles.js";
import { absenceForm, absenceRemovalForm } from "./members/absences.js";
import { ownWorkingTimeForm, usualWorkingTimeForm } from "./working-time.js";
import { organizationForm } from "./organization.js";
import { rulesForm } from "./organization-rules.js";
import { organizationExportForm } from "./organization-export.js";
import { providerSettingsPages } from "./provider/pages.js";
import { leadAdminsToSecondFactor } from "./security/lead.js";
import { procedurePages } from "./procedures/pages.js";
import { webhookPages } from "./webhooks/pages.js";
import { requireMember } from "../../plugins/members.js";

/**
 * Settings of the organization: members, name and units, emails, and the activity log as a file.
 */
export const organizationSettingsPages: FastifyPluginAsync = async (app) => {
  // Adds a button to links that people copy.
  app.addHook("onRoute", (route) => {
    route.config = { script: "page", ...route.config };
  });
  app.addHook("preHandler", requireMember);
  app.addHook("preHandler", leadAdminsToSecondFactor);
  await app.register(memberListPages);
  await app.register(personPages);
  await app.register(roleForm);
  await app.register(accessEndForm);
  await app.register(ownWorkingTimeForm);
  await app.register(absenceForm);
  await app.register(absenceRemovalForm);
  await app.register(addToWorkspaceForm);
  await app.register(workspaceRoleForm);
  await app.register(removalForm);
  await app.register(inviteForm);
  await app.register(invitationListPages);
  await app.register(invitationForms);
  await app.register(organizationForm);
  await app.register(usualWorkingTimeForm);
  await app.register(rulesForm("second_factor"));
  await app.register(rulesForm("deletions"));
  await app.register(organizationExportForm);
  await app.register(providerSettingsPages);
  await app.register(mailPages);
  await app.register(procedurePages);
  await app.register(webhookPages);
  await app.register(activityExport);
  await app.register(activityFiles);
  await app.register(activityVerification);
};
