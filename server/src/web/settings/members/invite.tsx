import type { FastifyInstance } from "fastify";
import type { VNode } from "preact";
import { isOrganizationAdmin, type Caller } from "../../../domain/access/caller.js";
import { createInvite, type NewInvite } from "../../../domain/people/invites.js";
import { requireMaySeeInvites } from "../../../domain/people/invite-roles.js";
import { t, tRich } from "../../../language/translate.js";
import { isRefusal } from "../../../errors.js";
import {
  FormActions,
  PostForm,
  Select,
  TextArea,
  TextInput,
  toNamedOptions,
  toOptions,
  type Option,
} from "../../forms/controls.js";
import {
  choiceField,
  dayField,
  required,
  textField,
  type Complete,
} from "../../forms/form-fields.js";
import { formRoute } from "../../forms/form-route.js";
import { seeOther, type FormReply } from "../../forms/form-reply.js";
import { Notice } from "../../layout/notices.js";
import { organizationRoleLabels, workspaceRoleLabels, choicesOf } from "../../text/value-labels.js";
import { toFieldLabel } from "../../text/field-labels.js";
import { SettingsPage } from "../settings-layout.js";
import {
  findAdministered,
  invitationsAddress,
  membersAddress,
  membersCrumb,
  organizationRoleHelp,
} from "./parts.js";
import { workspaceRoleHelp } from "./workspace-roles.js";

const invitedRoles = ["member", "admin"] as const;

const fields = {
  email: required(
    textField(() => toFieldLabel("email")),
    "Enter the person's email address.",
  ),
  organization_role: choiceField(() => toFieldLabel("organization_role"), invitedRoles),
  workspace_id: textField(() => toFieldLabel("workspace_id")),
  workspace_role: choiceField("Role in the workspace", choicesOf(workspaceRoleLabels)),
  access_ends_on: dayField(() => toFieldLabel("access_ends_on")),
  message: textField("Personal message"),
};

/** `/settings/members/invite` */
export const inviteForm = formRoute({
  path: `${membersAddress}/invite`,
  fields,
  begin: ({ query }) => ({
    email: query("email"),
    workspace_id: query("workspace"),
    workspace_role: "member",
  }),
  once: "create_invite",
  change: (tx, { app, caller, given }) =>
    createInvite(tx, caller, toInvite(given), app.services.mails),
  done: ({ invite }, { app, caller }) => announceInvite(app, caller, invite),
  page: async ({ app, db, caller, refusal }) => {
    await requireMaySeeInvites(db, caller, undefined);
    return (
      <InvitePage
        caller={caller}
        options={toNamedOptions(await findAdministered(db, caller))}
        delivers={app.services.mails.delivers}
        pending={findPending(refusal)}
      />
    );
  },
});

function toInvite(given: Complete<typeof fields>): NewInvite {
  return { organization_role: "member", workspace_role: "member", ...given };
}

/** The id of an open invitation to this place, which can be resent. */
function findPending(error: unknown): string | undefined {
  return isRefusal(error, "pending_invite") ? (error.params.invite_id ?? "") : undefined;
}

/** Sends the email or, without a mail server, shows an admin the link to send. */
export function announceInvite(
  app: FastifyInstance,
  caller: Caller,
  { id, email }: { id: string; email: string },
): FormReply {
  app.services.mails.announce();
  if (app.services.mails.delivers) {
    return seeOther(membersAddress, t("Invitation sent to {email}.", { email }));
  }
  const kept = t("Invitation for {email} created. Email isn't set up, so send the link yourself.", {
    email,
  });
  if (isOrganizationAdmin(caller)) return seeOther(`${invitationsAddress}/${id}`, kept);
  const text = `${kept} ${t("An organization admin can find the link under Settings > Mail.")}`;
  return seeOther(membersAddress, text);
}

interface InviteView {
  caller: Caller;
  options: Option[];
  delivers: boolean;
  pending: string | undefined;
}

function InvitePage({ caller, options, delivers, pending = "" }: InviteView): VNode {
  const address = `${membersAddress}/invite`;
  return (
    <SettingsPage title={t("Invite a person")} current={address} crumbs={[membersCrumb]}>
      <p class="soft">
        {delivers
          ? t("They get an email with a link that's valid for 7 days.")
          : t(
              "Email isn't set up on this server. You get a link to send to the person. It works for 7 days.",
            )}
      </p>
      <PostForm>
        {pending !== "" && (
          <Notice>
            <p>
              {tRich(
                "<resend>Send the open invitation again</resend>, or <withdraw>withdraw it</withdraw> to invite them with other roles.",
                {
                  resend: (words) => (
                    <a href={`${invitationsAddress}/${pending}/resend`}>{words}</a>
                  ),
                  withdraw: (words) => (
                    <a href={`${invitationsAddress}/${pending}/withdraw`}>{words}</a>
                  ),
                },
              )}
            </p>
          </Notice>
        )}
        <TextInput name="email" type="email" maxLength={254} />
        <RoleFields options={options} isAdmin={isOrganizationAdmin(caller)} />
        <TextInput
          name="access_ends_on"
          type="date"
          help={t("For contractors. Leave blank for no end date.")}
        />
        <TextArea
          name="message"
          help={t("Added to the email. Links are removed.")}
          maxLength={500}
          rows={3}
        />
        <FormActions
          submit={delivers ? t("Send invitation") : t("Create invitation")}
          cancel={membersAddress}
        />
      </PostForm>
    </SettingsPage>
  );
}

/** Workspace admins invite people to their own workspaces, as members of the organization. */
function RoleFields({ options, isAdmin }: { options: Option[]; isAdmin: boolean }): VNode {
  return (
    <>
      {isAdmin && (
        <Select
          name="organization_role"
          help={`${organizationRoleHelp.admin} ${organizationRoleHelp.member}`}
          required
          options={invitedRoles.map((value) => ({
            value,
            label: organizationRoleLabels[value],
          }))}
        />
      )}
      <div class="field-row">
        <Select
          name="workspace_id"
          required={!isAdmin}
          {...(isAdmin && { empty: t("None yet") })}
          options={options}
        />
        <Select name="workspace_role" required options={toOptions(workspaceRoleLabels)} />
      </div>
      <p class="help">{workspaceRoleHelp()}</p>
    </>
  );
}
