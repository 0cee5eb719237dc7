import { randomUUID } from "node:crypto";
import type { EntityManager } from "typeorm";
import { AppError } from "../../errors.js";
import { createAccount, findPersonByEmail } from "../accounts/accounts.js";
import type { Caller } from "../access/caller.js";
import { setClock } from "../access/clock.js";
import {
  addMember,
  createOrganization,
  findOrganizationByName,
} from "../organizations/organizations.js";
import { createWorkspace } from "../workspaces/workspaces.js";
import { dayMs, sampleTimeZone } from "./calendar.js";
import { sampleDays } from "./people.js";
import type { SamplePlan } from "./plan.js";

const sampleCurrency = "EUR";
const samplePrefix = "434";
/** People and places are there some days before the first asset. */
const headStart = 5 * dayMs;

export interface NewPeople {
  organization: string;
  /** Of every account that is made. */
  password: string;
  baseUrl: string;
}

/** Makes the organization with its people and places; answers with them as callers, by key. */
export async function seedPeople(
  tx: EntityManager,
  plan: SamplePlan,
  request: NewPeople,
): Promise<{ owner: Caller; callers: Map<string, Caller> }> {
  const organization = await findOrCreateEmpty(tx, request.organization);
  const callers = new Map<string, Caller>();
  for (const { key, name, role } of plan.people) {
    const email = `${key}@${organization.slug}.example`;
    const { id: userId } =
      (await findPersonByEmail(tx, email)) ??
      (await createAccount(tx, { email, name, password: request.password }));
    await addMember(tx, { organizationId: organization.id, userId, userName: name, role });
    callers.set(key, {
      userId,
      userName: name,
      userEmail: email,
      organizationId: organization.id,
      organizationName: organization.name,
      organizationRole: role,
      timeZone: sampleTimeZone,
      currency: sampleCurrency,
      source: "import",
      requestId: `req_${randomUUID()}`,
      baseUrl: request.baseUrl,
    });
  }
  const owner = callers.get(plan.people[0].key);
  if (owner === undefined) throw new Error("The sample plan has no owner.");
  await seedPlaces(tx, owner, plan);
  await placePeople(tx, callers, plan);
  return { owner, callers };
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

async function seedPlaces(tx: EntityManager, owner: Caller, plan: SamplePlan): Promise<void> {
  const then = await setClock(tx, owner, new Date(plan.start - headStart));
  for (const { name, description, address } of plan.places) {
    await createWorkspace(tx, then, { name, description, address });
  }
}

async function placePeople(
  tx: EntityManager,
  callers: ReadonlyMap<string, Caller>,
  { people, places }: SamplePlan,
): Promise<void> {
  const known = new Set(places.map(({ name }) => name));
  const rows = people.flatMap(({ key, workspaces = {} }) =>
    Object.entries(workspaces)
      .filter(([name]) => known.has(name))
      .map(([name, role]) => ({ user_id: callers.get(key)?.userId, name, role })),
  );
  const owner = callers.get(people[0].key);
  await tx.query(
    `INSERT INTO workspace_members (workspace_id, user_id, organization_id, role, added_by)
     SELECT w.id, r.user_id, w.organization_id, r.role, $2
     FROM jsonb_to_recordset($3::jsonb) AS r (user_id text, name citext, role text)
     JOIN workspaces w ON w.organization_id = $1 AND w.name = r.name`,
    [owner?.organizationId, owner?.userId, JSON.stringify(rows)],
  );
}

/** Gives people and places the times of the story, which are no history of their own. */
export async function settlePeople(
  tx: EntityManager,
  plan: SamplePlan,
  { owner, callers }: { owner: Caller; callers: ReadonlyMap<string, Caller> },
): Promise<void> {
  const lastActions = new Map(plan.actions.map(({ actor, at }) => [actor, at]));
  const rows = plan.people.map(({ key, joined = sampleDays + 4, lastActive }, index) => {
    const usual = Math.max(lastActions.get(key) ?? 0, plan.end - (1 + (index % 9)) * dayMs);
    const left = lastActive == null ? usual : plan.end - lastActive * dayMs;
    return {
      user_id: callers.get(key)?.userId,
      joined_at: new Date(plan.end - joined * dayMs),
      last_active_at: lastActive === null ? null : new Date(left),
    };
  });
  const values = [owner.organizationId, JSON.stringify(rows)];
  const people =
    "jsonb_to_recordset($2::jsonb) AS r (user_id text, joined_at timestamptz, last_active_at timestamptz)";
  await tx.query(
    `UPDATE organization_members m SET joined_at = r.joined_at, last_active_at = r.last_active_at
     FROM ${people} WHERE m.organization_id = $1 AND m.user_id = r.user_id`,
    values,
  );
  await tx.query(
    `UPDATE users u SET created_at = r.joined_at, last_login_at = r.last_active_at
     FROM ${people} WHERE u.id = r.user_id AND u.created_at > r.joined_at
       AND $1 = ALL (SELECT m.organization_id FROM organization_members m WHERE m.user_id = u.id)`,
    values,
  );
  await tx.query(
    `UPDATE workspace_members w SET added_at = r.joined_at
     FROM ${people} WHERE w.organization_id = $1 AND w.user_id = r.user_id`,
    values,
  );
  const founded = [owner.organizationId, new Date(plan.start - headStart)];
  for (const table of ["workspaces", "asset_categories"]) {
    const more = table === "workspaces" ? ", updated_at = $2" : "";
    await tx.query(
      `UPDATE ${table} SET created_at = $2${more} WHERE organization_id = $1`,
      founded,
    );
  }
  await tx.query(
    "UPDATE organizations SET created_at = $2, updated_at = $2 WHERE id = $1",
    founded,
  );
  await tx.query(
    `UPDATE activity_log SET created_at = $2
     WHERE organization_id = $1 AND type IN ('member_added', 'workspace_created')`,
    founded,
  );
}
