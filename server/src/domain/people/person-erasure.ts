import { noTimeLimit, IsNull, type Tx } from "../../db/database.js";
import { OrganizationMember } from "../../db/entities/people.js";
import { User } from "../../db/entities/accounts.js";
import { AppError } from "../../errors.js";
import type { AccountPerson } from "../accounts/accounts.js";
import { operatorName, recordActivity } from "../audit/record-activity.js";
import { leaveOrganization } from "./leave-organization.js";
import type { HoldingCount } from "./reassignment.js";
import { RetryTransaction } from "../../db/retry-transaction.js";
import { lockAccount } from "../../db/locks.js";
import { formerMember } from "../shared/former-member.js";
import { renameInHistory } from "./history-names.js";
import { eraseFromLog, type ErasedEntries } from "./log-erasure.js";
import { eraseValues } from "./stored-values.js";

interface ErasedAccount {
  user_id: string;
  /** Organizations that the person just left. */
  left: string[];
  unassigned: HoldingCount;
  history_events: number;
}

/** Without account fields if the address had no account. */
export interface ErasedPerson extends Partial<ErasedAccount> {
  /**
   * Number of deleted invitations, emails, pending sign-ups and scanned codes, and of anonymized
   * reports.
   */
  removed: number;
  activity_entries: number;
}

/**
 * Erases a person's name and address in all organizations, even if the address was only invited.
 * The id stays where other rows refer to it, under a shared placeholder name. Returns undefined if
 * nothing was found.
 */
export async function erasePerson(
  tx: Tx,
  email: string,
  person: AccountPerson | undefined,
): Promise<ErasedPerson | undefined> {
  await tx.query(noTimeLimit);
  const account = person && (await eraseAccount(tx, person));
  const emails = [email.toLowerCase(), ...(await findFormerEmails(tx, person))];
  let removed = 0;
  for (const one of emails) removed += await deleteByAddress(tx, one);
  // The deletion waits for a sign-up or invitation in use, which may have created an account.
  if (await tx.exists(User, { email })) throw new RetryTransaction("There is an account now.");
  const log = await eraseFromLog(tx, person?.id ?? null, emails);
  const activity_entries = log.reduce((sum, { entries }) => sum + entries, 0);
  if (account === undefined && removed + activity_entries === 0) return undefined;
  await tell(tx, account, log);
  return { ...account, removed, activity_entries };
}

/** Returns earlier emails of the account, in lower case, without those of other accounts now. */
async function findFormerEmails(tx: Tx, person: AccountPerson | undefined): Promise<string[]> {
  if (person === undefined) return [];
  const rows = await tx.query<{ email: string }>(
    `SELECT DISTINCT lower(l.details ->> 'former_email') AS email FROM activity_log l
     WHERE l.user_id = $1 AND l.type = 'email_changed' AND jsonb_exists(l.details, 'former_email')
       AND NOT EXISTS (SELECT FROM users u WHERE u.email = (l.details ->> 'former_email')::citext)`,
    [person.id],
  );
  return rows.map(({ email }) => email);
}

/** Each chain that lost values records their number, so no value can disappear without an entry. */
async function tell(
  tx: Tx,
  account: ErasedAccount | undefined,
  log: readonly ErasedEntries[],
): Promise<void> {
  const values = new Map(log.map((chain) => [chain.organization_id, chain.values]));
  for (const organizationId of new Set([null, ...(account?.left ?? []), ...values.keys()])) {
    await recordActivity(tx, {
      ...(organizationId !== null && { organizationId }),
      actorName: operatorName,
      type: "person_erased",
      details: {
        values: values.get(organizationId) ?? 0,
        ...(account !== undefined && { user_id: account.user_id }),
      },
    });
  }
}

async function eraseAccount(tx: Tx, person: AccountPerson): Promise<ErasedAccount> {
  const { id: user_id } = person;
  const memberships = await tx.query<Membership>(
    `SELECT m.organization_id, o.name AS organization, m.removed_at IS NULL AS is_member
     FROM organization_members m JOIN organizations o ON o.id = m.organization_id
     WHERE m.user_id = $1 ORDER BY m.organization_id`,
    [user_id],
  );
  const account = { user_id, left: [] as string[], unassigned: { assets: 0, tasks: 0 } };
  for (const membership of memberships.filter(({ is_member }) => is_member)) {
    const { assets, tasks } = await leave(tx, person, membership);
    account.left.push(membership.organization_id);
    account.unassigned.assets += assets;
    account.unassigned.tasks += tasks;
  }
  await lockAccount(tx, user_id);
  await beginAgainWhereJoined(tx, user_id);
  let history_events = 0;
  for (const { organization_id } of memberships) {
    history_events += await renameInHistory(tx, organization_id, person);
  }
  await deleteWhatHangsOn(tx, user_id);
  await tx.query(
    `UPDATE users SET email = NULL, name = $2, job_title = NULL, locale = DEFAULT, time_zone = NULL,
       email_verified_at = NULL, last_login_at = NULL, deactivated_at = coalesce(deactivated_at, app_now()) WHERE id = $1`,
    [user_id, formerMember],
  );
  return { ...account, history_events };
}

