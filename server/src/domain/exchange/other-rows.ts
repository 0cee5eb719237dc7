import type { Tx } from "../../db/database.js";
import { workspaceFields } from "../../db/entities/organizations.js";
import type { Caller } from "../access/caller.js";
import { visibleWorkspaceSql } from "../access/visibility.js";
import { selectFields } from "../shared/field-columns.js";
import { checkInvite, createInvite, type NewInvite } from "../people/invites.js";
import { createParameters } from "../../db/parameters.js";
import { omit } from "../shared/omit.js";
import {
  checkNewWorkspace,
  createWorkspace,
  type NewWorkspace,
} from "../organizations/workspaces.js";
import { checkWorkspaceUpdate, updateWorkspace } from "../organizations/workspace-updates.js";
import { refuse, type RowValues } from "./read-values.js";
import type { Match, RowKind } from "./row-kinds.js";

const small = (value: unknown) => (typeof value === "string" ? value.toLowerCase() : undefined);

export const workspaceRows: RowKind = {
  nameOf: ({ name }) => (name as string | undefined) ?? "",
  keyOf: ({ name }) => small(name),
  match: async (tx, caller, rows) => {
    const names = rows.map(({ name }) => small(name) ?? "");
    const parameters = createParameters(caller.organizationId, names);
    const found = await tx.query<RowValues & { id: string; version: number }>(
      `SELECT w.id, w.version, ${selectFields(workspaceFields, "w")} FROM workspaces w
       WHERE w.organization_id = $1 AND lower(w.name::text) = ANY ($2::text[])
         AND ${visibleWorkspaceSql(caller, parameters, "w.id")}`,
      parameters.values,
    );
    return names.map((name) => {
      const own = found.find((one) => small(one["name"]) === name);
      return own && { id: own.id, version: own.version, fields: own };
    });
  },
  prepareCheck: (tx, caller) =>
    Promise.resolve(({ match, values }) =>
      match === undefined
        ? checkNewWorkspace(tx, caller, values)
        : checkWorkspaceUpdate(tx, caller, match.id, values),
    ),
  create: async (tx, { caller }, values) => {
    const { workspace } = await createWorkspace(tx, caller, values as unknown as NewWorkspace);
    return { id: workspace.id, name: workspace.name, changed: [] };
  },
  update: async (tx, { caller }, { id, version }, differing) => {
    const update = { ...differing, expected_version: version };
    const { workspace, changed } = await updateWorkspace(tx, caller, id, update);
    return { id, name: workspace.name, changed };
  },
};

/**
 * Existing members, and people invited to the same workspace, stay unchanged. All others are
 * invited.
 */
async function matchPeople(
  tx: Tx,
  caller: Caller,
  rows: readonly RowValues[],
): Promise<(Match | undefined)[]> {
  const emails = rows.map(({ email }) => small(email) ?? "");
  const found = await tx.query<{ id: string; email: string; workspace: string | null }>(
    `SELECT i.id, lower(i.email::text) AS email, w.name::text AS workspace FROM invites i
     LEFT JOIN workspaces w ON w.organization_id = $1 AND w.id = i.workspace_id
     WHERE i.organization_id = $1 AND lower(i.email::text) = ANY ($2::text[])
       AND i.accepted_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > app_now()
     UNION ALL
     SELECT m.user_id, lower(u.email::text), w.name::text FROM organization_members m
     JOIN users u ON u.id = m.user_id
     LEFT JOIN workspace_members k ON k.organization_id = $1 AND k.user_id = m.user_id
     LEFT JOIN workspaces w ON w.organization_id = $1 AND w.id = k.workspace_id
     WHERE m.organization_id = $1 AND m.removed_at IS NULL
       AND lower(u.email::text) = ANY ($2::text[])`,
    [caller.organizationId, emails],
  );
  return rows.map((row, index) => {
    const place = small(row["workspace_id"]);
    const own = found.find(
      ({ email, workspace }) =>
        email === emails[index] && (place === undefined || small(workspace) === place),
    );
    // Roles are changed under Settings > Members, which checks permissions.
    return own && { id: own.id, fields: row };
  });
}

/** A file can list owners, but no one is invited as an owner. */
function toInvite(values: RowValues): NewInvite {
  if (values["organization_role"] === "owner") refuse("organization_role", "Owner", "Admin");
  const start = { workspace_role: "member", organization_role: "member", email: "" };
  return { ...start, ...omit(values, "state") } as NewInvite;
}

export const peopleRows: RowKind = {
  nameOf: ({ email }) => (email as string | undefined) ?? "",
  keyOf: ({ email, workspace_id: place }) =>
    small(email) && `${small(email) ?? ""} ${small(place) ?? ""}`,
  match: matchPeople,
  prepareCheck: (tx, caller) =>
    Promise.resolve(async ({ values }) => checkInvite(tx, caller, toInvite(values))),
  create: async (tx, { caller, mails }, values) => {
    const { invite } = await createInvite(tx, caller, toInvite(values), mails);
    return { id: invite.id, name: invite.email, changed: [] };
  },
  update: () => Promise.reject(new Error("People are only invited.")),
};
