import { QueryFailedError } from "typeorm";

/** Whether an error is the violation of exactly this named constraint. */
export function violates(error: unknown, constraint: string): boolean {
  return causeOf(error, "constraint") === constraint;
}

export function isDeadlock(error: unknown): boolean {
  return causeOf(error, "code") === "40P01";
}

/** Stopped by `statement_timeout`. */
export function isTooSlow(error: unknown): boolean {
  return causeOf(error, "code") === "57014";
}

function causeOf(error: unknown, property: "constraint" | "code"): unknown {
  if (!(error instanceof QueryFailedError)) return undefined;
  const cause: unknown = error.driverError;
  if (!(cause instanceof Error)) return undefined;
  return (cause as Error & { constraint?: unknown; code?: unknown })[property];
}
