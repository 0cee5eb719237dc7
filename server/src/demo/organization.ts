import { randomUUID } from "node:crypto";
import type { Tx } from "../db/database.js";
import { Organization } from "../db/entities/organizations.js";
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
import { addDays } from "../domain/shared/dates.js";
import { StartError } from "../errors.js";
import { momentOn, sampleTimeZone, toWorkday } from "./calendar.js";
import { people, workspaces } from "./data/northgate.js";
import { planAccess, type OrganizationAct } from "./access.js";

const sampleCurrency = "EUR";
const samplePrefix = "434";

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

/**
 * Gives the organization its people, workspaces, invitations and apps, in order of time. Returns
 * the people by key.
 */
export async function seedOrganization(
  tx: Tx,
  organization: SampleAccounts & OrganizationRow,
  { asOf, isTiny }: { asOf: string; isTiny: boolean },
): Promise<Map<string, Caller>> {
  const { password, baseUrl, domain = `${organization.slug}.example`, id, name } = organization;
  const passwordHash = password === undefined ? undefined : await hashPassword(password, id);
  const callers = new Map<string, Caller>();
  const acts: OrganizationAct[] = [];
  const { timeZone, currency } = newSample;
  for (const [index, { key, name: userName, role, joined }] of people
    .slice(0, isTiny ? 1 : undefined)
    .entries()) {
    const at = momentOn(toWorkday(addDays(asOf, -joined)), 480 + 4 * index);
    await setClock(tx, new Date(at));
    const { id: userId, email: userEmail } =
      (passwordHash === undefined ? await findNobodys(tx, key, domain) : undefined) ??
      (await addPerson(tx, { key, name: userName, domain, passwordHash }));
    const run = () => addMember(tx, { organizationId: id, userId, userName, role });
    acts.push({ at, run });
    callers.set(key, {
      ...{ userId, userName, userEmail, timeZone, currency, baseUrl, accessEpoch: 0 },
      ...{ organizationId: id, organizationName: name, organizationRole: role },
      ...{ source: "web", requestId: `req_${randomUUID()}` },
    });
  }
  acts.push(...planWorkspaces(tx, callers, asOf));
  const report = () => tx.update(Organization, { id }, { public_reports: true });
  if (!isTiny) acts.push({ at: momentOn(asOf, 1), run: report });
  if (!isTiny) acts.push(...planAccess(tx, callers, { asOf, hasSignIns: password !== undefined }));
  for (const { at, run } of acts.toSorted((left, right) => left.at - right.at)) {
    await setClock(tx, new Date(at));
    await run();
  }
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

/** The workspaces exist before the first asset. People are added to them when they join. */
function planWorkspaces(
  tx: Tx,
  callers: ReadonlyMap<string, Caller>,
  asOf: string,
): OrganizationAct[] {
  const owner = getOwner(callers);
  const begin = momentOn(toWorkday(addDays(asOf, -735)), 600);
  const made = workspaces.slice(0, callers.size === 1 ? 1 : undefined).map((workspace, index) => ({
    at: begin + index * 120_000,
    run: () => createWorkspace(tx, owner, workspace),
  }));
  const members = people.flatMap(({ key, workspaces: roles }) =>
    roles.map(([name, role]) => ({ user_id: callers.get(key)?.userId, name, role })),
  );
  const run = () =>
    tx.query(
      `INSERT INTO workspace_members (workspace_id, user_id, organization_id, role, added_by, added_at)
       SELECT w.id, r.user_id, w.organization_id, r.role, $2, m.joined_at
       FROM jsonb_to_recordset($3::jsonb) AS r (user_id text, name citext, role text)
       JOIN workspaces w ON w.organization_id = $1 AND w.name = r.name
       JOIN organization_members m ON m.organization_id = $1 AND m.user_id = r.user_id
       ON CONFLICT DO NOTHING`,
      [owner.organizationId, owner.userId, JSON.stringify(members)],
    );
  return [...made, { at: begin + 3 * 3_600_000, run }, { at: momentOn(asOf, 1), run }];
}

/** Ids of the workspaces by name. */
export async function readWorkspaces(tx: Tx, organizationId: string): Promise<Map<string, string>> {
  const rows = await tx.query<{ id: string; name: string }>(
    "SELECT id, name::text AS name FROM workspaces WHERE organization_id = $1",
    [organizationId],
  );
  return new Map(rows.map(({ id, name }) => [name, id]));
}

export function getOwner(callers: ReadonlyMap<string, Caller>): Caller {
  const [owner] = callers.values();
  if (owner === undefined) throw new Error("The sample plan has no owner.");
  return owner;
}

/** Records each person's last activity: on the last days before the reference day, or long before. */
export async function setLastActive(
  tx: Tx,
  callers: ReadonlyMap<string, Caller>,
  asOf: string,
): Promise<void> {
  for (const [index, { key, lastActive }] of people.entries()) {
    const caller = callers.get(key);
    if (lastActive === null || caller === undefined) continue;
    const at = new Date(Math.min(momentOn(addDays(asOf, -lastActive), 440 + index), Date.now()));
    await tx.query(
      `WITH active AS (UPDATE organization_members SET last_active_at = $3
         WHERE organization_id = $1 AND user_id = $2)
       UPDATE users SET last_login_at = greatest(last_login_at, $3) WHERE id = $2`,
      [caller.organizationId, caller.userId, at],
    );
  }
}
