import { loadModule, parsePlPgSQLSync } from "libpg-query";

interface Expression {
  query: string;
  parseMode: number;
}

/**
 * Returns the statements of a trigger function, each separately. `$1` replaces the organization of
 * the trigger's row, and `$2` its other columns.
 */
export async function statementsOf(functionDefinition: string): Promise<string[]> {
  await loadModule();
  return expressionsIn(parsePlPgSQLSync(functionDefinition)).map(toStatement);
}

function expressionsIn(value: unknown): Expression[] {
  if (typeof value !== "object" || value === null) return [];
  if ("PLpgSQL_expr" in value) return [value.PLpgSQL_expr as Expression];
  return Object.values(value).flatMap(expressionsIn);
}

const isStatement = 0;

function toStatement({ query, parseMode }: Expression): string {
  const [, value = query] = /^[\w.]+\s*:?=(.*)$/s.exec(query) ?? [];
  const text = parseMode === isStatement ? query : `SELECT ${value}`;
  return text
    .replace(/\b(NEW|OLD)\.organization_id\b/gi, "$$1")
    .replace(/\b(NEW|OLD)\.\w+/gi, "$$2");
}
