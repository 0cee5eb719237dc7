import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import type { DataSource } from "typeorm";
import type { Caller, OrganizationRole } from "../../../domain/access/caller.js";
import { createOnce } from "../../../domain/changes/idempotency.js";
import { getMember, type MemberDetails } from "../../../domain/members/member-details.js";
import {
  changeOrganizationRole,
  givableRoles,
  type ChangedRole,
  type RoleChange,
} from "../../../domain/members/member-roles.js";
import { findPersonChoices, type PersonChoice } from "../../../domain/members/person-choices.js";
import { commit, dryRun } from "../../../domain/sql/transactions.js";
import { FormActions, PostForm, Select } from "../../forms/controls.js";
import { createFormKey, readFields, readFormKey, toFormErrors } from "../../forms/forms.js";
import { PageHead } from "../../layout/page-parts.js";
import type { FormError } from "../../layout/parts.js";
import { callerOf, layoutProps, sendPage, flash, type LayoutProps } from "../../layout/reply.js";
import { choicesOf, organizationRoleLabels } from "../../text/value-labels.js";
import { listOf } from "../../text/format.js";
import { SettingsPage } from "../settings-frame.js";
import {
  Affected,
  describeReassignment,
  membersAddress,
  membersCrumb,
  organizationRoleHelp,
  personAddress,
  type PersonParams,
} from "./parts.js";

const fields = ["organization_role", "expected_role", "reassign_to_user_id"] as const;
type Values = Record<(typeof fields)[number], string>;

/** `/settings/members/:id/role`: what another role in the organization would mean, and giving it. */
export const rolePages: FastifyPluginAsync = async (app) => {
  const address = `${membersAddress}/:id/role`;

  app.get<PersonParams>(address, async (request, reply) => {
    const caller = callerOf(request);
    const member = await getMember(app.db.manager, caller, request.params.id);
    const asked = toRole(readFields(request.query, ["role"]).role);
    const role = givableRoles(caller, member).find((one) => one === asked);
    // Nothing to confirm: the person's page says what can be chosen.
    if (role === undefined || role === member.role)
      return reply.redirect(personAddress(member.id), 303);
    const values = { ...noValues, organization_role: role };
    return show(request, reply, { member, values, errors: [] });
  });

  app.post<PersonParams>(address, async (request, reply) => {
    const caller = callerOf(request);
    const values = readFields(request.body, fields);
    const change = toChange(request.params.id, values);
    const intended = {
      tool: "web:change_role",
      requestKey: readFormKey(request.body),
      arguments: change,
    };
    try {
      const done = await commit(app.db, (tx) =>
        createOnce(tx, caller, intended, () => changeOrganizationRole(tx, caller, change)),
      );
      flash(request, describeChange(done));
      return await reply.redirect(personAddress(done.user.id), 303);
    } catch (error) {
      const errors = toFormErrors(error).map(toShownError);
      const member = await getMember(app.db.manager, caller, request.params.id);
      return show(request, reply.code(400), { member, values, errors });
    }
  });

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    { member, values, errors }: { member: MemberDetails; values: Values; errors: FormError[] },
  ): Promise<FastifyReply> {
    const caller = callerOf(request);
    const role = toRole(values.organization_role) ?? member.role;
    const [held, people] = await Promise.all([
      foresee(app.db, caller, member, role),
      findPersonChoices(app.db.manager, caller),
    ]);
    const frame = layoutProps(request, reply);
    return sendPage(
      reply,
      <RolePage {...{ frame, caller, member, role, held, people, values, errors }} />,
    );
  }
};

/** The role itself is chosen on the page before. */
function toShownError({ field, message }: FormError): FormError {
  return field === "reassign_to_user_id" ? { field, message } : { message };
}

/** What nobody would be responsible for any more. */
async function foresee(
  db: DataSource,
  caller: Caller,
  member: MemberDetails,
  role: OrganizationRole,
): Promise<ChangedRole["unassigned"]> {
  if (role !== "member" || !givableRoles(caller, member).includes(role)) return undefined;
  const change = { user_id: member.id, role };
  const done = await dryRun(db, (tx) => changeOrganizationRole(tx, caller, change));
  return done.unassigned;
}

const noValues: Values = {
  organization_role: "",
  expected_role: "",
  reassign_to_user_id: "",
};

function toRole(text: string): OrganizationRole | undefined {
  return choicesOf(organizationRoleLabels).find((one) => one === text);
}

function toChange(userId: string, values: Values): RoleChange {
  return {
    user_id: userId,
    role: toRole(values.organization_role) ?? "member",
    expected_role: toRole(values.expected_role),
    ...(values.reassign_to_user_id !== "" && { reassign_to_user_id: values.reassign_to_user_id }),
  };
}

function describeChange({
  user,
  from,
  to,
  newAssignee,
  unassigned,
  reassigned,
}: ChangedRole): string {
  if (from === to) return `${user.name} is ${withArticle(to)} already.`;
  const given = newAssignee !== undefined && reassigned !== undefined;
  const handed = {
    unassigned,
    newAssignee: given ? { name: newAssignee.name, held: reassigned } : undefined,
  };
  return `${user.name} is ${withArticle(to)} of the organization now.${describeReassignment(handed)}`;
}

function withArticle(role: OrganizationRole): string {
  return role === "member" ? "a member" : `an ${role}`;
}

interface RoleView {
  frame: LayoutProps;
  caller: Caller;
  member: MemberDetails;
  role: OrganizationRole;
  /** Undefined where the person goes on to see everything they have. */
  held: ChangedRole["unassigned"];
  people: readonly PersonChoice[];
  values: Values;
  errors: readonly FormError[];
}

function RolePage({ frame, caller, member, role, held, people, values, errors }: RoleView): VNode {
  const title = `Make ${member.name} ${withArticle(role)} of the organization?`;
  const back = personAddress(member.id);
  return (
    <SettingsPage title="Change the role" current={back} frame={frame}>
      <PageHead title={title} crumbs={[membersCrumb, { href: back, label: member.name }]} />
      <p>
        {member.name} is {withArticle(member.role)} of {caller.organizationName} now.{" "}
        {organizationRoleHelp[role]}
      </p>
      {held !== undefined && (
        <>
          <p>
            {member.workspaces.length === 0
              ? `${member.name} belongs to no workspace, so they will see none until somebody adds them to one.`
              : `They will see only ${listOf(member.workspaces.map((one) => one.name))}.`}{" "}
            Open invitations that they could not send as a member are withdrawn.
          </p>
          <Affected name={member.name} held={held} where="in workspaces they will not see" />
        </>
      )}
      <PostForm frame={frame} errors={errors}>
        <input type="hidden" name="request_key" value={createFormKey()} />
        <input type="hidden" name="organization_role" value={role} />
        <input type="hidden" name="expected_role" value={member.role} />
        {held !== undefined && held.tasks + held.assets > 0 && (
          <Select
            name="reassign_to_user_id"
            label="Who takes over"
            help="Only what the person chosen can see goes to them."
            values={values}
            errors={errors}
            empty="Nobody"
            options={people
              .filter(({ id }) => id !== member.id)
              .map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
        <FormActions submit={`Make ${withArticle(role)}`} cancel={back} />
      </PostForm>
    </SettingsPage>
  );
}
