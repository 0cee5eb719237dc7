import { BridgeError, errorMessage, exitCodes, toExitCode } from "../common/errors.js";
import { HttpFailure } from "../http/http-client.js";

/** The result of one check. Texts contain no secret, so a report can be pasted anywhere. */
export interface Finding {
  check: string;
  result: "ok" | "warning" | "problem";
  detail: string;
  advice?: string;
  /** Exit code of commands that fail because of this problem. */
  exitCode?: number;
}

export function ok(check: string, detail: string): Finding {
  return { check, result: "ok", detail };
}

export function warning(check: string, detail: string, advice: string): Finding {
  return { check, result: "warning", detail, advice };
}

export function problem(
  check: string,
  detail: string,
  advice: string,
  exitCode: number = exitCodes.unexpected,
): Finding {
  return { check, result: "problem", detail, advice, exitCode };
}

export function unreachable(check: string, detail: string, advice: string): Finding {
  return problem(check, detail, advice, exitCodes.unreachable);
}

/** Messages of expected failures include the advice. */
export function toProblem(check: string, error: unknown): Finding {
  const detail = errorMessage(error);
  const exitCode = toExitCode(error);
  if (error instanceof BridgeError) return { check, result: "problem", detail, exitCode };
  const known = error instanceof HttpFailure ? error.advice : undefined;
  const advice = known ?? "This was not expected. Run again with --log-level debug for details.";
  return problem(check, detail, advice, exitCode);
}
