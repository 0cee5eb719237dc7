import type { EntityManager } from "typeorm";

/** Ends the links for a new password that an account has; it has one at most that works. */
export async function endResetLinks(tx: EntityManager, userId: string): Promise<void> {
  await tx.query(
    "UPDATE password_resets SET ended_at = fettle_now() WHERE user_id = $1 AND ended_at IS NULL",
    [userId],
  );
}
