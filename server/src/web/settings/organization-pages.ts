import type { FastifyPluginAsync } from "fastify";
import { mailPages } from "./mail.js";
import { invitationListPages } from "./members/invitation-list.js";
import { invitationPages } from "./members/invitations.js";
import { invitePages } from "./members/invite.js";
import { memberListPages } from "./members/list.js";
import { personPages } from "./members/person.js";
import { addToWorkspacePages, workspaceRolePages } from "./members/places.js";
import { removalPages } from "./members/removal.js";
import { rolePages } from "./members/role.js";
import { organizationFormPages } from "./organization.js";
import { editWorkspacePages, newWorkspacePages } from "./workspace-forms.js";
import { workspaceDeletionPages } from "./workspace-deletion.js";
import { workspaceSettingsPages } from "./workspaces.js";

/** Settings of the organization: members, workspaces, name and units, mail. */
export const organizationSettingsPages: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", app.requireMember);
  await app.register(memberListPages);
  await app.register(personPages);
  await app.register(rolePages);
  await app.register(addToWorkspacePages);
  await app.register(workspaceRolePages);
  await app.register(removalPages);
  await app.register(invitePages);
  await app.register(invitationListPages);
  await app.register(invitationPages);
  await app.register(workspaceSettingsPages);
  await app.register(newWorkspacePages);
  await app.register(editWorkspacePages);
  await app.register(workspaceDeletionPages);
  await app.register(organizationFormPages);
  await app.register(mailPages);
};
