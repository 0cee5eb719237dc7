import { QueryFailedError } from "typeorm";
import { AppError } from "../errors.js";
import { statementTimeouts } from "../metrics.js";
import { BeginAgain } from "./begin-again.js";
import { isConnectionLost } from "./connection-errors.js";

/** What the constraints and unique indexes of the database decide when two want the same. */
export const rules = {
  "the number of an asset is free": [
    "assets_organization_id_inventory_number_key",
    "retired_inventory_numbers_pkey",
  ],
  "the name of a workspace is free": ["workspaces_organization_id_name_key"],
  "the workspace of an invitation is there": ["invites_workspace_id_fkey"],
  "an address has one open invitation": ["invites_open_idx"],
  "a domain belongs to one organization": ["unique_names_pkey"],
  "a passkey belongs to one account": ["passkeys_credential_id_key"],
} as const satisfies Record<string, readonly string[]>;

export function violates(error: unknown, rule: keyof typeof rules): boolean {
  const constraint = causeOf(error, "constraint");
  return rules[rule].some((name) => name === constraint);
}

/** Ended because of another transaction; the change may be made again from its beginning. */
export function isDeadlock(error: unknown): boolean {
  return ["40P01", "40001"].includes(String(causeOf(error, "code")));
}

/** A record that a row refers to was deleted meanwhile, or a row came that refers to a deleted one. */
export function isForeignKeyViolation(error: unknown): boolean {
  return causeOf(error, "code") === "23503";
}

/** A statement before this one failed, and the transaction with it. */
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

/** Whether an error says nothing about the change itself, which may succeed when it is tried again. */
export function isTransient(error: unknown): boolean {
  if (error instanceof BeginAgain || isConnectionLost(error)) return true;
  if (error instanceof AppError) return error.code === "unavailable";
  // Conflicts between transactions, missing resources, locks, what an administrator ended, and the system.
  return /^(?:40|53|55|57|58)/.test(String(causeOf(error, "code")));
}

/** Node.js may know zones that are newer than the database's. */
export function isUnknownTimeZone(error: unknown): boolean {
  return causeOf(error, "code") === "22023" && String(error).includes("time zone");
}

/** Counted where somebody finds that out. */
function isTooSlow(error: unknown): boolean {
  if (!isTimeout(error)) return false;
  statementTimeouts.inc();
  return true;
}

/** No space is left for the database, or for files on the way to it. */
export function isStorageFull(error: unknown): boolean {
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : error;
  if (!(cause instanceof Error) || !("code" in cause)) return false;
  return cause.code === "53100" || cause.code === "ENOSPC";
}

/**
 * What the caller is told: a refusal itself, a statement that waited or took too long, one that nobody answered, or a
 * full disk.
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

/** Undefined where the read was stopped by `statement_timeout`, for what an answer can do without. */
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
