import type { DataSource } from "typeorm";
import type { JsonCipher } from "../values/encryption.js";

/** A column of encrypted secrets, and the primary key beside it. */
interface SecretColumn {
  table: string;
  key: string;
  secret: string;
}

/** Encrypts with the newest key what an earlier one did, so that the earlier one can be dropped. */
export async function renewSecrets(
  db: DataSource,
  { table, key, secret }: SecretColumn,
  cipher: JsonCipher,
): Promise<void> {
  const rows: { id: string; encrypted: Buffer }[] = await db.query(
    `SELECT ${key} AS id, ${secret} AS encrypted FROM ${table}`,
  );
  for (const { id, encrypted } of rows) {
    const renewed = cipher.renew(encrypted);
    if (renewed === undefined) continue;
    // Whoever has set another one meanwhile has used the newest key.
    await db.query(`UPDATE ${table} SET ${secret} = $3 WHERE ${key} = $1 AND ${secret} = $2`, [
      ...[id, encrypted, renewed],
    ]);
  }
}
