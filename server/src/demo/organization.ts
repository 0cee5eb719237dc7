import { randomUUID } from "node:crypto";
import type { Tx } from "../db/database.js";
import type { Caller } from "../domain/access/caller.js";
import { setClock } from "../domain/access/clock.js";
import {
  findPersonByEmail,
  insertAccount,
  type AccountPerson,
} from "../domain/accounts/accounts.js";
import {
  addMember,
  createOrganization,
  findOrganizationByName,
  type OrganizationRow,
} from "../domain/organizations/organizations.js";
import { hashPassword } from "../domain/accounts/passwords.js";
import { hasSecondFactorSql } from "../domain/accounts/second-factor-sql.js";
import { createToken } from "../domain/shared/ids.js";
import { createWorkspace } from "../domain/organizations/workspaces.js";
import { StartError } from "../errors.js";
import { dayMs } from "./plan/calendar.js";
import type { SamplePlan } from "./plan/plan.js";

export const sampleTimeZone = "Europe/Berlin";
const sampleCurrency = "EUR";
const samplePrefix = "434";
/** The organization and its workspaces exist some days before the first asset. */
const headStart = 5 * dayMs;

export interface SampleAccounts {
  /**
   * The password of every created account. Without one, no one can sign in to the accounts, and
   * samples share them.
   */
  password?: string;
  baseUrl: string;
  /** Domain of the people's addresses. Defaults to the organization's. */
  domain?: string;
}

export interface NewSampleOrganization extends SampleAccounts {
  organization: string;
}

/** Settings of a new sample, except its name. */
export const newSample = {
  timeZone: sampleTimeZone,
  currency: sampleCurrency,
  inventoryPrefix: samplePrefix,
};

/** Fills the organization with its people and workspaces. Returns the people by key. */
export async function seedOrganization(
  tx: Tx,
  plan: SamplePlan,
  organization: SampleAccounts & OrganizationRow,
): Promise<Map<string, Caller>> {
  const founded = new Date(plan.start - headStart);
  const { password, baseUrl, domain = `${organization.slug}.example` } = organization;
  const passwordHash =
    password === undefined ? undefined : await hashPassword(password, organization.id);
  const callers = new Map<string, Caller>();
  for (const { key, name: userName, role, joined } of plan.people) {
    await setClock(tx, new Date(plan.end - joined * dayMs));
    const { id: userId, email } =
      (passwordHash === undefined ? await findNobodys(tx, key, domain) : undefined) ??
      (await addPerson(tx, { key, name: userName, domain, passwordHash }));
    await addMember(tx, { organizationId: organization.id, userId, userName, role });
    callers.set(key, {
      userId,
      userName,
      userEmail: email,
      organizationId: organization.id,
      organizationName: organization.name,
      organizationRole: role,
      timeZone: sampleTimeZone,
      currency: sampleCurrency,
      accessEpoch: 0,
      source: "import",
      requestId: `req_${randomUUID()}`,
      baseUrl,
    });
  }
  await setClock(tx, founded);
  await addWorkspaces(tx, plan, callers);
  return callers;
}

/**
 * Returns an invented person's account, never an account that someone created with this address.
 */
async function findNobodys(
  tx: Tx,
  key: string,
  domain: string,
): Promise<AccountPerson | undefined> {
  return tx.maybe<AccountPerson>(
    `SELECT u.id, u.name, u.email::text AS email FROM users u
     WHERE (u.email = $1::citext OR u.email LIKE $2::citext) AND u.email_verified_at IS NULL
       AND NOT EXISTS (SELECT FROM user_passwords p WHERE p.user_id = u.id)
       AND NOT ${hasSecondFactorSql("u.id")}
     ORDER BY u.created_at, u.id LIMIT 1`,
    [`${key}@${domain}`, `${key}-%@${domain}`],
  );
}

async function addPerson(
  tx: Tx,
  person: { key: string; name: string; domain: string; passwordHash: string | undefined },
): Promise<AccountPerson> {
  const { key, name, domain, passwordHash } = person;
  const isTaken = (await findPersonByEmail(tx, `${key}@${domain}`)) !== undefined;
  const email = `${isTaken ? `${key}-${createToken().slice(0, 6)}` : key}@${domain}`;
  const password = passwordHash === undefined ? {} : { passwordHash };
  return insertAccount(tx, { email, name, ...password }, undefined);
}

export async function findOrCreateEmpty(tx: Tx, name: string) {
  const found = await findOrganizationByName(tx, name);
  if (found === undefined) {
    return createOrganization(tx, { name, ...newSample });
  }
  const rows = await tx.query(
    `SELECT 1 FROM organization_members WHERE organization_id = $1
     UNION ALL SELECT 1 FROM workspaces WHERE organization_id = $1
     UNION ALL SELECT 1 FROM assets WHERE organization_id = $1 LIMIT 1`,
    [found.id],
  );
  if (rows.length === 0) return found;
  throw new StartError(
    `The organization "${found.name}" is not empty; sample data goes into a new one. Choose another name.`,
  );
}

async function addWorkspaces(
  tx: Tx,
  { people, workspaces }: SamplePlan,
  callers: ReadonlyMap<string, Caller>,
): Promise<void> {
  const owner = getOwner(callers);
  for (const { name, description, address } of workspaces) {
    await createWorkspace(tx, owner, { name, description, ...(address !== "" && { address }) });
  }
  const members = people.flatMap(({ key, workspaces: roles }) =>
    roles.map(([name, role]) => ({ user_id: callers.get(key)?.userId, name, role })),
  );
  await tx.query(
    `INSERT INTO workspace_members (workspace_id, user_id, organization_id, role, added_by, added_at)
     SELECT w.id, r.user_id, w.organization_id, r.role, $2, m.joined_at
     FROM jsonb_to_recordset($3::jsonb) AS r (user_id text, name citext, role text)
     JOIN workspaces w ON w.organization_id = $1 AND w.name = r.name
     JOIN organization_members m ON m.organization_id = $1 AND m.user_id = r.user_id`,
    [owner.organizationId, owner.userId, JSON.stringify(members)],
  );
}

export function getOwner(callers: ReadonlyMap<string, Caller>): Caller {
  const [owner] = callers.values();
  if (owner === undefined) throw new Error("The sample plan has no owner.");
  return owner;
}

/** Records each person's last activity: on the last day of the plan, or long before. */
export async function setLastActive(
  tx: Tx,
  { people, actions, end }: SamplePlan,
  callers: ReadonlyMap<string, Caller>,
): Promise<void> {
  const lastActions = new Map(actions.map(({ actor, at }) => [actor, at]));
  for (const [index, { key, lastActive }] of people.entries()) {
    if (lastActive === null) continue;
    const usual = Math.max(lastActions.get(key) ?? 0, end - (1 + (index % 9)) * dayMs);
    const at = new Date(lastActive === 0 ? usual : end - lastActive * dayMs);
    const { organizationId, userId } = callers.get(key) ?? getOwner(callers);
    await tx.query(
      `WITH active AS (UPDATE organization_members SET last_active_at = $3
         WHERE organization_id = $1 AND user_id = $2)
       UPDATE users SET last_login_at = greatest(last_login_at, $3) WHERE id = $2`,
      [organizationId, userId, at],
    );
  }
}
