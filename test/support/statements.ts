import pg from "pg";
import { PostgresQueryRunner } from "typeorm/driver/postgres/PostgresQueryRunner.js";
import { inject, vi } from "vitest";

/** The class that sends the statements of requests. */
const sender = (inject("databaseUrl") === null ? PostgresQueryRunner : pg.Client).prototype as {
  query: (...sent: unknown[]) => unknown;
};

/**
 * Runs `act` before the statement at this place among those of a kind. The returned function gives
 * the number of sent statements. Reset with `vi.restoreAllMocks`.
 */
export function before(kind: RegExp, place: number, act: () => Promise<unknown>): () => number {
  const { query } = sender;
  let sentOfKind = 0;
  vi.spyOn(sender, "query").mockImplementation(async function (this: unknown, ...sent) {
    try {
      if (kind.test(JSON.stringify(sent)) && (sentOfKind += 1) === place) await act();
    } catch (error) {
      const [statement] = sent as [{ handleError?: (error: unknown) => void }];
      if (statement.handleError === undefined) throw error;
      statement.handleError(error);
      return undefined;
    }
    return query.apply(this, sent);
  });
  return () => sentOfKind;
}
