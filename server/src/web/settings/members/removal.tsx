import type { VNode } from "preact";
import { isOrganizationAdmin, type Caller } from "../../../domain/access/caller.js";
import { getMember, type MemberDetails } from "../../../domain/people/member-details.js";
import {
  removeUser,
  type Removal,
  type RemovedUser,
} from "../../../domain/people/member-removal.js";
import { findPersonChoices, type PersonChoice } from "../../../domain/people/person-choices.js";
import { dryRun } from "../../../domain/history/transactions.js";
import { t, tRich } from "../../../language/translate.js";
import { FormActions, PostForm } from "../../forms/controls.js";
import { hiddenField } from "../../forms/form-fields.js";
import { personField } from "../../forms/person-choice.js";
import { formRoute } from "../../forms/form-route.js";
import { seeOther } from "../../forms/form-reply.js";
import { toFormErrors } from "../../forms/form-errors.js";
import { ActionLink } from "../../layout/page-head.js";
import { ErrorSummary, type FormError } from "../../layout/error-summary.js";
import { listOf } from "../../text/format.js";
import { toFieldLabel } from "../../text/field-labels.js";
import { SettingsPage } from "../settings-layout.js";
import {
  Affected,
  describeReassignment,
  membersAddress,
  NewAssigneeSelect,
  personAddress,
  toMemberCrumbs,
} from "./parts.js";

/**
 * `/settings/members/:id/remove`: removes a person from one workspace (`?workspace=`) or the
 * organization. Shows the consequences before it asks.
 */
export const removalForm = formRoute({
  path: `${membersAddress}/:id/remove`,
  fields: {
    workspace: hiddenField,
    reassign_to_user_id: personField(() => toFieldLabel("reassign_to_user_id")),
  },
  begin: ({ query }) => ({ workspace: query("workspace") }),
  once: "remove_user",
  change: (tx, { caller, id, values }) =>
    removeUser(tx, caller, toRemoval(id, values.workspace, values.reassign_to_user_id)),
  done: (done, { caller, values }) => {
    const stays = values.workspace !== "" && isOrganizationAdmin(caller);
    const next = stays ? personAddress(done.user.id) : membersAddress;
    return seeOther(next, describeRemoval(done, caller));
  },
  page: async ({ request, db, caller, id, values: { workspace } }) => {
    const member = await getMember(db, caller, id);
    const removal = toRemoval(id, workspace);
    const [foreseen, people] = await Promise.all([
      dryRun(request.db, (tx) => removeUser(tx, caller, removal)).catch(toFormErrors),
      findPersonChoices(db, caller, removal.workspace_id),
    ]);
    const from =
      removal.workspace_id === undefined
        ? caller.organizationName
        : (member.workspaces.find((one) => one.id === workspace)?.name ?? t("this workspace"));
    const view = { member, workspace, from, foreseen, people };
    return <RemovalPage {...view} />;
  },
});

function toRemoval(id: string, workspace = "", newAssignee = ""): Removal {
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
  return `${t("{name} removed from {place}.", { name: user.name, place })}${describeReassignment(handed)}`;
}

interface RemovalView {
  member: MemberDetails;
  /** The workspace's id. Undefined for the organization. */
  workspace: string | undefined;
  from: string;
  /** The consequences, or the reasons against it. */
  foreseen: RemovedUser | readonly FormError[];
  people: readonly PersonChoice[];
}

function RemovalPage(view: RemovalView): VNode {
  const { member, foreseen, from } = view;
  const back = personAddress(member.id);
  return (
    <SettingsPage
      title={t("Remove {name}", { name: member.name })}
      heading={t("Remove {name} from {place}?", { name: member.name, place: from })}
      current={back}
      crumbs={toMemberCrumbs(member)}
    >
      {"user" in foreseen ? (
        <Question {...view} foreseen={foreseen} />
      ) : (
        <>
          <ErrorSummary errors={foreseen.map(({ message }) => ({ message }))} />
          <ActionLink href={back} quiet>
            {tRich("Back to {name}", { name: <bdi>{member.name}</bdi> })}
          </ActionLink>
        </>
      )}
    </SettingsPage>
  );
}

function Question(view: RemovalView & { foreseen: RemovedUser }): VNode {
  const { member, workspace = "", foreseen, people, from } = view;
  const isAll = workspace === "";
  const { unassigned = { tasks: 0, assets: 0 }, connections_ended: connections } = foreseen;
  return (
    <>
      <p>
        {isAll
          ? t(
              "{name} loses access to {organization} right away. Their account and history are kept. Open invitations they sent are withdrawn. You can invite them again.",
              { name: member.name, organization: from },
            )
          : describeRest(foreseen, member, from)}
      </p>
      {connections !== undefined && connections > 0 && (
        <p>
          {t(
            "{count, plural, one {# of their connected apps} other {# of their connected apps}} will be disconnected.",
            { count: connections },
          )}
        </p>
      )}
      <Affected
        name={member.name}
        held={unassigned}
        where={isAll ? "organization" : "there"}
        organization={from}
      />
      <PostForm>
        <input type="hidden" name="workspace" value={workspace} />
        {unassigned.tasks + unassigned.assets > 0 && (
          <NewAssigneeSelect member={member} people={people} />
        )}
        <FormActions
          submit={t("Remove from {place}", { place: from })}
          danger={isAll}
          cancel={personAddress(member.id)}
        />
      </PostForm>
    </>
  );
}

const stays = {
  owner: "{name} is still an organization owner and sees every workspace.",
  admin: "{name} is still an organization admin and sees every workspace.",
} as const;

function describeRest(
  { still_member_of: rest = [] }: RemovedUser,
  { name, role }: MemberDetails,
  from: string,
): string {
  if (role !== "member") {
    return t(stays[role], { name });
  }
  return rest.length === 0
    ? t(
        "{name} no longer sees {workspace}, and won't be in any workspace you can see, but is still a member of the organization.",
        { name, workspace: from },
      )
    : t("{name} no longer sees {workspace}, but is still in {others}.", {
        name,
        workspace: from,
        others: listOf(rest.map((one) => one.name)),
      });
}
