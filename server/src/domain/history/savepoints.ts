import type { Tx } from "../../db/database.js";
import { AppError } from "../../errors.js";

/**
 * Tries one of several changes. Returns the refusal, and the transaction continues without the
 * change.
 */
export async function inSavepoint<Result>(
  tx: Tx,
  run: () => Promise<Result>,
  toRefusal: (error: unknown) => AppError | undefined = toExpected,
): Promise<Result | AppError> {
  await tx.query("SAVEPOINT one_of_several");
  try {
    const result = await run();
    await tx.query("RELEASE SAVEPOINT one_of_several");
    return result;
  } catch (error) {
    const refusal = toRefusal(error);
    if (refusal === undefined) throw error;
    await tx.query("ROLLBACK TO SAVEPOINT one_of_several");
    await tx.query("RELEASE SAVEPOINT one_of_several");
    return refusal;
  }
}

function toExpected(error: unknown): AppError | undefined {
  return error instanceof AppError && error.code !== "unavailable" ? error : undefined;
}
