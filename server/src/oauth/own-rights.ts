import type { Scope } from "fettle-shared";
import type { PresentAccess } from "../domain/oauth/present-access.js";
import type { Membership } from "../domain/organizations/organizations.js";
import { countOf, formatNumber, listOf } from "../web/text/format.js";

export type AccessByOrganization = ReadonlyMap<string, PresentAccess>;

/** Who is in many organizations reads about so many kinds of roles. */
const maxLines = 4;

/** How far a right reaches with the person's roles, in a sentence for each kind of them. */
export function describeOwnRights(
  scope: Scope,
  organizations: readonly Membership[],
  access: AccessByOrganization,
): string[] {
  const kinds: { role: string; reach: string; names: string[] }[] = [];
  for (const { id, name, role } of organizations) {
    const reach = role === "member" ? ofMember(scope, access.get(id)) : ofAdmin(scope, role);
    const known = kinds.find((kind) => kind.role === role && kind.reach === reach);
    if (known === undefined) kinds.push({ role, reach, names: [name] });
    else known.names.push(name);
  }
  const lines = kinds.map(({ role, reach, names }) => {
    const where = organizations.length > 1 ? ` of ${listOf(names)}` : "";
    return `As ${role}${where}: ${reach}.`;
  });
  if (lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines), "In your other organizations: as far as your role there."];
}

function ofAdmin(scope: Scope, role: Membership["role"]): string {
  if (scope === "mcp_read") return "everything";
  if (scope === "mcp_destructive") return "any asset";
  return role === "owner" ? "everything, people included" : "everything but what is for owners";
}

function ofMember(scope: Scope, access: PresentAccess | undefined): string {
  const { workspaces = 0, changeable = 0, administered = 0 } = access ?? {};
  switch (scope) {
    case "mcp_read":
      if (workspaces === 0) return "only assets that are in no workspace";
      return `your ${countOf(workspaces, "workspace")}, and assets in none`;
    case "mcp_write":
      return changeable === 0 ? "nothing, as you may only look" : ofYours(changeable, workspaces);
    case "mcp_destructive":
      if (administered === 0) return "nothing, as you administer no workspace";
      return `assets ${ofYours(administered, workspaces)}`;
  }
}

function ofYours(some: number, all: number): string {
  if (some === all) return `in your ${countOf(all, "workspace")}`;
  return `in ${formatNumber(some)} of your ${countOf(all, "workspace")}`;
}
