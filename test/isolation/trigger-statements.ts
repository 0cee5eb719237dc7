import { loadModule, parsePlPgSQLSync } from "libpg-query";

interface Expression {
  query: string;
  parseMode: number;
}

/**
 * The statements that the function of a trigger runs, each in a form of its own: with `$1` for the
 * organization of the row that the trigger runs for, and `$2` for its other columns.
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
