import type { Caller } from "../../domain/access/caller.js";
import { agoInWords } from "../../domain/values/dates.js";
import { createToken } from "../../domain/values/ids.js";
import type { LatestChange } from "../../domain/changes/versions.js";
import { AppError, type ErrorCode } from "../../errors.js";
import type { FormError } from "../layout/parts.js";
import { toFieldLabel, toPageWords } from "../text/field-labels.js";

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
const mendable = new Set<ErrorCode>([
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

/**
 * What a refusal of the domain says on the page of the form; every other error is thrown on. Names
 * of parameters become the words that stand above the fields.
 */
export function toFormErrors(error: unknown): FormError[] {
  if (!(error instanceof AppError)) throw error;
  const isStale = newVersionOf(error) !== undefined;
  if (isStale) return [{ message: describeLatest(error.details?.["changed"]) }];
  if (error.field === "request_key") return [{ message: sentAlready }];
  if (error.field === undefined && !mendable.has(error.code)) throw error;
  return [{ field: error.field, message: toPageWords(error.message) }];
}

const sentAlready =
  "This form was sent before, and what it asked for was created then. To create another one, send it once more.";

/** For a form that was made on an older version: the one to send it with next time. */
export function newVersionOf(error: unknown): number | undefined {
  if (!(error instanceof AppError) || error.field !== "expected_version") return undefined;
  const version = error.details?.["version"];
  return typeof version === "number" ? version : undefined;
}

/** Whether what came in between was the person's own: the same form, sent a second time. */
export function isOwnChange(error: unknown, { userName }: Pick<Caller, "userName">): boolean {
  const latest = (error as AppError).details?.["changed"] as LatestChange | undefined;
  return latest?.by === userName;
}

function describeLatest(changed: unknown): string {
  const latest = changed as LatestChange | undefined;
  const who = latest === undefined ? "Somebody" : latest.by;
  const what = new Set(latest?.fields.map((field) => `“${toFieldLabel(field)}”`));
  const when = latest === undefined ? "" : ` ${agoInWords(new Date(latest.at))} ago`;
  return `${who} changed ${what.size === 0 ? "this" : [...what].join(", ")}${when}, after you opened this form. Nothing of yours is saved yet. Look at what is there now, then save again if your values should take its place.`;
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
