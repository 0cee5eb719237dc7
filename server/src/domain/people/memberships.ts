import { IsNull, type Tx } from "../../db/database.js";
import { OrganizationMember } from "../../db/entities/people.js";
import { Workspace } from "../../db/entities/organizations.js";
import { AppError } from "../../errors.js";
import { createAccount, findPersonByEmail, type AccountPerson } from "../accounts/accounts.js";
import { recordActivity } from "../audit/record-activity.js";
import type { OrganizationRole, WorkspaceRole } from "../access/caller.js";
import { createId } from "../shared/ids.js";
import {
  addMember,
  createOrganization,
  findOrganizationByName,
} from "../organizations/organizations.js";
import { lockAccount } from "../../db/locks.js";
import { cleanText } from "../shared/text.js";

export interface AccountRequest {
  email: string;
  name: string;
  /** Name of the organization. Created if missing. */
  organization: string;
  /** Defaults to "member", or "owner" for the organization's first person. */
  role?: OrganizationRole;
  /** Name of the workspace. Created if missing. */
  workspace?: string;
  /** Defaults to "member". */
  workspaceRole?: WorkspaceRole;
  /** Used for a new account only. Existing accounts retain password and name. */
  password: string;
}

export interface AddedAccount {
  userId: string;
  organizationId: string;
  workspaceId?: string;
}

/**
 * Creates the missing ones of account, organization, membership and workspace. Existing ones stay
 * unchanged.
 */
export async function addAccount(tx: Tx, request: AccountRequest): Promise<AddedAccount> {
  const person =
    (await findPersonByEmail(tx, request.email)) ??
    (await createAccount(tx, {
      email: request.email,
      name: request.name,
      password: request.password,
    }));
  const organizationId = await findOrCreateOrganization(tx, request.organization, person);
  await addMember(tx, {
    organizationId,
    userId: person.id,
    userName: person.name,
    role: request.role ?? ((await hasMembers(tx, organizationId)) ? "member" : "owner"),
  });
  // After the membership. See `lockAccount`. An erasure in progress hasn't seen the membership.
  if (!(await lockAccount(tx, person.id))) throw new AppError("not_found", "no_such_account");
  if (request.workspace === undefined) return { userId: person.id, organizationId };
  const workspaceId = await findOrCreateWorkspace(tx, organizationId, request.workspace, person);
  await tx.query(
    `INSERT INTO workspace_members (workspace_id, user_id, organization_id, role)
     VALUES ($1, $2, $3, $4) ON CONFLICT ON CONSTRAINT workspace_members_pkey DO NOTHING`,
    [workspaceId, person.id, organizationId, request.workspaceRole ?? "member"],
  );
  return { userId: person.id, organizationId, workspaceId };
}

async function findOrCreateOrganization(
  tx: Tx,
  organization: string,
  person: AccountPerson,
): Promise<string> {
  const name = cleanText(organization, { field: "organization", max: 120 });
  // Names aren't unique. The lock lets the second of two concurrent commands find the first one's
  // organization.
  await tx.query("LOCK TABLE unique_names IN SHARE ROW EXCLUSIVE MODE");
  const existing = await findOrganizationByName(tx, name);
  if (existing !== undefined) return existing.id;
  const { id } = await createOrganization(tx, { name });
  await recordActivity(tx, {
    organizationId: id,
    userId: person.id,
    actorName: person.name,
    type: "organization_created",
  });
  return id;
}

async function hasMembers(db: Tx, organizationId: string): Promise<boolean> {
  const where = { organization_id: organizationId, removed_at: IsNull() };
  return db.exists(OrganizationMember, where);
}

async function findOrCreateWorkspace(
  tx: Tx,
  organizationId: string,
  workspace: string,
  person: AccountPerson,
): Promise<string> {
  const name = cleanText(workspace, { field: "workspace", max: 100 });
  const created = await tx.maybe<Pick<Workspace, "id">>(
    `INSERT INTO workspaces (id, organization_id, name, created_by) VALUES ($1, $2, $3, $4)
     ON CONFLICT ON CONSTRAINT workspaces_organization_id_name_key DO NOTHING RETURNING id`,
    [createId("workspace"), organizationId, name, person.id],
  );
  if (created !== undefined) {
    await recordActivity(tx, {
      organizationId,
      userId: person.id,
      actorName: person.name,
      type: "workspace_created",
      details: { workspace_id: created.id, name },
    });
    return created.id;
  }
  const where = { organization_id: organizationId, name };
  return (await tx.findOneOrFail(Workspace, { where })).id;
}
