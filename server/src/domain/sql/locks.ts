import type { EntityManager } from "typeorm";

/** Until the transaction ends nobody else changes what hangs on the account: password, factors, identities. */
export async function lockAccount(tx: EntityManager, userId: string): Promise<void> {
  await tx.query("SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE", [userId]);
}

/** The same for the rules of an organization. */
export async function lockOrganization(tx: EntityManager, organizationId: string): Promise<void> {
  await tx.query("SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE", [organizationId]);
}
