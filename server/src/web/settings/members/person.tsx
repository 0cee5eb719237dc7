import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import type { Caller } from "../../../domain/access/caller.js";
import { getMember, type MemberDetails } from "../../../domain/people/member-details.js";
import { listAbsences, type AbsenceRow } from "../../../domain/people/absences.js";
import { getWorkingTime, type StoredWorkingTime } from "../../../domain/people/working-time.js";
import { givableRoles } from "../../../domain/people/member-roles.js";
import type { WorkspaceChoice } from "../../../domain/organizations/workspace-choices.js";
import { t, tRich } from "../../../language/translate.js";
import { Select } from "../../forms/controls.js";
import { Moment } from "../../layout/moment.js";
import { ActionLink } from "../../layout/page-head.js";
import { DangerZone } from "../../layout/danger-zone.js";
import { Facts } from "../../layout/facts.js";
import { Notice } from "../../layout/notices.js";
import { callerOf, sendPage } from "../../layout/reply.js";
import { countOf, formatDay } from "../../text/format.js";
import { organizationRoleLabels, workspaceRoleLabels } from "../../text/value-labels.js";
import { findIdentityPanel } from "../provider/release.js";
import { MemberWorkingTime } from "./absences.js";
import { SettingsPage } from "../settings-layout.js";
import {
  findAdministered,
  membersAddress,
  membersCrumb,
  organizationRoleHelp,
  personAddress,
} from "./parts.js";
import { PersonName } from "../../text/person-name.js";

/** `/settings/members/:id`: one person, and the caller's decisions about them. */
export const personPages: FastifyPluginAsync = async (app) => {
  app.get<{ Params: { id: string } }>(`${membersAddress}/:id`, async (request, reply) => {
    const caller = callerOf(request);
    const [member, administered] = await Promise.all([
      getMember(request.db, caller, request.params.id),
      findAdministered(request.db, caller),
    ]);
    const [identity, time, absences] = await Promise.all([
      findIdentityPanel(request.db, caller, member.id),
      getWorkingTime(request.db, caller, member.id),
      listAbsences(request.db, caller, member.id),
    ]);
    const view = { caller, member, administered, identity, time, absences };
    return sendPage(reply, <PersonPage {...view} />);
  });
};

interface PersonView {
  caller: Caller;
  member: MemberDetails;
  /** The workspaces in which the caller manages members. */
  administered: readonly WorkspaceChoice[];
  identity: VNode | undefined;
  time: StoredWorkingTime;
  absences: readonly AbsenceRow[];
}

function PersonPage(view: PersonView): VNode {
  const { caller, member, administered, identity, time, absences } = view;
  const isSelf = member.id === caller.userId;
  return (
    <SettingsPage
      title={member.name}
      current={personAddress(member.id)}
      crumbs={[membersCrumb]}
      facts={
        <>
          {member.job_title !== null && <span dir="auto">{member.job_title}</span>}
          <span>{organizationRoleLabels[member.role]}</span>
          {isSelf && <span class="soft">{t("This is you")}</span>}
        </>
      }
    >
      {member.deactivated && (
        <Notice kind="warning">
          <p>{t("This account is deactivated. The server's administrator can reactivate it.")}</p>
        </Notice>
      )}
      <PersonFacts member={member} />
      <OrganizationRole member={member} caller={caller} />
      <Workspaces member={member} caller={caller} administered={administered} />
      <MemberWorkingTime caller={caller} member={member} time={time} absences={absences} />
      {identity}
      {givableRoles(caller, member).length > 0 && <EndOfAccess member={member} caller={caller} />}
    </SettingsPage>
  );
}

function EndOfAccess({ member, caller }: { member: MemberDetails; caller: Caller }): VNode {
  const address = personAddress(member.id);
  const organization = <bdi>{caller.organizationName}</bdi>;
  return (
    <DangerZone title={t("End access")}>
      <p>
        {tRich(
          "{name} loses access to {organization} right away, in the browser and through apps. Their account and history are kept.",
          { name: <bdi>{member.name}</bdi>, organization },
        )}
      </p>
      <div class="actions">
        <ActionLink href={`${address}/remove`} quiet>
          {tRich("Remove from {place}", { place: organization })}
        </ActionLink>
        {member.role !== "owner" && (
          <ActionLink href={`${address}/access-end`} quiet>
            {member.access_ends_on === null ? t("Set the last day") : t("Change the last day")}
          </ActionLink>
        )}
      </div>
    </DangerZone>
  );
}