/**
 * From here on, no one can join. Joining locks the account last, then finds its session or the
 * account gone.
 */
async function beginAgainWhereJoined(tx: Tx, user_id: string): Promise<void> {
  const isMember = { user_id, removed_at: IsNull() };
  if (await tx.exists(OrganizationMember, isMember))
    throw new RetryTransaction("They have joined.");
}

interface Membership {
  organization_id: string;
  organization: string;
  is_member: boolean;
}

async function leave(
  tx: Tx,
  person: AccountPerson,
  { organization_id: organizationId, organization }: Membership,
): Promise<HoldingCount> {
  const holder = { id: person.id, name: formerMember };
  const unassigned = await leaveOrganization(
    tx,
    { organizationId, userName: operatorName },
    holder,
  );
  if (unassigned !== undefined) return unassigned;
  throw new AppError("last_owner", "erases_last_owner", { name: person.name, organization });
}

/**
 * Deletes rows and clears references that the database would cascade from the account or its
 * memberships.
 */
async function deleteWhatHangsOn(tx: Tx, userId: string): Promise<void> {
  const keys = tx.tables.flatMap(({ foreignKeys }) => foreignKeys);
  for (const { entityMetadata, referencedEntityMetadata, columnNames, onDelete } of keys) {
    const [table, of] = [entityMetadata.tableName, referencedEntityMetadata.tableName];
    const column = columnNames.at(-1) ?? "";
    if (onDelete === "CASCADE" && (of === "users" || of === "organization_members")) {
      await tx.query(`DELETE FROM ${table} WHERE ${column} = $1`, [userId]);
    } else if (onDelete === "SET NULL" && of === "users") {
      await tx.query(`UPDATE ${table} SET ${column} = NULL WHERE ${column} = $1`, [userId]);
    }
  }
  await tx.query("DELETE FROM idempotency_records WHERE user_id = $1", [userId]);
  await tx.query("DELETE FROM invites WHERE accepted_by = $1", [userId]);
  // The person's messages to people they invited.
  await tx.query("UPDATE invites SET message = NULL WHERE invited_by = $1", [userId]);
}

async function deleteByAddress(tx: Tx, email: string): Promise<number> {
  let removed = 0;
  for (const condition of [
    "invites WHERE email",
    "mail_outbox WHERE recipient",
    "sign_ups WHERE email",
    "email_changes WHERE new_email",
  ]) {
    const count = await tx.run(`DELETE FROM ${condition} = $1::citext`, [email]);
    removed += count;
  }
  const reports = await tx.run(
    "UPDATE problem_reports SET name = NULL, email = NULL WHERE email = $1::citext",
    [email],
  );
  const links = await tx.run("UPDATE task_links SET email = NULL WHERE email = $1::citext", [
    email,
  ]);
  // Scanned codes may be from badges and cards.
  const scans = await tx.run(
    "DELETE FROM round_findings WHERE strpos(lower(code), lower($1)) > 0",
    [email],
  );
  const rows = await deleteFromImports(tx, email);
  await eraseValues(tx, [email], null);
  return removed + reports + links + scans + rows;
}

/** Deletes imported rows with the address, and whole imports that were not applied. */
async function deleteFromImports(tx: Tx, email: string): Promise<number> {
  const mentions = "strpos(lower(r.name || r.details::text), lower($1)) > 0";
  await tx.query(
    `DELETE FROM change_sets s WHERE s.state IN ('reading', 'planned') AND EXISTS (
       SELECT FROM change_set_rows r WHERE r.organization_id = s.organization_id
         AND r.change_set_id = s.id AND ${mentions})`,
    [email],
  );
  return tx.run(`DELETE FROM change_set_rows r WHERE ${mentions}`, [email]);
}
