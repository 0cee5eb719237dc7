import { randomUUID } from "node:crypto";
import type { EntityManager } from "typeorm";
import type { Caller } from "../domain/access/caller.js";
import { setClock } from "../domain/access/clock.js";
import { findPersonByEmail, insertAccount } from "../domain/accounts/accounts.js";
import {
  addMember,
  createOrganization,
  findOrganizationByName,
} from "../domain/organizations/organizations.js";
import { hashPassword } from "../domain/accounts/passwords.js";
import { createWorkspace } from "../domain/workspaces/workspaces.js";
import { AppError } from "../errors.js";
import { dayMs } from "./plan/calendar.js";
import type { SamplePlan } from "./plan/plan.js";

export const sampleTimeZone = "Europe/Berlin";
const sampleCurrency = "EUR";
const samplePrefix = "434";
/** The organization and its workspaces are there some days before the first asset. */
const headStart = 5 * dayMs;

export interface NewSampleOrganization {
  organization: string;
  /** Of every account that is made. */
  password: string;
  baseUrl: string;
}

/** Makes the organization with its people and workspaces; answers with the people, by key. */
export async function seedOrganization(
  tx: EntityManager,
  plan: SamplePlan,
  { organization, password, baseUrl }: NewSampleOrganization,
): Promise<Map<string, Caller>> {
  const { id, name: organizationName, slug } = await findOrCreateEmpty(tx, organization);
  const passwordHash = await hashPassword(password);
  const callers = new Map<string, Caller>();
  for (const { key, name, role } of plan.people) {
    const email = `${key}@${slug}.example`;
    const { id: userId } =
      (await findPersonByEmail(tx, email)) ??
      (await insertAccount(tx, { email, name, passwordHash }, undefined));
    await addMember(tx, { organizationId: id, userId, userName: name, role });
    callers.set(key, {
      userId,
      userName: name,
      userEmail: email,
      organizationId: id,
      organizationName,
      organizationRole: role,
      timeZone: sampleTimeZone,
      currency: sampleCurrency,
      source: "import",
      requestId: `req_${randomUUID()}`,
      baseUrl,
    });
  }
  await addWorkspaces(tx, plan, callers);
  return callers;
}

async function findOrCreateEmpty(tx: EntityManager, name: string) {
  const found = await findOrganizationByName(tx, name);
  if (found === undefined) {
    return createOrganization(tx, {
      name,
      timeZone: sampleTimeZone,
      currency: sampleCurrency,
      inventoryPrefix: samplePrefix,
    });
  }
  const rows: unknown[] = await tx.query(
    `SELECT 1 FROM organization_members WHERE organization_id = $1
     UNION ALL SELECT 1 FROM workspaces WHERE organization_id = $1
     UNION ALL SELECT 1 FROM assets WHERE organization_id = $1 LIMIT 1`,
    [found.id],
  );
  if (rows.length === 0) return found;
  throw new AppError(
    "conflict",
    `The organization "${found.name}" is not empty; sample data goes into a new one. Choose another name.`,
  );
}

async function addWorkspaces(
  tx: EntityManager,
  { people, workspaces, start }: SamplePlan,
  callers: ReadonlyMap<string, Caller>,
): Promise<void> {
  const owner = getOwner(callers);
  const then = await setClock(tx, owner, new Date(start - headStart));
  for (const { name, description, address } of workspaces) {
    await createWorkspace(tx, then, { name, description, ...(address !== "" && { address }) });
  }
  const members = people.flatMap(({ key, workspaces: roles }) =>
    roles.map(([name, role]) => ({ user_id: callers.get(key)?.userId, name, role })),
  );
  await tx.query(
    `INSERT INTO workspace_members (workspace_id, user_id, organization_id, role, added_by)
     SELECT w.id, r.user_id, w.organization_id, r.role, $2
     FROM jsonb_to_recordset($3::jsonb) AS r (user_id text, name citext, role text)
     JOIN workspaces w ON w.organization_id = $1 AND w.name = r.name`,
    [owner.organizationId, owner.userId, JSON.stringify(members)],
  );
}

/** The first of the people. */
export function getOwner(callers: ReadonlyMap<string, Caller>): Caller {
  const [owner] = callers.values();
  if (owner === undefined) throw new Error("The sample plan has no owner.");
  return owner;
}

/** Gives people and workspaces the times of the plan: what makes them knows the present only. */
export async function backdate(
  tx: EntityManager,
  { people, actions, start, end }: SamplePlan,
  callers: ReadonlyMap<string, Caller>,
): Promise<void> {
  const lastActions = new Map(actions.map(({ actor, at }) => [actor, at]));
  const times = people.map(({ key, joined, lastActive }, index) => {
    const usual = Math.max(lastActions.get(key) ?? 0, end - (1 + (index % 9)) * dayMs);
    const last = lastActive === 0 ? usual : end - (lastActive ?? 0) * dayMs;
    return {
      user_id: callers.get(key)?.userId,
      joined_at: new Date(end - joined * dayMs),
      last_active_at: lastActive === null ? null : new Date(last),
    };
  });
  for (const change of backdated) {
    await tx.query(
      `WITH people AS (SELECT * FROM jsonb_to_recordset($2::jsonb)
           AS r (user_id text, joined_at timestamptz, last_active_at timestamptz)),
         founded AS (SELECT $3::timestamptz AS at)
       UPDATE ${change}`,
      [getOwner(callers).organizationId, JSON.stringify(times), new Date(start - headStart)],
    );
  }
}

const backdated = [
  `organization_members m SET joined_at = p.joined_at, last_active_at = p.last_active_at
   FROM people p WHERE m.organization_id = $1 AND m.user_id = p.user_id`,
  `users u SET created_at = p.joined_at, last_login_at = p.last_active_at
   FROM people p WHERE u.id = p.user_id AND u.created_at > p.joined_at AND NOT EXISTS
     (SELECT 1 FROM organization_members m WHERE m.user_id = u.id AND m.organization_id <> $1)`,
  `workspace_members m SET added_at = p.joined_at
   FROM people p WHERE m.organization_id = $1 AND m.user_id = p.user_id`,
  "workspaces SET created_at = at, updated_at = at FROM founded WHERE organization_id = $1",
  "asset_categories SET created_at = at FROM founded WHERE organization_id = $1",
  "organizations SET created_at = at, updated_at = at FROM founded WHERE id = $1",
  `activity_log SET created_at = at FROM founded
   WHERE organization_id = $1 AND type IN ('member_added', 'workspace_created')`,
];
