import type { PlainText } from "../../language/texts.js";
import { t } from "../../language/translate.js";
import { anyOf, quote } from "./quote.js";
import type { OfField } from "./account-texts.js";

/** The texts of `common-texts.ts` about roles, members and permissions. */
export const memberTexts = {
  role_too_low: ({ place, present = "none", needed, ...rest }: RoleTooLow) => {
    const role = { present: t(present), needed: t(needed), action: actionOf(rest) };
    const sentence =
      place === undefined
        ? t("your role in the organization is {present}; {needed} is needed to {action}.", role)
        : t("your role in {place} is {present}; {needed} is needed to {action}.", {
            ...role,
            place: quote(place),
          });
    return `${sentence} ${wordWhomToAsk(rest.ask)}`;
  },
  views_only: ({ action, workspaces, ask }: ViewsOnly) =>
    workspaces === 0
      ? t("you can't {action} because you're in no workspace yet. {ask}", {
          action: t(action),
          ask: wordWhomToAsk(ask),
        })
      : t(
          "you can view {workspaces, plural, one {this workspace} other {these workspaces}} but not {action}. {ask}",
          { workspaces, action: t(action), ask: wordWhomToAsk(ask) },
        ),
  own_role: "you can't change your own role. Ask another admin.",
  owner_only: ({ name, is, present }: { name: string; is: boolean; present: PlainText }) =>
    is
      ? t(
          "{name} is an organization owner, and your role is {present}. Only an owner can make someone an owner or change an owner's role.",
          { name: quote(name), present: t(present) },
        )
      : t(
          "{name} would become an organization owner, and your role is {present}. Only an owner can make someone an owner or change an owner's role.",
          { name: quote(name), present: t(present) },
        ),
  role_changed: ({ by, name, role, expected }: RoleChanged) =>
    t(
      "{who} has since changed {name}'s role to {role}, not {expected}. Nothing else was changed. Send it again to overwrite.",
      {
        who: by === undefined ? t("someone") : quote(by),
        name: quote(name),
        role: t(role),
        expected: t(expected),
      },
    ),
  removes_self: "you can't remove yourself. Ask another admin.",
  removes_owner: ({ name }: { name: string }) =>
    t(
      "{name} is an organization owner, and your role is admin. Only an owner can remove an owner.",
      { name: quote(name) },
    ),
  last_owner: ({ name }: { name: string }) =>
    t("{name} is the only owner. Make someone else an owner first.", { name: quote(name) }),
  erases_last_owner: ({ name, organization }: { name: string; organization: string }) =>
    t(
      "{name} is the only owner of {organization}. Make someone else an owner first (fettle member set-role), or delete the organization (fettle organization delete).",
      { name: quote(name), organization: quote(organization) },
    ),
  demoted_by_operator: ({ name }: { name: string }) =>
    t(
      "{name} would lose access to some workspaces, so their tasks and assets there need a new assignee. An owner chooses one under Settings > Members.",
      { name: quote(name) },
    ),
  reassigned_to_same: ({ field, whose }: OfField & { whose: "role" | "removal" }) =>
    whose === "role"
      ? t("{field} is the person whose role changes. Choose someone else, or leave it out.", {
          field,
        })
      : t("{field} is the person being removed. Choose someone else, or leave it out.", { field }),
  in_workspace_already: ({ name, workspace, present }: InWorkspace & { present: PlainText }) =>
    t("{name} already has the {present} role in {workspace}. Change the role there instead.", {
      name: quote(name),
      workspace: quote(workspace),
      present: t(present),
    }),
  not_in_workspace: ({ name, workspace, action }: InWorkspace & { action: "add" | "remove" }) =>
    action === "add"
      ? t(
          "User not found in the workspace {workspace}: {name} does not belong to it. Add them first.",
          { workspace: quote(workspace), name: quote(name) },
        )
      : t(
          "User not found in the workspace {workspace}: {name} does not belong to it, so there is nothing to remove.",
          { workspace: quote(workspace), name: quote(name) },
        ),
  no_such_member: "We can't find that member, or you don't have access to them.",

  workspace_member_already: ({ email, workspace }: { email: string; workspace: string }) =>
    t("{email} is already a member of {workspace}. Change their role under Settings > Members.", {
      email,
      workspace: quote(workspace),
    }),
  admin_already: ({ email, role }: { email: string; role: string }) =>
    role === "owner"
      ? t("{email} is already an owner of the organization and sees every workspace.", { email })
      : t("{email} is already an admin of the organization and sees every workspace.", { email }),
};

/** Up to three people who could take the action or change the role. */
export interface WhomToAsk {
  of: "workspace" | "organization" | "owners";
  names: readonly string[];
}

export interface MissingRole {
  action: PlainText;
  otherField?: string | undefined;
  /** True if it concerns something without a workspace. */
  outside?: boolean;
  ask: WhomToAsk;
}

export interface ViewsOnly extends Pick<MissingRole, "action" | "ask"> {
  /** Number of workspaces that the person can only view. */
  workspaces: number;
}

export interface RoleTooLow extends MissingRole {
  /** The workspace's name. Undefined means the organization. */
  place: string | undefined;
  present: PlainText | undefined;
  needed: PlainText;
}

export interface RoleChanged {
  by: string | undefined;
  name: string;
  role: PlainText;
  expected: PlainText;
}

export interface InWorkspace {
  name: string;
  workspace: string;
}

export function actionOf({ action, otherField, outside }: MissingRole): string {
  const words = t(action);
  const what =
    otherField === undefined ? words : t("{action} {field}", { action: words, field: otherField });
  return outside === true ? t("{action} outside of workspaces", { action: what }) : what;
}

const whom = {
  workspace: "Ask a workspace admin: {names}.",
  organization: "Ask an organization admin: {names}.",
  owners: "Ask an organization owner: {names}.",
} as const;

export function wordWhomToAsk({ of, names }: WhomToAsk): string {
  if (names.length === 0) return t("Ask an organization admin.");
  return t(whom[of], { names: anyOf(names.map(quote)) });
}
