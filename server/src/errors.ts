/** Stable codes of expected failures. */
export type ErrorCode =
  | "validation_failed"
  | "duplicate"
  | "not_found"
  | "expired"
  | "conflict"
  | "already_member"
  | "pending_invite"
  | "invalid_transition"
  | "not_empty"
  | "confirmation_mismatch"
  | "last_owner"
  | "self_removal"
  | "forbidden"
  | "insufficient_scope"
  | "rate_limited"
  | "unauthenticated"
  | "unavailable";

export interface ErrorDetails {
  /** The argument or form field at fault. */
  field?: string;
  /** What to do next, when it is not part of the message. */
  hint?: string;
  details?: Record<string, unknown>;
  cause?: unknown;
}

/**
 * An expected failure. The message is a whole text that may be shown to the person or the model as
 * it is. Everything else that is thrown is logged and shown as one fixed sentence.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly field: string | undefined;
  readonly hint: string | undefined;
  readonly details: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, message: string, extra: ErrorDetails = {}) {
    super(message, extra.cause === undefined ? undefined : { cause: extra.cause });
    this.name = "AppError";
    this.code = code;
    this.field = extra.field;
    this.hint = extra.hint;
    this.details = extra.details;
  }
}

/** How long to wait, in seconds, before trying again; undefined where waiting does not help. */
export function retryAfterOf({ details }: AppError): number | undefined {
  const seconds = details?.["retry_after_seconds"];
  return typeof seconds === "number" ? seconds : undefined;
}

/** A start or an admin command that cannot go on: shown as one line on stderr, exit code 1. */
export class StartError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "StartError";
  }
}
