import type { VNode } from "preact";
import type { Database } from "../../../db/database.js";
import type { Caller, OrganizationRole } from "../../../domain/access/caller.js";
import { getMember, type MemberDetails } from "../../../domain/people/member-details.js";
import {
  changeOrganizationRole,
  givableRoles,
  type ChangedRole,
} from "../../../domain/people/member-roles.js";
import { findPersonChoices, type PersonChoice } from "../../../domain/people/person-choices.js";
import { dryRun } from "../../../domain/history/transactions.js";
import { t, tRich, translated } from "../../../language/translate.js";
import { FormActions, PostForm } from "../../forms/controls.js";
import { choiceField, hiddenField, required } from "../../forms/form-fields.js";
import { personField } from "../../forms/person-choice.js";
import { formRoute } from "../../forms/form-route.js";
import { seeOther } from "../../forms/form-reply.js";
import { choicesOf, organizationRoleLabels } from "../../text/value-labels.js";
import { listOf } from "../../text/format.js";
import { toFieldLabel } from "../../text/field-labels.js";
import { SettingsPage } from "../settings-layout.js";
import {
  Affected,
  describeReassignment,
  membersAddress,
  NewAssigneeSelect,
  organizationRoleHelp,
  personAddress,
  toMemberCrumbs,
} from "./parts.js";

/**
 * `/settings/members/:id/role`: shows the consequences of another organization role and assigns it.
 */
export const roleForm = formRoute({
  path: `${membersAddress}/:id/role`,
  open: async ({ request, db, caller, id, query }) => {
    if (request.method === "POST") return undefined;
    const member = await getMember(db, caller, id);
    const role = givableRoles(caller, member).find((one) => one === query("role"));
    // Nothing to confirm. The person's page shows the choices.
    return role === undefined || role === member.role ? seeOther(personAddress(id)) : member;
  },
  fields: {
    organization_role: required(
      { ...choiceField("Role", choicesOf(organizationRoleLabels)), isHidden: true },
      "Choose the role on the person's page.",
    ),
    expected_role: hiddenField,
    reassign_to_user_id: personField(() => toFieldLabel("reassign_to_user_id")),
  },
  begin: ({ query }) => ({ organization_role: query("role") }),
  once: "change_role",
  change: (tx, { caller, id, given }) =>
    changeOrganizationRole(tx, caller, {
      user_id: id,
      role: given.organization_role,
      expected_role: toRole(given.expected_role),
      reassign_to_user_id: given.reassign_to_user_id,
    }),
  done: (done) => seeOther(personAddress(done.user.id), describeChange(done)),
  page: async ({ request, db, caller, id, subject, values }) => {
    const member = subject ?? (await getMember(db, caller, id));
    const role = toRole(values.organization_role) ?? member.role;
    const [held, people] = await Promise.all([
      foresee(request.db, caller, member, role),
      findPersonChoices(db, caller),
    ]);
    const view = { caller, member, role, held, people };
    return <RolePage {...view} />;
  },
});

/** The work that would become unassigned. */
async function foresee(
  db: Database,
  caller: Caller,
  member: MemberDetails,
  role: OrganizationRole,
): Promise<ChangedRole["unassigned"]> {
  if (role !== "member" || !givableRoles(caller, member).includes(role)) return undefined;
  const change = { user_id: member.id, role };
  const done = await dryRun(db, (tx) => changeOrganizationRole(tx, caller, change));
  return done.unassigned;
}

function toRole(text: string | undefined): OrganizationRole | undefined {
  return choicesOf(organizationRoleLabels).find((one) => one === text);
}

const already = {
  owner: "{name} is already an owner.",
  admin: "{name} is already an admin.",
  member: "{name} is already a member.",
} as const;

const isNow = {
  owner: "{name} is now an organization owner.",
  admin: "{name} is now an organization admin.",
  member: "{name} is now a member of the organization.",
} as const;

const isSoFar = {
  owner: "{name} is currently an owner of {organization}.",
  admin: "{name} is currently an admin of {organization}.",
  member: "{name} is currently a member of {organization}.",
} as const;

const questions = {
  owner: "Make {name} an owner of the organization?",
  admin: "Make {name} an admin of the organization?",
  member: "Make {name} a member of the organization?",
} as const;

const answers: Record<OrganizationRole, string> = translated({
  owner: "Make an owner",
  admin: "Make an admin",
  member: "Make a member",
});

function describeChange({
  user,
  from,
  to,
  newAssignee,
  unassigned,
  reassigned,
}: ChangedRole): string {
  if (from === to) return t(already[to], { name: user.name });
  const given = newAssignee !== undefined && reassigned !== undefined;
  const handed = {
    unassigned,
    newAssignee: given ? { name: newAssignee.name, held: reassigned } : undefined,
  };
  return `${t(isNow[to], { name: user.name })}${describeReassignment(handed)}`;
}

interface RoleView {
  caller: Caller;
  member: MemberDetails;
  role: OrganizationRole;
  /** Undefined if the person will still see all their assigned work. */
  held: ChangedRole["unassigned"];
  people: readonly PersonChoice[];
}

function RolePage({ caller, member, role, held, people }: RoleView): VNode {
  const { name, workspaces } = member;
  const back = personAddress(member.id);
  return (
    <SettingsPage
      title={t("Change the role")}
      heading={t(questions[role], { name })}
      current={back}
      crumbs={toMemberCrumbs(member)}
    >
      <p>
        {tRich(isSoFar[member.role], {
          name: <bdi>{name}</bdi>,
          organization: <bdi>{caller.organizationName}</bdi>,
        })}{" "}
        {organizationRoleHelp[role]}
      </p>
      {held !== undefined && (
        <>
          <p>
            {workspaces.length === 0
              ? t("{name} isn't in a workspace, so they'll see none until someone adds them.", {
                  name,
                })
              : t("They will only see {workspaces}.", {
                  workspaces: listOf(workspaces.map((one) => one.name)),
                })}{" "}
            {t("Open invitations that members can't send are withdrawn.")}
          </p>
          <Affected name={name} held={held} where="unseen" />
        </>
      )}
      <PostForm>
        <input type="hidden" name="organization_role" value={role} />
        <input type="hidden" name="expected_role" value={member.role} />
        {held !== undefined && held.tasks + held.assets > 0 && (
          <NewAssigneeSelect member={member} people={people} />
        )}
        <FormActions submit={answers[role]} cancel={back} />
      </PostForm>
    </SettingsPage>
  );
}
