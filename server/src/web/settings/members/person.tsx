import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import type { Caller } from "../../../domain/access/caller.js";
import { getMember, type MemberDetails } from "../../../domain/members/member-details.js";
import { givableRoles } from "../../../domain/members/member-roles.js";
import type { WorkspaceChoice } from "../../../domain/workspaces/workspace-choices.js";
import { Select } from "../../forms/controls.js";
import { Moment } from "../../layout/moment.js";
import { ActionLink } from "../../layout/page-head.js";
import { DangerZone } from "../../layout/danger-zone.js";
import { Facts } from "../../layout/facts.js";
import { Notice } from "../../layout/notices.js";
import { callerOf, sendPage } from "../../layout/reply.js";
import { formatDay } from "../../text/format.js";
import { organizationRoleLabels, workspaceRoleLabels } from "../../text/value-labels.js";
import { findIdentityPanel } from "../provider/release.js";
import { SettingsPage } from "../settings-layout.js";
import {
  findAdministered,
  membersAddress,
  membersCrumb,
  organizationRoleHelp,
  personAddress,
} from "./parts.js";

/** `/settings/members/:id`: one person, and what the caller may decide about them. */
export const personPages: FastifyPluginAsync = async (app) => {
  app.get<{ Params: { id: string } }>(`${membersAddress}/:id`, async (request, reply) => {
    const caller = callerOf(request);
    const [member, administered] = await Promise.all([
      getMember(request.db.manager, caller, request.params.id),
      findAdministered(request.db.manager, caller),
    ]);
    const identity = await findIdentityPanel(request.db.manager, caller, member.id);
    const view = { caller, member, administered, identity };
    return sendPage(reply, <PersonPage {...view} />);
  });
};

interface PersonView {
  caller: Caller;
  member: MemberDetails;
  /** The workspaces in which the caller decides. */
  administered: readonly WorkspaceChoice[];
  identity: VNode | undefined;
}

function PersonPage({ caller, member, administered, identity }: PersonView): VNode {
  const isSelf = member.id === caller.userId;
  return (
    <SettingsPage
      title={member.name}
      current={personAddress(member.id)}
      crumbs={[membersCrumb]}
      facts={
        <>
          <span>{organizationRoleLabels[member.role]}</span>
          {isSelf && <span class="soft">This is you</span>}
        </>
      }
    >
      {member.deactivated && (
        <Notice kind="warning">
          <p>This account cannot sign in. Whoever runs the server can activate it again.</p>
        </Notice>
      )}
      <PersonFacts member={member} caller={caller} />
      <OrganizationRole member={member} caller={caller} />
      <Workspaces member={member} caller={caller} administered={administered} />
      {identity}
      {givableRoles(caller, member).length > 0 && (
        <DangerZone title="End access">
          <p>
            {member.name} loses access to {caller.organizationName} at once, in the browser and
            through apps. The account itself stays, and everything they did stays in the history.
          </p>
          <div class="actions">
            <ActionLink href={`${personAddress(member.id)}/remove`} quiet>
              Remove from {caller.organizationName}
            </ActionLink>
            {member.role !== "owner" && (
              <ActionLink href={`${personAddress(member.id)}/access-end`} quiet>
                {member.access_ends_on === null ? "Set the last day" : "Change the last day"}
              </ActionLink>
            )}
          </div>
        </DangerZone>
      )}
    </SettingsPage>
  );
}

function PersonFacts({ member, caller }: { member: MemberDetails; caller: Caller }): VNode {
  const { timeZone } = caller;
  const { email, last_active_at: active, open_tasks: tasks, assigned_assets: assets } = member;
  const query = new URLSearchParams({ responsible: member.id }).toString();
  return (
    <section class="panel">
      <Facts
        facts={[
          [
            "Email",
            email === null ? null : (
              <a href={`mailto:${encodeURIComponent(email).replace("%40", "@")}`}>{email}</a>
            ),
          ],
          ["Member since", <Moment at={member.joined_at} timeZone={timeZone} />],
          ["Invited by", member.invited_by],
          [
            "Last day with access",
            member.access_ends_on === null ? null : formatDay(member.access_ends_on),
          ],
          ["Last active", active === null ? "Never" : <Moment at={active} timeZone={timeZone} />],
          ["Open tasks", tasks === 0 ? "None" : <a href={`/tasks?${query}`}>{tasks}</a>],
          [
            "Responsible for",
            assets === 0 ? (
              "No asset"
            ) : (
              <a href={`/assets?${query}`}>{assets === 1 ? "1 asset" : `${assets} assets`}</a>
            ),
          ],
        ]}
      />
    </section>
  );
}

function OrganizationRole({ member, caller }: { member: MemberDetails; caller: Caller }): VNode {
  const roles = givableRoles(caller, member);
  // The greatest comes last: the first is chosen until another one is.
  const others = roles.filter((role) => role !== member.role).toReversed();
  return (
    <section aria-labelledby="organization-role">
      <h2 id="organization-role">Role in the organization</h2>
      <p>
        <strong>{organizationRoleLabels[member.role]}</strong>.{" "}
        <span class="soft">{organizationRoleHelp[member.role]}</span>
      </p>
      {others.length > 0 && (
        <form class="inline-form" method="get" action={`${personAddress(member.id)}/role`}>
          <Select
            name="role"
            label="New role"
            required
            options={others.map((value) => ({ value, label: organizationRoleLabels[value] }))}
          />
          <button type="submit" class="quiet">
            Change role
          </button>
        </form>
      )}
    </section>
  );
}

function Workspaces({ member, caller, administered }: Omit<PersonView, "identity">): VNode {
  const address = personAddress(member.id);
  const isSelf = member.id === caller.userId;
  const mayDecide = (id: string) => !isSelf && administered.some((one) => one.id === id);
  const canAdd =
    !isSelf && administered.some(({ id }) => !member.workspaces.some((one) => one.id === id));
  return (
    <section aria-labelledby="workspaces">
      <h2 id="workspaces">Workspaces</h2>
      {member.role !== "member" && (
        <p class="soft">
          Sees and changes every workspace as {organizationRoleLabels[member.role].toLowerCase()} of
          the organization. Roles in workspaces count when that ends.
        </p>
      )}
      {member.workspaces.length === 0 ? (
        member.role === "member" && (
          <p class="soft">
            {member.name} belongs to no workspace{isSelf ? "" : " that you see"}.
          </p>
        )
      ) : (
        <ul class="rows">
          {member.workspaces.map(({ id, name, role }) => (
            <li key={id} class="row">
              <span class="membership">
                <strong>{name}</strong> <span class="soft">{workspaceRoleLabels[role]}</span>
              </span>
              {mayDecide(id) && (
                <span class="row-actions">
                  <ActionLink
                    href={`${address}/workspaces/${id}`}
                    quiet
                    label={`Change the role in ${name}`}
                  >
                    Change role
                  </ActionLink>
                  <ActionLink
                    href={`${address}/remove?workspace=${id}`}
                    quiet
                    label={`Remove ${member.name} from ${name}`}
                  >
                    Remove
                  </ActionLink>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {canAdd && (
        <p>
          <ActionLink href={`${address}/add`} quiet>
            Add to a workspace
          </ActionLink>
        </p>
      )}
    </section>
  );
}
