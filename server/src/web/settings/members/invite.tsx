import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { isOrganizationAdmin, type Caller } from "../../../domain/access/caller.js";
import { createOnce } from "../../../domain/changes/idempotency.js";
import { createInvite, type NewInvite } from "../../../domain/invites/invites.js";
import { requireMaySeeInvites } from "../../../domain/invites/invite-roles.js";
import { commit } from "../../../domain/sql/transactions.js";
import { AppError } from "../../../errors.js";
import {
  FormActions,
  PostForm,
  Select,
  TextArea,
  TextInput,
  toOptions,
  type Option,
} from "../../forms/controls.js";
import { choiceField, readForm, required, textField, type Given } from "../../forms/form-fields.js";
import { createFormKey, readFields, readFormKey, toFormErrors } from "../../forms/forms.js";
import { PageHead } from "../../layout/page-parts.js";
import { Notice, type FormError } from "../../layout/parts.js";
import {
  callerOf,
  layoutProps,
  refuse,
  sendPage,
  flash,
  type LayoutProps,
} from "../../layout/reply.js";
import { organizationRoleLabels, workspaceRoleLabels, choicesOf } from "../../text/value-labels.js";
import { SettingsPage } from "../settings-frame.js";
import {
  findAdministered,
  invitationsAddress,
  membersAddress,
  membersCrumb,
  organizationRoleHelp,
  toWorkspaceOptions,
} from "./parts.js";
import { workspaceRoleHelp } from "./places.js";

const fields = {
  email: required(textField("Email"), "Enter the email address of the person."),
  organization_role: choiceField("Role in the organization", ["member", "admin"]),
  workspace_id: textField("Workspace"),
  workspace_role: choiceField("Role there", choicesOf(workspaceRoleLabels)),
  message: textField("Personal line"),
};

type Values = Partial<Record<string, string>>;

interface Shown {
  values: Values;
  errors: readonly FormError[];
  /** An open invitation to the same place, which can be sent again. */
  pending?: string | undefined;
}

/** `/settings/members/invite` */
export const invitePages: FastifyPluginAsync = async (app) => {
  const address = `${membersAddress}/invite`;

  app.get(address, async (request, reply) => {
    const { workspace, email } = readFields(request.query, ["workspace", "email"]);
    const values = { email, workspace_id: workspace, workspace_role: "member" };
    return show(request, reply, { values, errors: [] });
  });

  app.post(address, async (request, reply) => {
    const caller = callerOf(request);
    const { values, given, errors } = readForm(request.body, fields);
    if (given.email === undefined || errors.length > 0) {
      return show(request, reply.code(400), { values, errors });
    }
    const invite = toInvite(given.email, given);
    const intended = {
      tool: "web:create_invite",
      requestKey: readFormKey(request.body),
      arguments: invite,
    };
    try {
      const { invite: sent } = await commit(app.db, (tx) =>
        createOnce(tx, caller, intended, () => createInvite(tx, caller, invite, app.mails)),
      );
      app.mails.announce();
      tellSent(request, sent.email, app.mails.delivers);
      return await reply.redirect(membersAddress, 303);
    } catch (error) {
      const refused = toRefusal(error);
      return show(request, refuse(reply, error), { values, ...refused });
    }
  });

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    shown: Shown,
  ): Promise<FastifyReply> {
    const caller = callerOf(request);
    await requireMaySeeInvites(app.db.manager, caller, undefined);
    const options = toWorkspaceOptions(await findAdministered(app.db.manager, caller));
    const frame = layoutProps(request, reply);
    return sendPage(
      reply,
      <InvitePage {...{ frame, caller, options, delivers: app.mails.delivers, ...shown }} />,
    );
  }
};

function toInvite(email: string, given: Given<typeof fields>): NewInvite {
  const { workspace_id, organization_role = "member", workspace_role = "member", message } = given;
  return {
    email,
    organization_role,
    workspace_role,
    ...(workspace_id !== undefined && { workspace_id }),
    ...(message !== undefined && { message }),
  };
}

function toRefusal(error: unknown): Pick<Shown, "errors" | "pending"> {
  const errors = toFormErrors(error);
  if (!(error instanceof AppError) || error.code !== "pending_invite") return { errors };
  const pending = error.details?.["invite_id"];
  return {
    errors: [
      { field: "email", message: "This person has an open invitation to the same place already." },
    ],
    ...(typeof pending === "string" && { pending }),
  };
}

/** Says whether a mail is on its way, and where its link is when there is no mail server. */
export function tellSent(request: FastifyRequest, email: string, delivers: boolean): void {
  if (delivers) {
    flash(request, `The invitation to ${email} is on its way.`);
  } else if (isOrganizationAdmin(callerOf(request))) {
    flash(
      request,
      `The invitation to ${email} is kept, because no mail server is set. Copy its link and send it yourself:`,
      { href: "/settings/mail", label: "Settings > Mail" },
    );
  } else {
    flash(
      request,
      `The invitation to ${email} is kept, because no mail server is set. An admin of the organization finds its link under Settings > Mail.`,
    );
  }
}

interface InviteView extends Shown {
  frame: LayoutProps;
  caller: Caller;
  options: Option[];
  delivers: boolean;
}

function InvitePage(view: InviteView): VNode {
  const { frame, delivers, values, errors, pending } = view;
  return (
    <SettingsPage title="Invite a person" current={`${membersAddress}/invite`} frame={frame}>
      <PageHead title="Invite a person" crumbs={[membersCrumb]} />
      <p class="soft">
        {delivers
          ? "They get a mail with a link that is valid for 7 days."
          : "No mail server is set, so no mail is sent. You get a link that is valid for 7 days, to send it yourself."}
      </p>
      <PostForm frame={frame} errors={errors}>
        {pending !== undefined && (
          <Notice>
            <p>
              <a href={`${invitationsAddress}/${pending}/resend`}>Send the open invitation again</a>
              , or <a href={`${invitationsAddress}/${pending}/withdraw`}>withdraw it</a> to invite
              them with other roles.
            </p>
          </Notice>
        )}
        <input type="hidden" name="request_key" value={createFormKey()} />
        <TextInput
          name="email"
          label="Email"
          type="email"
          maxLength={254}
          required
          {...{ values, errors }}
        />
        <RoleFields {...view} />
        <TextArea
          name="message"
          label="Personal line"
          help="Stands in the invitation. Links are taken out."
          maxLength={500}
          rows={3}
          {...{ values, errors }}
        />
        <FormActions
          submit={delivers ? "Send invitation" : "Create invitation"}
          cancel={membersAddress}
        />
      </PostForm>
    </SettingsPage>
  );
}

/** Workspace admins invite into their own workspaces, as members of the organization. */
function RoleFields({ caller, options, values, errors }: InviteView): VNode {
  const isAdmin = isOrganizationAdmin(caller);
  return (
    <>
      {isAdmin && (
        <Select
          name="organization_role"
          label="Role in the organization"
          help={`${organizationRoleHelp.admin} ${organizationRoleHelp.member}`}
          required
          options={(["member", "admin"] as const).map((value) => ({
            value,
            label: organizationRoleLabels[value],
          }))}
          {...{ values, errors }}
        />
      )}
      <div class="field-row">
        <Select
          name="workspace_id"
          label="Workspace"
          required={!isAdmin}
          {...(isAdmin && { empty: "None yet" })}
          {...{ values, errors, options }}
        />
        <Select
          name="workspace_role"
          label="Role there"
          required
          options={toOptions(workspaceRoleLabels)}
          {...{ values, errors }}
        />
      </div>
      <p class="help">{workspaceRoleHelp}</p>
    </>
  );
}
