import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import type { WorkspaceRole } from "../../../domain/access/caller.js";
import { getMember, type MemberDetails } from "../../../domain/members/member-details.js";
import { addToWorkspace, changeWorkspaceRole } from "../../../domain/members/workspace-roles.js";
import { commit } from "../../../domain/sql/transactions.js";
import { AppError } from "../../../errors.js";
import { FormActions, PostForm, Select, toOptions, type Option } from "../../forms/controls.js";
import { choiceField, readForm, required, textField } from "../../forms/form-fields.js";
import { toFormErrors } from "../../forms/forms.js";
import { PageHead } from "../../layout/page-parts.js";
import { EmptyState, type FormError } from "../../layout/parts.js";
import { callerOf, layoutProps, sendPage, flash, type LayoutProps } from "../../layout/reply.js";
import { choicesOf, workspaceRoleLabels } from "../../text/value-labels.js";
import { SettingsPage } from "../settings-frame.js";
import {
  findAdministered,
  membersAddress,
  membersCrumb,
  personAddress,
  toWorkspaceOptions,
  type PersonParams,
} from "./parts.js";

const workspaceRole = required(
  choiceField("Role there", choicesOf(workspaceRoleLabels)),
  "Choose a role.",
);
const addFields = {
  workspace_id: required(textField("Workspace"), "Choose a workspace."),
  workspace_role: workspaceRole,
};
const changeFields = { workspace_role: workspaceRole };

type Values = Partial<Record<string, string>>;

export const workspaceRoleHelp =
  "Admins also invite people into it, members add and change things, viewers only look.";

interface PlaceParams {
  Params: { id: string; workspace: string };
}

/** Adding somebody to a workspace. */
export const addToWorkspacePages: FastifyPluginAsync = async (app) => {
  const adding = `${membersAddress}/:id/add`;

  app.get<PersonParams>(adding, async (request, reply) =>
    showAdding(request, reply, request.params.id, {
      values: { workspace_role: "member" },
      errors: [],
    }),
  );

  app.post<PersonParams>(adding, async (request, reply) => {
    const caller = callerOf(request);
    const { id } = request.params;
    const { values, given, errors } = readForm(request.body, addFields);
    const { workspace_id, workspace_role } = given;
    if (workspace_id === undefined || workspace_role === undefined) {
      return showAdding(request, reply.code(400), id, { values, errors });
    }
    try {
      const place = { user_id: id, workspace_id, workspace_role };
      const { user, workspace, to } = await commit(app.db, (tx) =>
        addToWorkspace(tx, caller, place),
      );
      flash(request, `${user.name} is ${withArticle(to)} in ${workspace.name} now.`);
      return await reply.redirect(personAddress(user.id), 303);
    } catch (error) {
      return showAdding(request, reply.code(400), id, { values, errors: toFormErrors(error) });
    }
  });

  async function showAdding(
    request: FastifyRequest,
    reply: FastifyReply,
    id: string,
    shown: { values: Values; errors: readonly FormError[] },
  ): Promise<FastifyReply> {
    const caller = callerOf(request);
    const [member, administered] = await Promise.all([
      getMember(app.db.manager, caller, id),
      findAdministered(app.db.manager, caller),
    ]);
    if (administered.length === 0) throw decidesNowhere();
    const open = administered.filter((one) => !member.workspaces.some((own) => own.id === one.id));
    const frame = layoutProps(request, reply);
    const options = toWorkspaceOptions(open);
    return sendPage(reply, <AddPage {...{ frame, member, options, ...shown }} />);
  }
};

