import type { EntityManager } from "typeorm";

/**
 * Until the transaction ends nobody else changes what hangs on the account: password, factors,
 * identities. False when it was erased.
 */
export async function lockAccount(tx: EntityManager, userId: string): Promise<boolean> {
  const rows: unknown[] = await tx.query(
    "SELECT FROM users WHERE id = $1 AND email IS NOT NULL FOR NO KEY UPDATE",
    [userId],
  );
  return rows.length > 0;
}

/** The same for the rules of an organization. */
export async function lockOrganization(tx: EntityManager, organizationId: string): Promise<void> {
  await tx.query("SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE", [organizationId]);
}
