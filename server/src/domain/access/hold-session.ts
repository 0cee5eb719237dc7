import type { Tx } from "../../db/database.js";
import { AppError } from "../../errors.js";
import { hashSecret } from "../shared/secrets.js";

/** Refuses unless the session is there still; who ends it waits for the transaction. */
export async function holdSession(tx: Tx, sessionId: string): Promise<void> {
  const rows = await tx.query("SELECT FROM sessions WHERE id_hash = $1 FOR KEY SHARE", [
    hashSecret(sessionId),
  ]);
  if (rows.length === 0) throw new AppError("forbidden", "access_changed");
}