function PersonFacts({ member }: { member: MemberDetails }): VNode {
  const { email, last_active_at: active, open_tasks: tasks, assigned_assets: assets } = member;
  const query = new URLSearchParams({ assignee: member.id }).toString();
  return (
    <section class="panel">
      <Facts
        facts={[
          [
            t("Email"),
            email === null ? null : (
              <a href={`mailto:${encodeURIComponent(email).replace("%40", "@")}`}>{email}</a>
            ),
          ],
          [t("Member since"), <Moment at={member.joined_at} />],
          [
            t("Invited by"),
            member.invited_by === null ? null : <PersonName name={member.invited_by} />,
          ],
          [
            t("Last day with access"),
            member.access_ends_on === null ? null : formatDay(member.access_ends_on),
          ],
          [t("Last active"), active === null ? t("Never") : <Moment at={active} />],
          [
            t("Open tasks"),
            tasks === 0 ? t("None||open tasks") : <a href={`/tasks?${query}`}>{tasks}</a>,
          ],
          [
            t("Assigned assets"),
            assets === 0 ? (
              t("No asset")
            ) : (
              <a href={`/assets?${query}`}>{countOf(assets, "asset")}</a>
            ),
          ],
        ]}
      />
    </section>
  );
}

function OrganizationRole({ member, caller }: { member: MemberDetails; caller: Caller }): VNode {
  const others = givableRoles(caller, member).filter((role) => role !== member.role);
  return (
    <section aria-labelledby="organization-role">
      <h2 id="organization-role">{t("Organization role")}</h2>
      <p>
        <strong>{organizationRoleLabels[member.role]}</strong>.{" "}
        <span class="soft">{organizationRoleHelp[member.role]}</span>
      </p>
      {others.length > 0 && (
        <form class="inline-form" method="get" action={`${personAddress(member.id)}/role`}>
          <Select
            name="role"
            label={t("New role")}
            required
            empty={t("Choose one")}
            options={others.map((value) => ({ value, label: organizationRoleLabels[value] }))}
          />
          <button type="submit" class="quiet">
            {t("Change role")}
          </button>
        </form>
      )}
    </section>
  );
}

type WorkspacesView = Pick<PersonView, "caller" | "member" | "administered">;

function Workspaces({ member, caller, administered }: WorkspacesView): VNode {
  const address = personAddress(member.id);
  const isSelf = member.id === caller.userId;
  const mayDecide = (id: string) => !isSelf && administered.some((one) => one.id === id);
  const canAdd =
    !isSelf && administered.some(({ id }) => !member.workspaces.some((one) => one.id === id));
  return (
    <section aria-labelledby="workspaces">
      <h2 id="workspaces">{t("Workspaces")}</h2>
      {member.role !== "member" && (
        <p class="soft">
          {member.role === "owner"
            ? t(
                "As an organization owner, they see and edit every workspace. Workspace roles apply if that role ends.",
              )
            : t(
                "As an organization admin, they see and edit every workspace. Workspace roles apply if they stop being an admin.",
              )}
        </p>
      )}
      {member.workspaces.length === 0 ? (
        member.role === "member" && (
          <p class="soft">
            {isSelf
              ? tRich("{name} isn't in a workspace.", { name: <bdi>{member.name}</bdi> })
              : tRich("{name} isn't in any workspace you can see.", {
                  name: <bdi>{member.name}</bdi>,
                })}
          </p>
        )
      ) : (
        <ul class="rows">
          {member.workspaces.map((one) => (
            <Membership key={one.id} of={one} member={member} mayDecide={mayDecide(one.id)} />
          ))}
        </ul>
      )}
      {canAdd && (
        <p>
          <ActionLink href={`${address}/add`} quiet>
            {t("Add to a workspace")}
          </ActionLink>
        </p>
      )}
    </section>
  );
}

function Membership({
  of: { id, name, role },
  member,
  mayDecide,
}: {
  of: MemberDetails["workspaces"][number];
  member: MemberDetails;
  mayDecide: boolean;
}): VNode {
  const address = personAddress(member.id);
  return (
    <li class="row">
      <span class="membership">
        <strong dir="auto">{name}</strong> <span class="soft">{workspaceRoleLabels[role]}</span>
      </span>
      {mayDecide && (
        <span class="row-actions">
          <ActionLink
            href={`${address}/workspaces/${id}`}
            quiet
            label={t("Change the role in {name}", { name })}
          >
            {t("Change role")}
          </ActionLink>
          <ActionLink
            href={`${address}/remove?workspace=${id}`}
            quiet
            label={t("Remove {name} from {place}", { name: member.name, place: name })}
          >
            {t("Remove")}
          </ActionLink>
        </span>
      )}
    </li>
  );
}
