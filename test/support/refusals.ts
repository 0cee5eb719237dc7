import { AppError } from "../../server/src/errors.js";
import { describeRefusalForAssistants } from "../../server/src/mcp/refusals-for-assistants.js";

/** Rethrows a refusal with its text for assistants as the message. */
export function throwWorded(error: unknown): never {
  if (!(error instanceof AppError)) throw error;
  const { code, field } = error;
  throw Object.assign(new Error(describeRefusalForAssistants(error)), { code, field });
}

/** Runs synchronous work and rethrows a refusal with its text for assistants. */
export function worded<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    return throwWorded(error);
  }
}
