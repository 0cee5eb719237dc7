import { QueryFailedError } from "typeorm";
import { AppError } from "../errors.js";
import { statementTimeouts } from "../metrics.js";
import { RetryTransaction } from "./retry-transaction.js";
import { isConnectionLost } from "./connection-errors.js";

/** Rules that the database's constraints and unique indexes enforce for concurrent changes. */
export const rules = {
  "the number of an asset is free": [
    "assets_organization_id_inventory_number_key",
    "retired_inventory_numbers_pkey",
  ],
  "the name of a workspace is free": ["workspaces_organization_id_name_key"],
  "the workspace of an invitation is there": ["invites_workspace_id_fkey"],
  "an address has one open invitation": ["invites_open_idx"],
  "the name of a procedure is free": ["procedures_name_idx"],
  "a domain belongs to one organization": ["unique_names_pkey"],
  "an email belongs to one account": ["users_email_key"],
  "a passkey belongs to one account": ["passkeys_credential_id_key"],
} as const satisfies Record<string, readonly string[]>;

export function violates(error: unknown, rule: keyof typeof rules): boolean {
  const constraint = causeOf(error, "constraint");
  return rules[rule].some((name) => name === constraint);
}

/**
 * The statement was ended because of another transaction. The change can be retried from its
 * beginning.
 */
export function isDeadlock(error: unknown): boolean {
  return ["40P01", "40001"].includes(String(causeOf(error, "code")));
}

/** A referenced record was deleted meanwhile, or a new row refers to a deleted record. */
export function isForeignKeyViolation(error: unknown): boolean {
  return causeOf(error, "code") === "23503";
}

/** An earlier statement of the transaction failed, and the transaction with it. */
export function isTransactionAborted(error: unknown): boolean {
  return causeOf(error, "code") === "25P02";
}

/** Stopped by `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return causeOf(error, "code") === "55P03";
}

/** Stopped by `statement_timeout`. */
export function isTimeout(error: unknown): boolean {
  return causeOf(error, "code") === "57014";
}

/** Returns true if the error isn't about the change, so a retry may succeed. */
export function isTransient(error: unknown): boolean {
  if (error instanceof RetryTransaction || isConnectionLost(error)) return true;
  if (error instanceof AppError) return error.code === "unavailable";
  // Conflicts between transactions, missing resources, locks, interventions by an administrator,
  // and system errors.
  return /^(?:40|53|55|57|58)/.test(String(causeOf(error, "code")));
}

/** Node.js may know newer time zones than the database. */
export function isUnknownTimeZone(error: unknown): boolean {
  return causeOf(error, "code") === "22023" && String(error).includes("time zone");
}

/** Also counts each timeout in the metric. */
function isTooSlow(error: unknown): boolean {
  if (!isTimeout(error)) return false;
  statementTimeouts.inc();
  return true;
}

/** The disk is full for the database or for uploaded files. */
export function isStorageFull(error: unknown): boolean {
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : error;
  if (!(cause instanceof Error) || !("code" in cause)) return false;
  return cause.code === "53100" || cause.code === "ENOSPC";
}

/**
 * Returns the caller's error for a refusal, a statement that waited or took too long, an
 * unreachable database, or a full disk.
 */
export function toRefusal(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  if (isLockTimeout(error)) return new AppError("unavailable", "busy", {}, { cause: error });
  if (isTooSlow(error)) return new AppError("unavailable", "too_slow", {}, { cause: error });
  if (isStorageFull(error))
    return new AppError("unavailable", "storage_full", {}, { cause: error });
  if (!isConnectionLost(error)) return undefined;
  const wait = { retry_after_seconds: 30 };
  return new AppError("unavailable", "database_away", wait, { cause: error });
}

/** Returns undefined if `statement_timeout` stopped the read. For optional parts of a response. */
export async function unlessTooSlow<Result>(read: Promise<Result>): Promise<Result | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isTooSlow(error)) return undefined;
    throw error;
  }
}

function causeOf(error: unknown, property: "constraint" | "code"): unknown {
  if (!(error instanceof QueryFailedError)) return undefined;
  const cause: unknown = error.driverError;
  if (!(cause instanceof Error)) return undefined;
  return (cause as Error & { constraint?: unknown; code?: unknown })[property];
}
