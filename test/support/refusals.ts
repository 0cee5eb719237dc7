import { AppError } from "../../server/src/errors.js";
import { describeRefusalForAssistants } from "../../server/src/mcp/refusals-for-assistants.js";

/** Throws a refusal on with what it says to assistants as its message. */
export function throwWorded(error: unknown): never {
  if (!(error instanceof AppError)) throw error;
  const { code, field } = error;
  throw Object.assign(new Error(describeRefusalForAssistants(error)), { code, field });
}

/** The same for what is refused at once. */
export function worded<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    return throwWorded(error);
  }
}
