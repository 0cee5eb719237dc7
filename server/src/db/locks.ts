import { BeginAgain } from "./begin-again.js";
import type { Tx } from "./database.js";

/** For who signs in: who holds for long what that needs makes them wait, and not everybody behind them. */
export async function waitBriefly<Result>(tx: Tx, lock: () => Promise<Result>): Promise<Result> {
  await tx.query("SET LOCAL lock_timeout = '1s'");
  const result = await lock();
  await tx.query("SET LOCAL lock_timeout TO DEFAULT");
  return result;
}

/**
 * Until the transaction ends nobody else changes what hangs on the account: password, factors,
 * identities. False when it was erased, or is not `active` as asked. It is taken after the membership by who needs both: a
 * membership may be held for long, and signing in waits for the account.
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

/** The same for the rules of an organization. */
export async function lockOrganization(tx: Tx, organizationId: string): Promise<void> {
  await tx.query("SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE", [organizationId]);
}

/** Before somebody becomes an admin: a rule for admins comes first, and is there then, or finds them. */
export async function shareRules(tx: Tx, organizationId: string): Promise<void> {
  await tx.query("SELECT FROM organizations WHERE id = $1 FOR SHARE", [organizationId]);
}

const memberChanges = "hashtext('member removal'), hashtext($1)";
const responsibility = "hashtext('responsibility'), hashtext($1)";

/**
 * Removals and demotions in an organization happen one after the other, and wait for changes of several
 * records under way; those that come later wait behind them. As those end after five seconds, waiting a
 * little longer is enough; more silence would end the connection.
 */
export async function lockMembersOf(tx: Tx, organizationId: string): Promise<void> {
  await tx.query(
    "SELECT set_config('statement_timeout', '7s', true) WHERE current_setting('statement_timeout') <> '0'",
  );
  await tx.query(`SELECT pg_advisory_xact_lock(${memberChanges})`, [organizationId]);
}

/** Since when removals wait for transactions, by what these send their statements with. */
const waitedForSince = new WeakMap<object, number>();

/** For changes that hold many rows for long, some of which a removal may need. */
export async function waitForMemberChanges(tx: Tx, organizationId: string): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock_shared(${memberChanges})`, [organizationId]);
  const { queryRunner: runner } = tx;
  if (runner !== undefined && !waitedForSince.has(runner)) {
    waitedForSince.set(runner, performance.now());
  }
}

/** Since when removals wait for the transaction; whatever it has waited for since, they have as well. */
export function removalsWaitSince({ queryRunner: runner }: Tx): number {
  return (runner && waitedForSince.get(runner)) ?? performance.now();
}

/**
 * Before memberships are locked to be ended: nobody is made responsible until the transaction ends. Who
 * is keeps a share of the membership's row, and such shares could follow each other without a gap.
 */
export async function lockResponsibility(tx: Tx, organizationId: string): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(${responsibility})`, [organizationId]);
}

/** Before somebody is made responsible; it does not wait with what it holds, but begins again. */
export async function shareResponsibility(tx: Tx, organizationId: string): Promise<void> {
  const [got]: { is_free: boolean }[] = await tx.query(
    `SELECT pg_try_advisory_xact_lock_shared(${responsibility}) AS is_free`,
    [organizationId],
  );
  if (got?.is_free !== true) throw new BeginAgain("Somebody's access is being taken away.");
}

/** Until the transaction ends nobody else takes what is left of the room for files. */
export async function lockRoom(tx: Tx, organizationId: string): Promise<void> {
  await tx.query("SELECT pg_advisory_xact_lock(hashtext('files'), hashtext($1))", [organizationId]);
}

/** Until the transaction ends nobody else begins a sample organization of the person. */
export async function lockSampleOf(tx: Tx, userId: string): Promise<void> {
  await tx.query("SELECT pg_advisory_xact_lock(hashtext('sample'), hashtext($1))", [userId]);
}
