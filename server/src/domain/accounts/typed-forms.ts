import type { Database } from "../../db/database.js";
import { deleteInBatches } from "../history/batches.js";
import { commit } from "../history/transactions.js";
import { ageOf } from "../shared/age.js";
import type { JsonCipher } from "../shared/encryption.js";
import { sessionLifeMs } from "./sessions.js";

export interface TypedForm {
  address: string;
  organizationId: string | undefined;
  body: unknown;
}

interface Stamp {
  userId: string;
  madeAt: number;
}

const lifeMinutes = 60;

/** Measured as JSON. Sessions store forms too, and forms with files can be far longer. */
const maxBytes = 65_536;

export function isTooLong(body: unknown): boolean {
  return Buffer.byteLength(JSON.stringify(body)) > maxBytes;
}

/** Identifies the person a form was made for, also after the session has ended. */
export function makePersonStamp(cipher: JsonCipher, userId: string): string {
  const stamp: Stamp = { userId, madeAt: Date.now() };
  return cipher.encrypt(stamp).toString("base64url");
}

export function readPersonStamp(cipher: JsonCipher, text: string): string | undefined {
  if (!/^[\w-]{40,500}$/.test(text)) return undefined;
  const stamp = cipher.decrypt(Buffer.from(text, "base64url")) as Partial<Stamp> | undefined;
  if (stamp?.userId === undefined || ageOf(stamp.madeAt ?? 0) > sessionLifeMs) return undefined;
  return stamp.userId;
}

/** Stores the form in place of an earlier one. */
export async function keepTypedForm(
  db: Database,
  cipher: JsonCipher,
  userId: string,
  form: TypedForm,
): Promise<void> {
  await commit({ db, caller: null }, (tx) =>
    tx.query(
      `INSERT INTO typed_forms (user_id, content_encrypted)
       SELECT id, $2 FROM users WHERE id = $1 AND deactivated_at IS NULL
       ON CONFLICT (user_id) DO UPDATE
         SET content_encrypted = excluded.content_encrypted, created_at = excluded.created_at`,
      [userId, cipher.encrypt(form)],
    ),
  );
}

export async function takeTypedForm(
  db: Database,
  cipher: JsonCipher,
  userId: string,
): Promise<TypedForm | undefined> {
  return commit({ db, caller: null }, async (tx) => {
    const row = await tx.maybe<{ content_encrypted: Uint8Array; is_live: boolean }>(
      `WITH taken AS (DELETE FROM typed_forms WHERE user_id = $1 RETURNING *)
       SELECT content_encrypted,
         created_at > app_now() - interval '${lifeMinutes} minutes' AS is_live
       FROM taken`,
      [userId],
    );
    if (row?.is_live !== true) return undefined;
    return cipher.decrypt(Buffer.from(row.content_encrypted)) as TypedForm | undefined;
  });
}

export async function cleanUpTypedForms(db: Database): Promise<void> {
  const isOver = `created_at < app_now() - interval '${lifeMinutes} minutes'`;
  await deleteInBatches(db, "typed_forms", isOver);
}
