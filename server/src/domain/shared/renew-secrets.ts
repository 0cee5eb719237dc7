import type { Database } from "../../db/database.js";
import type { JsonCipher } from "./encryption.js";

/** A column of encrypted secrets, and the columns of the primary key beside it. */
interface SecretColumn {
  table: string;
  keys: readonly string[];
  secret: string;
}

/** Encrypts with the newest key what an earlier one did, so that the earlier one can be dropped. */
export async function renewSecrets(
  db: Database,
  { table, keys, secret }: SecretColumn,
  cipher: JsonCipher,
): Promise<void> {
  const rows = await db.query<Record<string, unknown>>(
    `SELECT ${keys.join(", ")}, ${secret} FROM ${table}`,
  );
  const ofRow = keys.map((key, index) => `${key} = $${index + 3}`).join(" AND ");
  for (const row of rows) {
    const encrypted = row[secret] as Buffer;
    const renewed = cipher.renew(encrypted);
    if (renewed === undefined) continue;
    // Whoever has set another one meanwhile has used the newest key.
    await db.query(`UPDATE ${table} SET ${secret} = $1 WHERE ${secret} = $2 AND ${ofRow}`, [
      ...[renewed, encrypted, ...keys.map((key) => row[key])],
    ]);
  }
}
