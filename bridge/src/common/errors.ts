/**
 * Exit codes of the commands. The proxy exits with 0 unless it was started with wrong arguments.
 */
export const exitCodes = {
  ended: 0,
  unexpected: 1,
  wrongUsage: 2,
  signInNeeded: 3,
  unreachable: 4,
} as const;

/** Failures that a person can resolve. The codes are stable. */
export type BridgeErrorCode =
  | "sign_in_needed"
  | "sign_in_failed"
  | "keychain_locked"
  | "keychain_unavailable"
  | "server_unreachable"
  | "server_busy"
  | "server_refused"
  | "outcome_unknown"
  | "no_answer"
  | "too_large"
  | "read_only"
  | "wrong_usage";

/** An expected failure. The message says what happened and what to do, and contains no secret. */
export class BridgeError extends Error {
  override name = "BridgeError";
  readonly code: BridgeErrorCode;

  constructor(code: BridgeErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

const exitCodeOf: Partial<Record<BridgeErrorCode, number>> = {
  wrong_usage: exitCodes.wrongUsage,
  sign_in_needed: exitCodes.signInNeeded,
  sign_in_failed: exitCodes.signInNeeded,
  keychain_locked: exitCodes.signInNeeded,
  keychain_unavailable: exitCodes.signInNeeded,
  server_unreachable: exitCodes.unreachable,
  server_busy: exitCodes.unreachable,
};

export function toExitCode(error: unknown): number {
  return (error instanceof BridgeError && exitCodeOf[error.code]) || exitCodes.unexpected;
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
