import type { EntityManager } from "typeorm";
import { AppError } from "../../errors.js";

/** Tries one of several changes; answers with the refusal, after which the transaction goes on without it. */
export async function inSavepoint<Result>(
  tx: EntityManager,
  run: () => Promise<Result>,
): Promise<Result | AppError> {
  await tx.query("SAVEPOINT one_of_several");
  try {
    const result = await run();
    await tx.query("RELEASE SAVEPOINT one_of_several");
    return result;
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "unavailable") throw error;
    await tx.query("ROLLBACK TO SAVEPOINT one_of_several");
    await tx.query("RELEASE SAVEPOINT one_of_several");
    return error;
  }
}
