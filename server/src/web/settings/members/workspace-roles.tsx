import type { VNode } from "preact";
import type { WorkspaceRole } from "../../../domain/access/caller.js";
import { getMember, type MemberDetails } from "../../../domain/people/member-details.js";
import {
  addToWorkspace,
  changeWorkspaceRole,
  readingOfWorkspaceRole,
} from "../../../domain/people/workspace-roles.js";
import { AppError } from "../../../errors.js";
import { t, tRich } from "../../../language/translate.js";
import {
  FormActions,
  PostForm,
  Select,
  toNamedOptions,
  toOptions,
  type Option,
} from "../../forms/controls.js";
import { choiceField, required, textField } from "../../forms/form-fields.js";
import { formRoute } from "../../forms/form-route.js";
import type { FormRequest } from "../../forms/form-spec.js";
import { seeOther } from "../../forms/form-reply.js";
import { StaleLink } from "../../forms/stale-notice.js";
import { EmptyState } from "../../layout/notices.js";
import { choicesOf, workspaceRoleLabels } from "../../text/value-labels.js";
import { toFieldLabel } from "../../text/field-labels.js";
import { SettingsPage } from "../settings-layout.js";
import { findAdministered, membersAddress, personAddress, toMemberCrumbs } from "./parts.js";

const workspace_role = required(
  choiceField("Role in the workspace", choicesOf(workspaceRoleLabels)),
  "Choose a role.",
);

export const workspaceRoleHelp = (): string =>
  t("Admins can also invite people, members can add and edit, viewers can only view.");

/** `/settings/members/:id/add`: adds a person to a workspace. */
export const addToWorkspaceForm = formRoute({
  path: `${membersAddress}/:id/add`,
  fields: {
    workspace_id: required(
      textField(() => toFieldLabel("workspace_id")),
      "Choose a workspace.",
    ),
    workspace_role,
  },
  begin: ({ query }) => ({ workspace_id: query("workspace"), workspace_role: "member" }),
  change: (tx, { caller, id, given }) => addToWorkspace(tx, caller, { user_id: id, ...given }),
  done: seeGivenRole,
  page: async (form) => {
    const { member, administered } = await findMember(form);
    if (administered.length === 0) throw decidesNowhere();
    const { workspaces } = member;
    const others = administered.filter(({ id }) => !workspaces.some((own) => own.id === id));
    const isPossible = others.length > 0 || form.errors.length > 0;
    return <AddPage member={member} options={toNamedOptions(others)} isPossible={isPossible} />;
  },
});

/** `/settings/members/:id/workspaces/:workspace`: changes a workspace role. */
export const workspaceRoleForm = formRoute({
  path: `${membersAddress}/:id/workspaces/:workspace`,
  open: async (form) => {
    const { member, administered } = await findMember(form);
    const { workspace: id } = form.params;
    const present = member.workspaces.find((one) => one.id === id);
    if (present === undefined) throw new AppError("not_found", "person_not_in_workspace");
    if (!administered.some((one) => one.id === id)) throw decidesNowhere();
    return { member, present };
  },
  version: ({ present }) => readingOfWorkspaceRole(present),
  fields: { workspace_role },
  begin: ({ subject: { present } }) => ({ workspace_role: present.role }),
  change: (tx, { caller, id, params, given, version: expected }) =>
    changeWorkspaceRole(tx, caller, {
      user_id: id,
      workspace_id: params["workspace"] ?? "",
      ...given,
      expected,
    }),
  done: seeGivenRole,
  page: ({ subject: { member, present } }) => (
    <ChangePage member={member} workspace={present.name} />
  ),
});

async function findMember({ db, caller, id }: FormRequest) {
  const [member, administered] = await Promise.all([
    getMember(db, caller, id),
    findAdministered(db, caller),
  ]);
  return { member, administered };
}

interface GivenRole {
  user: { id: string; name: string };
  workspace: { name: string };
  to: WorkspaceRole;
}

const given = {
  admin: "{name} is now an admin in {workspace}.",
  member: "{name} is now a member in {workspace}.",
  viewer: "{name} is now a viewer in {workspace}.",
} as const;

function seeGivenRole({ user, workspace, to }: GivenRole) {
  const text = t(given[to], { name: user.name, workspace: workspace.name });
  return seeOther(personAddress(user.id), text);
}

function decidesNowhere(): AppError {
  return new AppError("forbidden", "decides_on_no_members");
}

interface AddView {
  member: MemberDetails;
  options: Option[];
  isPossible: boolean;
}

function AddPage({ member, options, isPossible }: AddView): VNode {
  const back = personAddress(member.id);
  return (
    <SettingsPage
      title={t("Add to a workspace")}
      heading={t("Add {name} to a workspace", { name: member.name })}
      current={back}
      crumbs={toMemberCrumbs(member)}
    >
      {isPossible ? (
        <PostForm>
          <Select name="workspace_id" empty={t("Choose a workspace")} options={options} />
          <RoleSelect />
          <FormActions submit={t("Add to the workspace")} cancel={back} />
        </PostForm>
      ) : (
        <EmptyState title={t("No other workspaces")}>
          <p>
            {tRich("{name} is already in every workspace you manage.", {
              name: <bdi>{member.name}</bdi>,
            })}
          </p>
        </EmptyState>
      )}
    </SettingsPage>
  );
}

function RoleSelect(): VNode {
  return (
    <Select
      name="workspace_role"
      help={workspaceRoleHelp()}
      options={toOptions(workspaceRoleLabels)}
    />
  );
}

function ChangePage({ member, workspace }: { member: MemberDetails; workspace: string }): VNode {
  const back = personAddress(member.id);
  return (
    <SettingsPage
      title={t("Change the role")}
      heading={t("{name}'s role in {workspace}", { name: member.name, workspace })}
      current={back}
      crumbs={toMemberCrumbs(member)}
    >
      <StaleLink href={back} />
      <PostForm>
        <RoleSelect />
        <FormActions submit={t("Change role")} cancel={back} />
      </PostForm>
    </SettingsPage>
  );
}
