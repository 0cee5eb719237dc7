import type { PresentAccess } from "../domain/oauth/present-access.js";
import type { Membership } from "../domain/organizations/organizations.js";
import { t, translated } from "../language/translate.js";
import { formatNumber, listOf } from "../web/text/format.js";

export type AccessByOrganization = ReadonlyMap<string, PresentAccess>;

/** Maximum number of kinds of roles in the text for a person in many organizations. */
const maxLines = 4;

const roles = translated({ owner: "As owner", admin: "As admin", member: "As member" });

const rolesOf: Record<Membership["role"], (names: string) => string> = {
  owner: (names) => t("As owner of {names}", { names }),
  admin: (names) => t("As admin of {names}", { names }),
  member: (names) => t("As member of {names}", { names }),
};

/** Describes the reach of an app with the person's roles, one line per kind of role. */
export function describeOwnRights(
  organizations: readonly Membership[],
  access: AccessByOrganization,
): string[] {
  const kinds: { role: Membership["role"]; reach: string; names: string[] }[] = [];
  for (const { id, name, role } of organizations) {
    const reach = describeReach(role, access.get(id));
    const known = kinds.find((kind) => kind.role === role && kind.reach === reach);
    if (known === undefined) kinds.push({ role, reach, names: [name] });
    else known.names.push(name);
  }
  const lines = kinds.map(({ role, reach, names }) => {
    const who = organizations.length > 1 ? rolesOf[role](listOf(names)) : roles[role];
    return t("{who}: {reach}.", { who, reach });
  });
  if (lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines), t("In your other organizations, your role there decides.")];
}

function describeReach(role: Membership["role"], access: PresentAccess | undefined): string {
  if (role === "owner") return t("everything, including people");
  if (role === "admin") return t("everything except owner tasks");
  const { workspaces = 0, changeable = 0, administered = 0 } = access ?? {};
  return t("view {view}; change {change}; delete {deletion}", {
    view: viewsOf(workspaces),
    change:
      changeable === 0
        ? t("nothing, as you have view-only access")
        : changesIn(changeable, workspaces),
    deletion:
      administered === 0
        ? t("nothing, as you don't manage a workspace")
        : assetsIn(administered, workspaces),
  });
}

function viewsOf(count: number): string {
  if (count === 0) return t("only assets in no workspace");
  return t(
    "your {count, plural, one {# workspace} other {# workspaces}}, and assets outside of workspaces",
    { count },
  );
}

function changesIn(some: number, count: number): string {
  if (some === count) {
    return t("in your {count, plural, one {# workspace} other {# workspaces}}", { count });
  }
  return t("in {some} of your {count, plural, one {# workspace} other {# workspaces}}", {
    some: formatNumber(some),
    count,
  });
}

function assetsIn(some: number, count: number): string {
  if (some === count) {
    return t("assets in your {count, plural, one {# workspace} other {# workspaces}}", { count });
  }
  return t("assets in {some} of your {count, plural, one {# workspace} other {# workspaces}}", {
    some: formatNumber(some),
    count,
  });
}
