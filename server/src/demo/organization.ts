import { randomUUID } from "node:crypto";
import type { Tx } from "../db/database.js";
import { User } from "../db/entities/accounts.js";
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
import type { Say } from "./data/tables.js";
import { lastSignIn, planAccess, type OrganizationAct } from "./access.js";
import { endOfMorning, momentToday } from "./story.js";

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
  currency: "EUR",
  inventoryPrefix: "434",
};

/**
 * Gives the organization its people, workspaces, invitations and apps, in order of time. Returns
 * the people by key.
 */
export async function seedOrganization(
  tx: Tx,
  organization: SampleAccounts & OrganizationRow,
  { asOf, isTiny, say }: { asOf: string; isTiny: boolean; say: Say },
): Promise<Map<string, Caller>> {
  const { password, baseUrl, domain = `${organization.slug}.example`, id, name } = organization;
  const passwordHash = password === undefined ? undefined : await hashPassword(password, id);
  const callers = new Map<string, Caller>();
  const acts: OrganizationAct[] = [];
  const { timeZone, currency } = newSample;
  for (const [index, { key, name: userName, job, role, joined }] of people
    .slice(0, isTiny ? 1 : undefined)
    .entries()) {
    const at = momentOn(toWorkday(addDays(asOf, -joined)), 480 + 4 * index);
    await setClock(tx, new Date(at));
    const { id: userId, email: userEmail } =
      (passwordHash === undefined ? await findNobodys(tx, key, domain) : undefined) ??
      (await addPerson(tx, { key, name: userName, job: say(job), domain, passwordHash }));
    const run = () => addMember(tx, { organizationId: id, userId, userName, role });
    acts.push({ at, run });
    callers.set(key, {
      ...{ userId, userName, userEmail, timeZone, currency, baseUrl, accessEpoch: 0 },
      ...{ organizationId: id, organizationName: name, organizationRole: role },
      ...{ source: "web", requestId: `req_${randomUUID()}` },
    });
  }
  acts.push(...planWorkspaces(tx, callers, asOf, say));
  const report = () => tx.update(Organization, { id }, { public_reports: true });
  if (!isTiny) acts.push({ at: momentOn(asOf, 1), run: report });
  const hasSignIns = password !== undefined;
  if (!isTiny) acts.push(...planAccess(tx, callers, { asOf, hasSignIns, say }));
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
  person: {
    key: string;
    name: string;
    job: string;
    domain: string;
    passwordHash: string | undefined;
  },
): Promise<AccountPerson> {
  const { key, name, job, domain, passwordHash } = person;
  const isTaken = (await findPersonByEmail(tx, `${key}@${domain}`)) !== undefined;
  const email = `${isTaken ? `${key}-${createToken().slice(0, 6)}` : key}@${domain}`;
  const password = passwordHash === undefined ? {} : { passwordHash };
  const account = await insertAccount(tx, { email, name, ...password }, undefined);
  await tx.update(User, { id: account.id }, { job_title: job });
  return account;
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
  say: Say,
): OrganizationAct[] {
  const owner = getOwner(callers);
  const begin = momentOn(toWorkday(addDays(asOf, -735)), 600);
  const made = workspaces.slice(0, callers.size === 1 ? 1 : undefined).map((workspace, index) => ({
    at: begin + index * 120_000,
    run: () =>
      createWorkspace(tx, owner, {
        ...workspace,
        name: say(workspace.name),
        description: say(workspace.description),
      }),
  }));
  const members = people.flatMap(({ key, workspaces: roles }) =>
    roles.map(([name, role]) => ({ user_id: callers.get(key)?.userId, name: say(name), role })),
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

/** Ids of the workspaces by their English name. */
export async function readWorkspaces(
  tx: Tx,
  organizationId: string,
  say: Say,
): Promise<Map<string, string>> {
  const rows = await tx.query<{ id: string; name: string }>(
    "SELECT id, name::text AS name FROM workspaces WHERE organization_id = $1",
    [organizationId],
  );
  const english = new Map(workspaces.map(({ name }) => [say(name), name]));
  return new Map(rows.map(({ id, name }) => [english.get(name) ?? name, id]));
}

export function getOwner(callers: ReadonlyMap<string, Caller>): Caller {
  const [owner] = callers.values();
  if (owner === undefined) throw new Error("The sample plan has no owner.");
  return owner;
}

/** Records when people were last active: after their last sign-in, or their last work. */
export async function setLastActive(
  tx: Tx,
  callers: ReadonlyMap<string, Caller>,
  asOf: string,
): Promise<void> {
  const now = Date.now();
  for (const [index, person] of people.entries()) {
    const caller = callers.get(person.key);
    if (person.lastActive === null || caller === undefined) continue;
    const signedIn = lastSignIn({ asOf, now }, person, index);
    const latest = momentToday({ asOf, now }, endOfMorning) - ((index * 7) % 23) * 60_000;
    const later = Math.min(signedIn + (12 + ((index * 29) % 140)) * 60_000, latest);
    const active = Math.max(signedIn + 60_000, later);
    await tx.query(
      `WITH active AS (UPDATE organization_members SET last_active_at = greatest($3,
           (SELECT max(occurred_at) FROM history_events
            WHERE organization_id = $1 AND actor_user_id = $2))
         WHERE organization_id = $1 AND user_id = $2)
       UPDATE users SET last_login_at = greatest(last_login_at, $4) WHERE id = $2`,
      [caller.organizationId, caller.userId, new Date(active), new Date(signedIn)],
    );
  }
}
