import { IsNull, type EntityManager } from "typeorm";
import { PasswordReset } from "../../db/entities/password-reset.js";

/** Ends the links for a new password that an account has; it has one at most that works. */
export async function endResetLinks(tx: EntityManager, userId: string): Promise<void> {
  await tx
    .getRepository(PasswordReset)
    .update({ user_id: userId, ended_at: IsNull() }, { ended_at: () => "fettle_now()" });
}
