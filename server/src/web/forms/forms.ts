import type { Caller } from "../../domain/access/caller.js";
import { createToken } from "../../domain/values/ids.js";
import { AppError, isRefusal, type ErrorCode } from "../../errors.js";
import type { FormError } from "../layout/parts.js";
import { describeRefusal } from "../text/refusals.js";

/** The named fields of a posted form as texts; one that is missing or came twice is empty. */
export function readFields<Name extends string>(
  body: unknown,
  names: readonly Name[],
): Record<Name, string> {
  const given = new Map(Object.entries(typeof body === "object" && body !== null ? body : {}));
  const pairs = names.map((name): [Name, string] => {
    const value: unknown = given.get(name);
    return [name, typeof value === "string" ? value : ""];
  });
  return Object.fromEntries(pairs) as Record<Name, string>;
}

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
  return [{ ...(isOfForm && { field }), message: describeRefusal(error) }];
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

/** A new key for a form that creates something: sent twice, it creates once. */
export function createFormKey(): string {
  return createToken();
}

/** The key that a form came with, `request_key`; a new one in place of what is none of ours. */
export function readFormKey(body: unknown): string {
  const { request_key: key } = readFields(body, ["request_key"]);
  return /^[0-9a-z]{12}$/.test(key) ? key : createFormKey();
}

/**
 * The version that a form was made on, `expected_version`; undefined when the form has none. What is
 * no version was never ours, and no record is at it.
 */
export function readVersion(body: unknown): number | undefined {
  const { expected_version: text } = readFields(body, ["expected_version"]);
  if (text === "") return undefined;
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}
