import { QueryFailedError } from "typeorm";

/** Whether an error is the violation of exactly this named constraint. */
export function violates(error: unknown, constraint: string): boolean {
  if (!(error instanceof QueryFailedError)) return false;
  const cause: unknown = error.driverError;
  return cause instanceof Error && "constraint" in cause && cause.constraint === constraint;
}
