import { loadModule, parseSync } from "pgsql-parser";
import type { Node } from "@pgsql/types";
import { allEntities } from "../../server/src/db/entities.js";
import type { RecordedStatement } from "../support/recorded-statements.js";
import { allowedLookups } from "./exceptions.js";
import { checkStatement, type Checked } from "./tenant-check.js";
import { readSchema } from "./tenant-schema.js";

const tables = readSchema(allEntities);

export async function parse(text: string): Promise<Node[]> {
  await loadModule();
  const { stmts = [] } = parseSync(text);
  return stmts.flatMap(({ stmt }) => stmt ?? []);
}

export function check(statement: Node, recorded: RecordedStatement): Checked {
  const allowed = allowedLookups(recorded);
  if (allowed === undefined) return { problems: [], conditions: [] };
  return checkStatement(statement, tables, allowed);
}

/** Makes conditions true for every row during `work`. */
export function without<Result>(conditions: Node[], work: () => Result): Result {
  const originals = conditions.map((node) => ({ ...node }));
  const always: Node = { A_Const: { boolval: { boolval: true } } };
  // Keeps the original condition, so its parameters keep their types.
  conditions.forEach((node, index) => {
    const args = [always, originals[index] ?? always];
    replace(node, { BoolExpr: { boolop: "OR_EXPR", args } });
  });
  try {
    return work();
  } finally {
    conditions.forEach((node, index) => {
      replace(node, originals[index] ?? node);
    });
  }
}

function replace(node: Node, by: Node): void {
  for (const key of Object.keys(node)) Reflect.deleteProperty(node, key);
  Object.assign(node, by);
}

export interface Outcome {
  failures: string[];
  statements: number;
  /** Number of conditions on the organization. Each was removed once. */
  conditions: number;
  noticed: number;
}

/**
 * Checks the product's statements, then the check itself. Without one condition a statement must
 * fail unless the condition is redundant. Without all of them it must fail.
 */
export async function checkRecorded(statements: RecordedStatement[]): Promise<Outcome> {
  const outcome: Outcome = {
    failures: [],
    statements: statements.length,
    conditions: 0,
    noticed: 0,
  };
  const fail = ({ text, from }: RecordedStatement, problem: string) => {
    outcome.failures.push(`${problem}\n    ${text.replace(/\s+/g, " ").trim()}\n    ${from}`);
  };
  for (const recorded of statements) {
    const parsed = await parse(recorded.text).catch((error: unknown) => {
      fail(recorded, String(error));
      return [];
    });
    for (const statement of parsed) {
      const { problems, conditions } = check(statement, recorded);
      const fails = (removed: Node[]) =>
        without(removed, () => check(statement, recorded).problems.length > 0);
      if (problems.length > 0) fail(recorded, problems.join("; "));
      else if (conditions.length > 0 && !fails(conditions))
        fail(recorded, "passes without its conditions too");
      outcome.conditions += conditions.length;
      outcome.noticed += conditions.filter((condition) => fails([condition])).length;
    }
  }
  return outcome;
}
