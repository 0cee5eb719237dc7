import type { Database, Tx } from "../../db/database.js";
import { IdempotencyRecord } from "../../db/entities/history.js";
import { AppError } from "../../errors.js";
import { deleteInBatches } from "./batches.js";
import { hashJson } from "../shared/canonical-json.js";
import type { Caller } from "../access/caller.js";

export interface IntendedCreation {
  tool: string;
  /** Chosen by the caller, unique for this creation. Without it, every call creates. */
  requestKey: string | undefined;
  /** The arguments that decide the result. A retry must send equal ones. */
  arguments: unknown;
}

/** Tools keep keys for 24 hours. Forms can wait longer on a phone without a network. */
const isExpiredSql = (row: string) => `${row}.created_at < app_now() - interval '24 hours'
  AND (${row}.tool NOT LIKE 'web:%' OR ${row}.created_at < app_now() - interval '30 days')`;

/**
 * Creates once per idempotency key, person and app while the key is kept. A retry gets the first result,
 * marked as a repetition. Concurrent calls wait for each other at the unique key.
 */
export async function createOnce<Result extends object>(
  tx: Tx,
  caller: Caller,
  intended: IntendedCreation,
  create: () => Promise<Result>,
): Promise<Result & { deduplicated?: true }> {
  if (intended.requestKey === undefined) return create();
  const hash = hashJson(intended.arguments);
  const key = {
    organization_id: caller.organizationId,
    user_id: caller.userId,
    client_id: caller.client?.id ?? "",
    tool: intended.tool,
    request_key: intended.requestKey,
  };
  const claimed = await tx.query(
    `INSERT INTO idempotency_records AS r
       (organization_id, user_id, client_id, tool, request_key, arguments_hash, result)
     VALUES ($1, $2, $3, $4, $5, $6, '{}')
     ON CONFLICT ON CONSTRAINT idempotency_records_pkey
       DO UPDATE SET arguments_hash = excluded.arguments_hash, created_at = excluded.created_at
       WHERE ${isExpiredSql("r")}
     RETURNING request_key`,
    [...Object.values(key), hash],
  );
  if (claimed.length === 0) return repeat<Result>(tx, key, hash);
  const result = await create();
  await tx.update(IdempotencyRecord, key, { result });
  return result;
}

async function repeat<Result extends object>(
  tx: Tx,
  key: Omit<IdempotencyRecord, "arguments_hash" | "result" | "created_at">,
  hash: Buffer,
): Promise<Result & { deduplicated: true }> {
  const first = await tx.findOne(IdempotencyRecord, { where: key });
  if (first === undefined || !hash.equals(first.arguments_hash)) {
    throw new AppError("conflict", "request_key_reused", { field: "request_key" });
  }
  return { ...(first.result as Result), deduplicated: true };
}

/** Deletes idempotency keys after 24 hours, and those of forms after 30 days. */
export async function cleanUpIdempotencyRecords(db: Database): Promise<void> {
  await deleteInBatches(db, "idempotency_records", isExpiredSql("idempotency_records"));
}
