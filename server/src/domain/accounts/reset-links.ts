import { IsNull, type Tx } from "../../db/database.js";
import { PasswordReset } from "../../db/entities/accounts.js";

/** Ends an account's password reset links. At most one of them is usable. */
export async function endResetLinks(tx: Tx, userId: string): Promise<void> {
  await tx.update(
    PasswordReset,
    { user_id: userId, ended_at: IsNull() },
    { ended_at: () => "app_now()" },
  );
}
