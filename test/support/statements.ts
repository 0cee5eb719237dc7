import pg from "pg";
import { PostgresQueryRunner } from "typeorm/driver/postgres/PostgresQueryRunner.js";
import { inject, vi } from "vitest";

/** What requests send their statements with. */
const sender = (inject("databaseUrl") === null ? PostgresQueryRunner : pg.Client).prototype as {
  query: (...sent: unknown[]) => unknown;
};

/**
 * Does something before one of the statements of a kind is sent, by its place among them; tells how many
 * were sent. Ends with `vi.restoreAllMocks`.
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
