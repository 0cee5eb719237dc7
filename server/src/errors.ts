import type { Fields, RefusalKey, Refusals } from "./domain/shared/refusals.js";

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

type Params<Key extends RefusalKey> = Refusals[Key] & Fields;

/**
 * An expected failure as data: the refusal and its parameters. The channel writes the text: `mcp/`
 * for assistants, `web/` for people, `oauth/` for apps. All other errors are logged and shown as
 * one fixed sentence.
 */
export class AppError<Key extends RefusalKey = RefusalKey> extends Error {
  readonly code: ErrorCode;
  readonly key: Key;
  readonly params: Params<Key>;

  constructor(
    code: ErrorCode,
    key: Key,
    ...[params, options]: object extends Refusals[Key]
      ? [params?: Params<Key>, options?: ErrorOptions]
      : [params: Params<Key>, options?: ErrorOptions]
  ) {
    super(`${key} ${JSON.stringify(params ?? {})}`, options);
    this.name = "AppError";
    this.code = code;
    this.key = key;
    this.params = params ?? ({} as Params<Key>);
  }

  /** Makes `instanceof` narrow to the parameters of some refusal instead of `any`. */
  static override [Symbol.hasInstance](value: unknown): value is AppError {
    return Function.prototype[Symbol.hasInstance].call(this, value);
  }

  /** The invalid argument or form field. */
  get field(): string | undefined {
    return this.params.field;
  }
}

export function isRefusal<Key extends RefusalKey>(
  error: unknown,
  key: Key,
): error is AppError<Key> {
  return error instanceof AppError && error.key === key;
}

/** Seconds to wait before a retry. Undefined if waiting doesn't help. */
export function retryAfterOf({ params }: AppError): number | undefined {
  return "retry_after_seconds" in params ? params.retry_after_seconds : undefined;
}

/** A fatal error of the start or an admin command: printed as one line on stderr, exit code 1. */
export class StartError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "StartError";
  }
}
