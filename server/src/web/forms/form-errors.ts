import type { Caller } from "../../domain/access/caller.js";
import { AppError, isRefusal, type ErrorCode } from "../../errors.js";
import type { FormError } from "../layout/error-summary.js";
import { describeRefusalForPeople } from "../text/refusals-for-people.js";

/** Refusals that a person can do something about on the form itself. */
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

/** What a refusal says on the page of the form; every other error is thrown on. */
export function toFormErrors(error: unknown): FormError[] {
  if (!(error instanceof AppError)) throw error;
  const { code, field } = error;
  if (field === undefined && !correctable.has(code)) throw error;
  const isOfForm = field !== "expected_version" && field !== "request_key";
  return [{ ...(isOfForm && { field }), message: describeRefusalForPeople(error) }];
}

/** For a form that was made on an older version: the one to send it with next time. */
export function newVersionOf(error: unknown): number | undefined {
  const isStale = isRefusal(error, "changed_since") || isRefusal(error, "version_ahead");
  return isStale ? error.params.version : undefined;
}

/** Whether what came in between was the person's own: the same form, sent a second time. */
export function isOwnChange(error: unknown, { userName }: Pick<Caller, "userName">): boolean {
  return isRefusal(error, "changed_since") && error.params.changed?.by === userName;
}
