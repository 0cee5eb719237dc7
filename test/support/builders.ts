import type { Database } from "../../server/src/db/database.js";
import type {
  Caller,
  OrganizationRole,
  WorkspaceRole,
} from "../../server/src/domain/access/caller.js";
import { createId } from "../../server/src/domain/shared/ids.js";
import { createSecret, hashSecret } from "../../server/src/domain/shared/secrets.js";
import { addAccount } from "../../server/src/domain/people/memberships.js";
import { findPersonByEmail, insertAccount } from "../../server/src/domain/accounts/accounts.js";
import { hashPassword } from "../../server/src/domain/accounts/passwords.js";

export interface Member {
  userId: string;
  organizationId: string;
  organization: string;
  workspaceId?: string;
  email: string;
  name: string;
  password: string;
}

export interface MemberOptions {
  organization?: string;
  role?: OrganizationRole;
  workspace?: string;
  workspaceRole?: WorkspaceRole;
  email?: string;
  name?: string;
}

let count = 0;
const password = "correct horse battery";
let passwordHash: Promise<string> | undefined;

/**
 * Creates a person with an account in an organization (a new one unless named), through the domain.
 */
export async function aMember(db: Database, options: MemberOptions = {}): Promise<Member> {
  count += 1;
  const person = {
    email: options.email ?? `person-${count}@example.com`,
    name: options.name ?? `Person ${count}`,
    organization: options.organization ?? `Organization ${count}`,
  };
  const { role, workspace, workspaceRole } = options;
  // Hashing is slow by design, so all people share one password.
  const account = { ...person, passwordHash: await (passwordHash ??= hashPassword(password, "")) };
  const ids = await db.transaction(async (tx) => {
    if ((await findPersonByEmail(tx, person.email)) === undefined) {
      await insertAccount(tx, account, undefined);
    }
    return addAccount(tx, {
      ...person,
      password,
      ...(role !== undefined && { role }),
      ...(workspace !== undefined && { workspace }),
      ...(workspaceRole !== undefined && { workspaceRole }),
    });
  });
  return {
    userId: ids.userId,
    organizationId: ids.organizationId,
    ...(ids.workspaceId !== undefined && { workspaceId: ids.workspaceId }),
    ...person,
    password,
  };
}

/** Columns by name. The database refuses wrong names. */
type Columns = Record<string, string | number | boolean | Buffer | null>;

/** Inserts a task in any state directly. The domain only reaches states step by step. */
export async function aTask(
  db: Database,
  { organizationId, userId }: Member,
  given: Columns = {},
): Promise<{ id: string; task_number: string }> {
  const id = createId("task");
  const numbers = await db.query<{ number: string }>(
    `UPDATE organizations SET next_task_number = next_task_number + 1 WHERE id = $1
     RETURNING next_task_number - 1 AS number`,
    [organizationId],
  );
  const number = numbers[0]?.number ?? "";
  await insert(db, "maintenance_tasks", {
    id,
    organization_id: organizationId,
    task_number: number,
    title: `Task ${number}`,
    type: "preventive",
    created_by: userId,
    completed_at: given["state"] === "completed" ? new Date().toISOString() : null,
    cancelled_at: given["state"] === "cancelled" ? new Date().toISOString() : null,
    ...given,
  });
  await db.query(
    `UPDATE maintenance_tasks t SET workspace_id = a.workspace_id, hidden = a.state = 'deleted'
     FROM assets a WHERE t.id = $1 AND a.id = t.asset_id`,
    [id],
  );
  return { id, task_number: `T-${number}` };
}

/**
 * Returns the address of a person's calendar of everything they see. Replaces an earlier address.
 */
export async function aCalendarAddress(
  db: Database,
  { organizationId, userId }: Member,
): Promise<string> {
  const secret = organizationId.slice("org_".length) + createSecret();
  await db.query("DELETE FROM calendar_feeds WHERE organization_id = $1 AND user_id = $2", [
    organizationId,
    userId,
  ]);
  await insert(db, "calendar_feeds", {
    organization_id: organizationId,
    user_id: userId,
    token_hash: hashSecret(secret),
    covers: "all",
  });
  return `/calendar/${secret}.ics`;
}

/** Creates a repeat rule, monthly by default. */
export async function aPlan(
  db: Database,
  { organizationId, userId }: Member,
  given: Columns = {},
): Promise<string> {
  const id = createId("plan");
  await insert(db, "maintenance_plans", {
    id,
    organization_id: organizationId,
    every: 1,
    unit: "month",
    anchor: "due_date",
    anchor_day: 1,
    created_by: userId,
    ...given,
  });
  return id;
}

async function insert(db: Database, table: string, columns: Columns): Promise<void> {
  const names = Object.keys(columns);
  const places = names.map((_, index) => `$${index + 1}`);
  await db.query(
    `INSERT INTO ${table} (${names.join(", ")}) VALUES (${places.join(", ")})`,
    Object.values(columns),
  );
}

/** Returns the caller of a request from a page. */
export function toCaller(member: Member, organizationRole: OrganizationRole = "owner"): Caller {
  return {
    userId: member.userId,
    userName: member.name,
    userEmail: member.email,
    organizationId: member.organizationId,
    organizationName: member.organization,
    organizationRole,
    timeZone: "UTC",
    currency: "EUR",
    accessEpoch: 0,
    source: "web",
    requestId: `req_${Math.random()}`,
    baseUrl: "http://localhost:3000",
  };
}
