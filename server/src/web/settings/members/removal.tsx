import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { isOrganizationAdmin, type Caller } from "../../../domain/access/caller.js";
import { createOnce } from "../../../domain/changes/idempotency.js";
import { getMember, type MemberDetails } from "../../../domain/members/member-details.js";
import {
  removeUser,
  type Removal,
  type RemovedUser,
} from "../../../domain/members/member-removal.js";
import { findPersonChoices, type PersonChoice } from "../../../domain/members/person-choices.js";
import { commit, dryRun } from "../../../domain/sql/transactions.js";
import { FormActions, PostForm, Select } from "../../forms/controls.js";
import { createFormKey, readFields, readFormKey, toFormErrors } from "../../forms/forms.js";
import { ActionLink, PageHead } from "../../layout/page-parts.js";
import { ErrorSummary, type FormError } from "../../layout/parts.js";
import { callerOf, layoutProps, sendPage, flash, type LayoutProps } from "../../layout/reply.js";
import { countOf, listOf } from "../../text/format.js";
import { SettingsPage } from "../settings-frame.js";
import {
  Affected,
  describeReassignment,
  membersAddress,
  membersCrumb,
  personAddress,
  type PersonParams,
} from "./parts.js";

/**
 * `/settings/members/:id/remove`: from one workspace (`?workspace=`), or from the organization. Says
 * what would happen before it asks for it.
 */
export const removalPages: FastifyPluginAsync = async (app) => {
  const address = `${membersAddress}/:id/remove`;

  app.get<PersonParams>(address, async (request, reply) => {
    const { workspace } = readFields(request.query, ["workspace"]);
    return show(request, reply, { id: request.params.id, workspace, newAssignee: "", errors: [] });
  });

  app.post<PersonParams>(address, async (request, reply) => {
    const caller = callerOf(request);
    const { id } = request.params;
    const posted = readFields(request.body, ["workspace", "reassign_to_user_id"]);
    const { workspace, reassign_to_user_id: newAssignee } = posted;
    const removal = toRemoval(id, workspace, newAssignee);
    const intended = {
      tool: "web:remove_user",
      requestKey: readFormKey(request.body),
      arguments: removal,
    };
    try {
      const done = await commit(app.db, (tx) =>
        createOnce(tx, caller, intended, () => removeUser(tx, caller, removal)),
      );
      flash(request, describeRemoval(done, caller));
      const stays = workspace !== "" && isOrganizationAdmin(caller);
      return await reply.redirect(stays ? personAddress(done.user.id) : membersAddress, 303);
    } catch (error) {
      const errors = toFormErrors(error);
      return show(request, reply.code(400), { id, workspace, newAssignee, errors });
    }
  });

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    { id, workspace, newAssignee, errors }: Shown,
  ): Promise<FastifyReply> {
    const caller = callerOf(request);
    const member = await getMember(app.db.manager, caller, id);
    const place = workspace === "" ? undefined : workspace;
    const [foreseen, people] = await Promise.all([
      foresee(caller, toRemoval(id, workspace, "")),
      findPersonChoices(app.db.manager, caller, place),
    ]);
    const frame = layoutProps(request, reply);
    const values = { reassign_to_user_id: newAssignee };
    return sendPage(
      reply,
      <RemovalPage {...{ frame, caller, member, place, foreseen, people, values, errors }} />,
    );
  }

  /** What would happen, or why it cannot. */
  async function foresee(caller: Caller, removal: Removal): Promise<RemovedUser | FormError[]> {
    try {
      return await dryRun(app.db, (tx) => removeUser(tx, caller, removal));
    } catch (error) {
      return toFormErrors(error);
    }
  }
};

interface Shown {
  id: string;
  workspace: string;
  newAssignee: string;
  errors: readonly FormError[];
}

