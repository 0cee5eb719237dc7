import { createHash } from "node:crypto";
import type { DataSource, EntityManager } from "typeorm";
import { AppError } from "../../errors.js";
import { canonicalJson } from "../values/canonical-json.js";
import type { Caller } from "../access/caller.js";

export interface IntendedCreation {
  tool: string;
  /** Chosen by the caller, unique for this creation; without it every call creates. */
  requestKey: string | undefined;
  /** What decides the result; a repetition must have the same. */
  arguments: unknown;
}

/**
 * Creates once for each key of a person and app within 24 hours; a repetition gets the first
 * result, marked as such. Simultaneous calls wait for each other at the unique key.
 */
export async function createOnce<Result extends object>(
  tx: EntityManager,
  caller: Caller,
  intended: IntendedCreation,
  create: () => Promise<Result>,
): Promise<Result & { deduplicated?: true }> {
  if (intended.requestKey === undefined) return create();
  const hash = createHash("sha256").update(canonicalJson(intended.arguments)).digest();
  const key = [
    caller.organizationId,
    caller.userId,
    caller.client?.id ?? "",
    intended.tool,
    intended.requestKey,
  ];
  const claimed: unknown[] = await tx.query(
    `INSERT INTO idempotency_records AS r
       (organization_id, user_id, client_id, tool, request_key, arguments_hash, result)
     VALUES ($1, $2, $3, $4, $5, $6, '{}')
     ON CONFLICT ON CONSTRAINT idempotency_records_pkey
       DO UPDATE SET arguments_hash = excluded.arguments_hash, created_at = excluded.created_at
       WHERE r.created_at < fettle_now() - interval '24 hours'
     RETURNING request_key`,
    [...key, hash],
  );
  if (claimed.length === 0) return repeat<Result>(tx, key, hash);
  const result = await create();
  await tx.query(
    `UPDATE idempotency_records SET result = $6 WHERE organization_id = $1 AND user_id = $2
       AND client_id = $3 AND tool = $4 AND request_key = $5`,
    [...key, JSON.stringify(result)],
  );
  return result;
}

async function repeat<Result extends object>(
  tx: EntityManager,
  key: string[],
  hash: Buffer,
): Promise<Result & { deduplicated: true }> {
  const rows: { arguments_hash: Buffer; result: Result }[] = await tx.query(
    `SELECT arguments_hash, result FROM idempotency_records WHERE organization_id = $1
       AND user_id = $2 AND client_id = $3 AND tool = $4 AND request_key = $5`,
    key,
  );
  const first = rows[0];
  if (first === undefined || !hash.equals(first.arguments_hash)) {
    throw new AppError(
      "conflict",
      "Conflict: request_key was already used with other arguments. Use a new key for another creation, or repeat the first call unchanged.",
      { field: "request_key" },
    );
  }
  return { ...first.result, deduplicated: true };
}

/** Keys are remembered for 24 hours. */
export async function cleanUpIdempotencyRecords(db: DataSource): Promise<void> {
  await db.query(
    "DELETE FROM idempotency_records WHERE created_at < fettle_now() - interval '24 hours'",
  );
}
