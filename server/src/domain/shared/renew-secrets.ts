import type { Database } from "../../db/database.js";
import type { JsonCipher } from "./encryption.js";

interface SecretColumn {
  table: string;
  keys: readonly string[];
  secret: string;
}

/** Re-encrypts secrets with the newest key. Earlier keys can then be removed. */
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
    // A secret that was changed meanwhile already uses the newest key.
    await db.query(`UPDATE ${table} SET ${secret} = $1 WHERE ${secret} = $2 AND ${ofRow}`, [
      ...[renewed, encrypted, ...keys.map((key) => row[key])],
    ]);
  }
}
