import type { Tx } from "../../db/database.js";
import { AppError } from "../../errors.js";
import { hashSecret } from "../shared/secrets.js";

/** Throws unless the session still exists. Locks it until the transaction ends. */
export async function lockSession(tx: Tx, sessionId: string): Promise<void> {
  const rows = await tx.query("SELECT FROM sessions WHERE id_hash = $1 FOR KEY SHARE", [
    hashSecret(sessionId),
  ]);
  if (rows.length === 0) throw new AppError("forbidden", "access_changed");
}
