import { AppError } from "../../server/src/errors.js";
import { describeRefusal } from "../../server/src/mcp/refusals.js";

/** Throws a refusal on with what it says to assistants as its message. */
export function throwWorded(error: unknown): never {
  if (!(error instanceof AppError)) throw error;
  const { code, field } = error;
  throw Object.assign(new Error(describeRefusal(error)), { code, field });
}

/** The same for what is refused at once. */
export function worded<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    return throwWorded(error);
  }
}