/** Another role in a workspace. */
export const workspaceRolePages: FastifyPluginAsync = async (app) => {
  const changing = `${membersAddress}/:id/workspaces/:workspace`;

  app.get<PlaceParams>(changing, async (request, reply) =>
    showChanging(request, reply, request.params, { values: {}, errors: [] }),
  );

  app.post<PlaceParams>(changing, async (request, reply) => {
    const caller = callerOf(request);
    const { id, workspace: workspace_id } = request.params;
    const { values, given, errors } = readForm(request.body, changeFields);
    const { workspace_role } = given;
    if (workspace_role === undefined) {
      return showChanging(request, reply.code(400), request.params, { values, errors });
    }
    try {
      const place = { user_id: id, workspace_id, workspace_role };
      const { user, workspace, to } = await commit(app.db, (tx) =>
        changeWorkspaceRole(tx, caller, place),
      );
      flash(request, `${user.name} is ${withArticle(to)} in ${workspace.name} now.`);
      return await reply.redirect(personAddress(user.id), 303);
    } catch (error) {
      const shown = { values, errors: toFormErrors(error) };
      return showChanging(request, reply.code(400), request.params, shown);
    }
  });

  async function showChanging(
    request: FastifyRequest,
    reply: FastifyReply,
    { id, workspace }: PlaceParams["Params"],
    { values, errors }: { values: Values; errors: readonly FormError[] },
  ): Promise<FastifyReply> {
    const caller = callerOf(request);
    const [member, administered] = await Promise.all([
      getMember(app.db.manager, caller, id),
      findAdministered(app.db.manager, caller),
    ]);
    const place = member.workspaces.find((one) => one.id === workspace);
    if (place === undefined) throw notThere();
    if (!administered.some((one) => one.id === workspace)) throw decidesNowhere();
    const frame = layoutProps(request, reply);
    const present = { workspace_role: place.role, ...values };
    return sendPage(reply, <ChangePage {...{ frame, member, place, values: present, errors }} />);
  }
};

function decidesNowhere(): AppError {
  return new AppError(
    "forbidden",
    "Only admins of a workspace and admins of the organization decide who is in a workspace. Ask one of them.",
  );
}

function notThere(): AppError {
  return new AppError("not_found", "This person does not belong to that workspace.");
}

function withArticle(role: WorkspaceRole): string {
  return role === "admin" ? "an admin" : `a ${role}`;
}

interface FormView {
  frame: LayoutProps;
  member: MemberDetails;
  values: Values;
  errors: readonly FormError[];
}

function AddPage({
  frame,
  member,
  options,
  values,
  errors,
}: FormView & { options: Option[] }): VNode {
  const back = personAddress(member.id);
  return (
    <SettingsPage title="Add to a workspace" current={back} frame={frame}>
      <PageHead
        title={`Add ${member.name} to a workspace`}
        crumbs={[membersCrumb, { href: back, label: member.name }]}
      />
      {options.length === 0 && errors.length === 0 ? (
        <EmptyState title="Nothing to add to">
          <p>{member.name} belongs to every workspace that you decide on.</p>
        </EmptyState>
      ) : (
        <PostForm frame={frame} errors={errors}>
          <Select
            name="workspace_id"
            label="Workspace"
            required
            empty="Choose a workspace"
            {...{ values, errors, options }}
          />
          <RoleSelect values={values} errors={errors} />
          <FormActions submit="Add to the workspace" cancel={back} />
        </PostForm>
      )}
    </SettingsPage>
  );
}

function RoleSelect({ values, errors }: Pick<FormView, "values" | "errors">): VNode {
  return (
    <Select
      name="workspace_role"
      label="Role there"
      help={workspaceRoleHelp}
      required
      options={toOptions(workspaceRoleLabels)}
      {...{ values, errors }}
    />
  );
}

function ChangePage({
  frame,
  member,
  place,
  values,
  errors,
}: FormView & { place: { name: string } }): VNode {
  const back = personAddress(member.id);
  return (
    <SettingsPage title="Change the role" current={back} frame={frame}>
      <PageHead
        title={`The role of ${member.name} in ${place.name}`}
        crumbs={[membersCrumb, { href: back, label: member.name }]}
      />
      <PostForm frame={frame} errors={errors}>
        <RoleSelect values={values} errors={errors} />
        <FormActions submit="Change role" cancel={back} />
      </PostForm>
    </SettingsPage>
  );
}
