import { randomBytes } from "node:crypto";
import type { EntityManager } from "typeorm";
import type pg from "pg";
import { StatementClient } from "./statement-client.js";

/**
 * Runs a transaction of many like statements. The embedded database parses and plans a statement
 * only once within it: nobody else reaches the one backend meanwhile, and the names are given back
 * at the end. Connections to PostgreSQL name their statements anyway.
 */
export async function prepareStatements<Result>(
  tx: EntityManager,
  work: () => Promise<Result>,
): Promise<Result> {
  const client = (await tx.queryRunner?.connect()) as pg.ClientBase | undefined;
  if (client === undefined || client instanceof StatementClient) return work();
  await tx.query("SET LOCAL plan_cache_mode = force_generic_plan");
  const prefix = `prepared_${randomBytes(6).toString("hex")}_`;
  const names = new Map<string, string>();
  const nameOf = (text: string) => {
    const name = names.get(text) ?? `${prefix}${names.size}`;
    names.set(text, name);
    return name;
  };
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const named = (...args: unknown[]): unknown => {
    const [text, values, ...rest] = args;
    if (typeof text !== "string" || !Array.isArray(values) || values.length === 0) {
      return query(...args);
    }
    return query({ name: nameOf(text), text, values }, ...rest);
  };
  Object.defineProperty(client, "query", { value: named, configurable: true, writable: true });
  try {
    const result = await work();
    for (const name of names.values()) await tx.query(`DEALLOCATE "${name}"`);
    return result;
  } finally {
    Reflect.deleteProperty(client, "query");
  }
}