function toRemoval(id: string, workspace: string, newAssignee: string): Removal {
  return {
    user_id: id,
    ...(workspace === "" ? { from_organization: true } : { workspace_id: workspace }),
    ...(newAssignee !== "" && { reassign_to_user_id: newAssignee }),
  };
}

function describeRemoval(done: RemovedUser, { organizationName }: Caller): string {
  const { user, removed_from: from, reassigned_to: newAssignee, unassigned } = done;
  const place = from === "organization" ? organizationName : from;
  const handed = {
    unassigned,
    newAssignee: newAssignee && { name: newAssignee.name, held: newAssignee },
  };
  return `${user.name} was removed from ${place}.${describeReassignment(handed)}`;
}

interface RemovalView {
  frame: LayoutProps;
  caller: Caller;
  member: MemberDetails;
  /** The id of the workspace; undefined for the organization. */
  place: string | undefined;
  foreseen: RemovedUser | readonly FormError[];
  people: readonly PersonChoice[];
  values: { reassign_to_user_id: string };
  errors: readonly FormError[];
}

function RemovalPage(view: RemovalView): VNode {
  const { frame, caller, member, place, foreseen } = view;
  const from =
    place === undefined
      ? caller.organizationName
      : (member.workspaces.find(({ id }) => id === place)?.name ?? "this workspace");
  const back = personAddress(member.id);
  return (
    <SettingsPage title={`Remove ${member.name}`} current={back} frame={frame}>
      <PageHead
        title={`Remove ${member.name} from ${from}?`}
        crumbs={[membersCrumb, { href: back, label: member.name }]}
      />
      {"user" in foreseen ? (
        <Question {...view} foreseen={foreseen} from={from} />
      ) : (
        <>
          <ErrorSummary errors={foreseen.map(({ message }) => ({ message }))} />
          <ActionLink href={back} quiet>
            Back to {member.name}
          </ActionLink>
        </>
      )}
    </SettingsPage>
  );
}

function Question(view: RemovalView & { foreseen: RemovedUser; from: string }): VNode {
  const { frame, member, place, foreseen, people, values, errors, from } = view;
  const { unassigned = { tasks: 0, assets: 0 }, connections_ended: connections } = foreseen;
  return (
    <>
      <p>
        {place === undefined
          ? `${member.name} loses access to ${from} at once. The account stays, and so does everything in the history. Open invitations that they sent are withdrawn. They can be invited again.`
          : describeRest(foreseen, member, from)}
      </p>
      {connections !== undefined && connections > 0 && (
        <p>{countOf(connections, "connected app")} of theirs will be disconnected.</p>
      )}
      <Affected
        name={member.name}
        held={unassigned}
        where={place === undefined ? `in ${from}` : "there"}
      />
      <PostForm frame={frame} errors={errors}>
        <input type="hidden" name="request_key" value={createFormKey()} />
        <input type="hidden" name="workspace" value={place ?? ""} />
        {unassigned.tasks + unassigned.assets > 0 && (
          <Select
            name="reassign_to_user_id"
            label="Who takes over"
            help="Only what the person chosen can see goes to them."
            empty="Nobody"
            options={people
              .filter(({ id }) => id !== member.id)
              .map(({ id, name }) => ({ value: id, label: name }))}
            {...{ values, errors }}
          />
        )}
        <FormActions
          submit={`Remove from ${from}`}
          danger={place === undefined}
          cancel={personAddress(member.id)}
        />
      </PostForm>
    </>
  );
}

function describeRest(
  { still_member_of: rest = [] }: RemovedUser,
  { name, role }: MemberDetails,
  from: string,
): string {
  if (role !== "member") {
    return `${name} stays an ${role} of the organization and goes on to see every workspace.`;
  }
  const loss = `${name} no longer sees what is in ${from}`;
  return rest.length === 0
    ? `${loss}, will belong to no workspace that you see, and stays a member of the organization.`
    : `${loss}, and goes on to belong to ${listOf(rest.map((one) => one.name))}.`;
}
