import type { VNode } from "preact";
import type { Tx } from "../../../db/database.js";
import {
  isOrganizationAdmin,
  type Caller,
  type OrganizationRole,
} from "../../../domain/access/caller.js";
import type { PersonChoice } from "../../../domain/people/person-choices.js";
import type { HoldingCount } from "../../../domain/people/reassignment.js";
import {
  findWorkspaceChoices,
  type WorkspaceChoice,
} from "../../../domain/organizations/workspace-choices.js";
import { t, translated } from "../../../language/translate.js";
import { toPersonOptions } from "../../forms/choices.js";
import { Select } from "../../forms/controls.js";
import type { Crumb } from "../../layout/page-head.js";
import { countOf, listOf } from "../../text/format.js";

export const membersAddress = "/settings/members";
export const invitationsAddress = `${membersAddress}/invitations`;
export const membersCrumb: Crumb = {
  href: membersAddress,
  get label() {
    return t("Members");
  },
};

export const organizationRoleHelp: Record<OrganizationRole, string> = translated({
  owner: "Owners can do everything admins can, and decide who the owners are.",
  admin: "Admins see and edit everything, invite people and set up workspaces.",
  member: "Members' access depends on their role in each workspace.",
});

export function personAddress(id: string): string {
  return `${membersAddress}/${encodeURIComponent(id)}`;
}

export function toMemberCrumbs({ id, name }: { id: string; name: string }): Crumb[] {
  return [membersCrumb, { href: personAddress(id), label: name }];
}

export function NewAssigneeSelect({
  member,
  people,
}: {
  member: { id: string };
  people: readonly PersonChoice[];
}): VNode {
  return (
    <Select
      name="reassign_to_user_id"
      help={t("They only take over items they can see.")}
      empty={t("No one")}
      options={toPersonOptions(people.filter(({ id }) => id !== member.id))}
    />
  );
}

/** The workspaces in which a caller manages members. */
export async function findAdministered(db: Tx, caller: Caller): Promise<WorkspaceChoice[]> {
  const choices = await findWorkspaceChoices(db, caller);
  return choices.filter(({ role }) => role === "admin");
}

export function mayInvite(caller: Caller, administered: readonly WorkspaceChoice[]): boolean {
  return isOrganizationAdmin(caller) || administered.length > 0;
}

/** "3 open tasks and 1 asset". Undefined for none. */
function describeHeld({ tasks, assets }: HoldingCount): string | undefined {
  const parts = [
    ...(tasks > 0 ? [countOf(tasks, "open task")] : []),
    ...(assets > 0 ? [countOf(assets, "asset")] : []),
  ];
  return parts.length === 0 ? undefined : listOf(parts);
}

const nothingHeld = {
  organization: "{name} has no open tasks or assets in {organization}.",
  there: "{name} has no open tasks or assets there.",
  unseen: "{name} has no open tasks or assets in workspaces they'll lose access to.",
} as const;

const somethingHeld = {
  organization:
    "{name} is assigned to {what} in {organization}. Choose a new assignee, or they become unassigned.",
  there: "{name} is assigned to {what} there. Choose a new assignee, or they become unassigned.",
  unseen:
    "{name} is assigned to {what} in workspaces they'll lose access to. Choose a new assignee, or they become unassigned.",
} as const;

export function Affected({
  name,
  held,
  where,
  organization = "",
}: {
  name: string;
  held: HoldingCount;
  where: keyof typeof nothingHeld;
  organization?: string;
}): VNode {
  const what = describeHeld(held);
  return (
    <p>
      {what === undefined
        ? t(nothingHeld[where], { name, organization })
        : t(somethingHeld[where], { name, organization, what })}
    </p>
  );
}

/** The outcome of the reassignment, for the message after a change. */
export function describeReassignment({
  unassigned,
  newAssignee,
}: {
  unassigned: HoldingCount | undefined;
  newAssignee: { name: string; held: HoldingCount } | undefined;
}): string {
  const given = newAssignee && describeHeld(newAssignee.held);
  const left = unassigned && describeHeld(unassigned);
  if (newAssignee !== undefined && given === undefined && left !== undefined) {
    return ` ${t("{name} can't see these, so {what} became unassigned.", { name: newAssignee.name, what: left })}`;
  }
  return [
    ...(given === undefined
      ? []
      : [` ${t("{name} takes over {what}.", { name: newAssignee?.name ?? "", what: given })}`]),
    ...(left === undefined ? [] : [` ${t("Now unassigned: {what}.", { what: left })}`]),
  ].join("");
}
