import type { Fields, RefusalKey, Refusals } from "./domain/shared/refusals.js";

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

type Params<Key extends RefusalKey> = Refusals[Key] & Fields;

/**
 * An expected failure, as data: which refusal, and its parameters. Whoever shows it words it: `mcp/`
 * for assistants, `web/` for people, `oauth/` for apps. Everything else that is thrown is logged and
 * shown as one fixed sentence.
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
    // For logs alone.
    super(`${key} ${JSON.stringify(params ?? {})}`, options);
    this.name = "AppError";
    this.code = code;
    this.key = key;
    this.params = params ?? ({} as Params<Key>);
  }

  /** So that `instanceof` leads to the parameters of some refusal, where it would to anything. */
  static override [Symbol.hasInstance](value: unknown): value is AppError {
    return Function.prototype[Symbol.hasInstance].call(this, value);
  }

  /** The argument or form field at fault. */
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

/** How long to wait, in seconds, before trying again; undefined where waiting does not help. */
export function retryAfterOf({ params }: AppError): number | undefined {
  return "retry_after_seconds" in params ? params.retry_after_seconds : undefined;
}

/** A start or an admin command that cannot go on: shown as one line on stderr, exit code 1. */
export class StartError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "StartError";
  }
}
