import type { Caller } from "../../domain/access/caller.js";
import { AppError, isRefusal, type ErrorCode } from "../../errors.js";
import type { FormError } from "../layout/error-summary.js";
import { describeRefusalForPeople } from "../text/refusals-for-people.js";

/** Refusals that the person can correct in the form. */
const correctable = new Set<ErrorCode>([
  "validation_failed",
  "duplicate",
  "conflict",
  "already_member",
  "pending_invite",
  "invalid_transition",
  "not_empty",
  "confirmation_mismatch",
  "last_owner",
  "self_removal",
  "rate_limited",
]);

/** The form's messages for a refusal. Rethrows every other error. */
export function toFormErrors(error: unknown): FormError[] {
  if (!(error instanceof AppError)) throw error;
  const { code, field } = error;
  if (field === undefined && !correctable.has(code)) throw error;
  const isOfForm = field !== "expected_version" && field !== "request_key";
  return [{ ...(isOfForm && { field }), message: describeRefusalForPeople(error) }];
}

/** The new base version for a form that was based on an older one. */
export function newVersionOf(error: unknown): number | undefined {
  const isStale = isRefusal(error, "changed_since") || isRefusal(error, "version_ahead");
  return isStale ? error.params.version : undefined;
}

/** True if the person made the change in between: the form was sent twice. */
export function isOwnChange(error: unknown, { userName }: Pick<Caller, "userName">): boolean {
  return isRefusal(error, "changed_since") && error.params.changed?.by === userName;
}
