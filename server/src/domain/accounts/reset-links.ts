import { IsNull, type Tx } from "../../db/database.js";
import { PasswordReset } from "../../db/entities/accounts.js";

/** Ends the links for a new password that an account has; it has one at most that works. */
export async function endResetLinks(tx: Tx, userId: string): Promise<void> {
  await tx.update(
    PasswordReset,
    { user_id: userId, ended_at: IsNull() },
    { ended_at: () => "fettle_now()" },
  );
}
