import { RetryTransaction } from "./retry-transaction.js";
import type { Tx } from "./database.js";

/**
 * For sign-in. If another transaction holds the lock for long, only the sign-in fails, and no
 * requests queue behind it.
 */
export async function waitBriefly<Result>(tx: Tx, lock: () => Promise<Result>): Promise<Result> {
  await tx.query("SET LOCAL lock_timeout = '1s'");
  const result = await lock();
  await tx.query("SET LOCAL lock_timeout TO DEFAULT");
  return result;
}

/**
 * Locks the account until the transaction ends, and with it password, factors and identities.
 * Returns false if the account was erased, or isn't `active` if requested. Lock the membership
 * first if you need both: memberships may be held for long, and sign-in waits for the account.
 */
export async function lockAccount(
  tx: Tx,
  userId: string,
  { active = false } = {},
): Promise<boolean> {
  const isActive = active ? " AND deactivated_at IS NULL" : "";
  const rows: unknown[] = await tx.query(
    `SELECT FROM users WHERE id = $1 AND email IS NOT NULL${isActive} FOR NO KEY UPDATE`,
    [userId],
  );
  return rows.length > 0;
}

/** Locks the organization's rules until the transaction ends. */
export async function lockOrganization(tx: Tx, organizationId: string): Promise<void> {
  await tx.query("SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE", [organizationId]);
}

/**
 * Call before someone becomes an admin. A concurrent new rule for admins then either exists already
 * or applies to the new admin.
 */
export async function lockRulesShared(tx: Tx, organizationId: string): Promise<void> {
  await tx.query("SELECT FROM organizations WHERE id = $1 FOR SHARE", [organizationId]);
}

const memberChanges = "hashtext('member removal'), hashtext($1)";
const responsibility = "hashtext('responsibility'), hashtext($1)";

/**
 * Serializes removals and demotions in an organization. They wait for running changes of several
 * records, and later changes queue behind them. Those changes end after five seconds, so a slightly
 * longer timeout is enough. A longer silence would end the connection.
 */
export async function lockMembersOf(tx: Tx, organizationId: string): Promise<void> {
  await tx.query(
    "SELECT set_config('statement_timeout', '7s', true) WHERE current_setting('statement_timeout') <> '0'",
  );
  await tx.query(`SELECT pg_advisory_xact_lock(${memberChanges})`, [organizationId]);
}

/** By query runner: since when removals wait for its transaction. */
const waitedForSince = new WeakMap<object, number>();

/** For changes that hold many rows for long, which a removal may need. */
export async function lockMembers(tx: Tx, organizationId: string): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock_shared(${memberChanges})`, [organizationId]);
  const { queryRunner: runner } = tx;
  if (runner !== undefined && !waitedForSince.has(runner)) {
    waitedForSince.set(runner, performance.now());
  }
}

/**
 * Returns since when removals may wait for the transaction. They wait for everything that it has
 * waited for since.
 */
export function removalsWaitSince({ queryRunner: runner }: Tx): number {
  return (runner && waitedForSince.get(runner)) ?? performance.now();
}

/**
 * Call before locking memberships to end them. No one becomes an assignee until the transaction
 * ends. Each assignment share-locks the membership's row, and such locks could follow each other
 * without a gap.
 */
export async function lockResponsibility(tx: Tx, organizationId: string): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(${responsibility})`, [organizationId]);
}

/** Call before assigning someone. Doesn't wait while holding locks, but retries the transaction. */
export async function lockAssignmentsShared(tx: Tx, organizationId: string): Promise<void> {
  const [got]: { is_free: boolean }[] = await tx.query(
    `SELECT pg_try_advisory_xact_lock_shared(${responsibility}) AS is_free`,
    [organizationId],
  );
  if (got?.is_free !== true) throw new RetryTransaction("Someone's access is being removed.");
}

/** Locks the organization's file storage quota until the transaction ends. */
export async function lockQuota(tx: Tx, organizationId: string): Promise<void> {
  await tx.query("SELECT pg_advisory_xact_lock(hashtext('files'), hashtext($1))", [organizationId]);
}

/** Locks the creation of the person's sample organization until the transaction ends. */
export async function lockSampleOf(tx: Tx, userId: string): Promise<void> {
  await tx.query("SELECT pg_advisory_xact_lock(hashtext('sample'), hashtext($1))", [userId]);
}
