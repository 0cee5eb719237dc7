import type { EntityManager } from "typeorm";

/**
 * For reading much in a transaction that changes nothing: what `query` was asked before is answered from
 * memory. Whoever gets the rows must not change them.
 */
export function rememberReads(tx: EntityManager): EntityManager {
  const answers = new Map<string, Promise<unknown>>();
  const query = (sql: string, values: unknown[] = []) => {
    const key = JSON.stringify([sql, values]);
    const known = answers.get(key) ?? tx.query(sql, values);
    answers.set(key, known);
    return known;
  };
  return Object.create(tx, { query: { value: query } }) as EntityManager;
}
